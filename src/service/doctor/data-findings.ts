/** What the data directory of a machine is like. Nothing is made in it. */

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ScanGateError } from '../../base/errors.ts';
import { messageOf } from '../../base/message-of.ts';
import { SqliteProductDirectory } from '../../directory/sqlite-product-directory.ts';
import { openLedgerFile } from '../../ledger/sqlite-file.ts';
import type { Config } from '../config.ts';
import { checkLedgerIsThere, ledgerPathIn, productsPathIn } from '../data-directory.ts';
import { networkFileSystem } from '../network-file-system.ts';
import { type Finding, finding } from './finding.ts';

const gibibyte = 1024 ** 3;

/** Of the embedded ledger. */
export function dataFindings({ data, allow_network_file_system }: Config): Finding[] {
  const path = resolve(data);
  const isThere = existsSync(path);
  // What is not there yet will be made, on the file system of the directory above it.
  const place = isThere ? path : dirname(path);
  const refused = refusalOf(path, place);
  if (refused !== undefined) return [finding('data-directory', path, 'refusal', refused)];
  const { type, bavail, bsize } = statfsSync(place);
  const free = bavail * bsize;
  return [
    finding('data-directory', path, 'ok', isThere ? 'It can be read and written.' : 'It is not there yet; a server makes it.'),
    fileSystem(path, type, allow_network_file_system),
    finding('data-space', path, free < gibibyte ? 'warning' : 'ok', `${(free / gibibyte).toFixed(1)} GiB are free.`),
    structure(path),
  ];
}

export function productFindings({ data }: Config): Finding[] {
  const path = productsPathIn(data);
  if (!existsSync(path)) return [finding('product-directory', path, 'warning', 'There is none.')];
  try {
    const directory = new SqliteProductDirectory(path, { readonly: true });
    const isLoaded = directory.isLoaded();
    directory.close();
    return [
      isLoaded
        ? finding('product-directory', path, 'ok', 'It is loaded.')
        : finding('product-directory', path, 'warning', 'No import of it has come to its end.'),
    ];
  } catch (error) {
    return [finding('product-directory', path, 'warning', sentenceOf(error))];
  }
}

function refusalOf(path: string, place: string): string | undefined {
  const there = statSync(place, { throwIfNoEntry: false });
  if (there === undefined) return `Neither it nor ${place} is there.`;
  if (!there.isDirectory()) return `${place} is a file.`;
  try {
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return place === path ? 'It cannot be written to.' : `It cannot be made in ${place}.`;
  }
}

function fileSystem(path: string, type: number, allowed: boolean): Finding {
  const network = networkFileSystem(type);
  if (network === undefined) return finding('data-file-system', path, 'ok', 'It is on no network file system that is known.');
  return finding('data-file-system', path, network.certain && !allowed ? 'refusal' : 'warning', `It is on ${network.name}.`);
}

function structure(path: string): Finding {
  const ledgerPath = ledgerPathIn(path);
  try {
    checkLedgerIsThere({ path, ledgerPath, productsPath: productsPathIn(path) });
    if (!existsSync(ledgerPath)) return finding('data-structure', ledgerPath, 'ok', 'There is no ledger yet.');
    openLedgerFile(ledgerPath, { readonly: true, busyMs: 5_000, check: true }).close();
    return finding(
      'data-structure',
      ledgerPath,
      'ok',
      'Every page of it is whole. Only "scangate verify" finds changed records.',
    );
  } catch (error) {
    return finding('data-structure', ledgerPath, 'refusal', sentenceOf(error));
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof ScanGateError ? error.message : `It cannot be read: ${messageOf(error)}.`;
}

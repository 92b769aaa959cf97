/**
 * The directory of the embedded ledger: made, checked and held by one server at a time.
 *
 * The hold is a lock that the operating system gives up when the process ends, however it ends: no file has to be cleaned up after
 * a crash.
 */

import { accessSync, closeSync, constants, fsyncSync, mkdirSync, openSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { ScanGateError } from '../base/errors.ts';
import { messageOf } from '../base/message-of.ts';
import { isBusy } from '../ledger/sqlite-file.ts';
import { networkFileSystem } from './network-file-system.ts';

export interface DataDirectory {
  readonly path: string;
  readonly ledgerPath: string;
  readonly productsPath: string;
  /** A sentence to be shown, when something is allowed that is not safe. */
  readonly warning?: string;
}

export function ledgerPathIn(directory: string): string {
  return join(resolve(directory), 'ledger.sqlite');
}

export function productsPathIn(directory: string): string {
  return join(resolve(directory), 'directory.sqlite');
}

/** @throws ScanGateError of the kind `startup`, with the path. */
export function prepareDataDirectory(directory: string, allowNetworkFileSystem: boolean): DataDirectory {
  const path = resolve(directory);
  makeDirectory(path);
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ScanGateError('SG_DATA_PATH', `The data directory ${path} cannot be written to.`, { cause: error });
  }
  const network = networkFileSystem(statfsSync(path).type);
  const found = { path, ledgerPath: ledgerPathIn(path), productsPath: productsPathIn(path) };
  if (network === undefined) return found;
  const what = `The data directory ${path} is on ${network.name}, where SQLite's locks and syncs are not to be relied on`;
  if (network.certain && !allowNetworkFileSystem) {
    throw new ScanGateError(
      'SG_NETWORK_FILE_SYSTEM',
      `${what}. Use a local disk, or start with --allow-network-file-system true at your own risk.`,
    );
  }
  return { ...found, warning: `${what}: acknowledged scans can be lost.` };
}

/**
 * Holds the directory until the process ends or the hold is given back.
 *
 * @throws ScanGateError `SG_DATA_LOCKED` when another server holds it.
 */
export function holdDataDirectory({ path }: DataDirectory): () => void {
  let lock: Database.Database | undefined;
  try {
    lock = new Database(join(path, 'serve.lock'), { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return () => lock?.close();
  } catch (error) {
    lock?.close();
    if (isBusy(error)) {
      throw new ScanGateError(
        'SG_DATA_LOCKED',
        `Another ScanGate server uses the data directory ${path}. Stop it, or give this one another --data.`,
      );
    }
    throw new ScanGateError('SG_DATA_PATH', `The data directory ${path} cannot be locked: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

const mark = 'ledger.made';

/**
 * Refuses a directory whose ledger was there before and is gone: a disk that is not mounted, or a file that was deleted, must not
 * look like a new book.
 *
 * @throws ScanGateError `SG_DATA_DAMAGED`.
 */
export function checkLedgerIsThere({ path, ledgerPath }: DataDirectory): void {
  const made = statSync(join(path, mark), { throwIfNoEntry: false }) !== undefined;
  const bytes = statSync(ledgerPath, { throwIfNoEntry: false })?.size ?? 0;
  if (!made || bytes > 0) return;
  throw new ScanGateError(
    'SG_DATA_DAMAGED',
    `The ledger ${ledgerPath} was made here before, and is gone or empty. Restore it, or remove ${join(path, mark)} to begin a new one.`,
  );
}

/** Notes that a ledger was made here. */
export function markLedgerMade({ path }: DataDirectory): void {
  const file = openSync(join(path, mark), 'a');
  fsyncSync(file);
  closeSync(file);
}

/** Makes the directory, and makes sure that it is still there after a loss of power. */
function makeDirectory(path: string): void {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory() === true) return;
    if (there !== undefined)
      throw new ScanGateError('SG_DATA_PATH', `${path} is a file; the data directory has to be a directory.`);
    // Not its parents: where they are missing, a disk is not mounted, and a new ledger beside the real one would be a disaster.
    mkdirSync(path);
    const parent = openSync(dirname(path), 'r');
    fsyncSync(parent);
    closeSync(parent);
  } catch (error) {
    if (error instanceof ScanGateError) throw error;
    const why = messageOf(error);
    throw new ScanGateError('SG_DATA_PATH', `The data directory ${path} cannot be made in ${dirname(path)}: ${why}.`, {
      cause: error,
    });
  }
}

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scanAt } from '../../src/testing/wire-scans.ts';
import { openBooks, temporaryFolder } from './sqlite-folder.ts';

interface Answer {
  readonly ids: readonly string[];
  readonly outcomes?: readonly string[];
  readonly refused?: { readonly code: string; readonly namesFile: boolean };
}

interface Report {
  readonly acknowledged: readonly string[];
  readonly refused: readonly Answer['refused'][];
  readonly kept: readonly string[];
  readonly again: Answer;
  readonly retransmitted: Answer;
}

const script = join(import.meta.dirname, 'sqlite-fill-disk.js');

/** Runs a line of bash, in which `$1` is a folder for the ledger, `$2` one that stays, and `$0` the script. */
function run(command: readonly string[], line: string): { report: Report; folder: string } {
  const folder = temporaryFolder();
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const [program = 'bash', ...args] = [...command, 'bash', '--norc', '-euc', line, script, disk, folder];
  const { stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  expect(stderr).toBe('');
  return { report: JSON.parse(stdout) as Report, folder };
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)].sort();

test('on a full disk nothing is acknowledged and nothing is lost, and with room again the ledger goes on', () => {
  const onSmallDisk = 'mount -t tmpfs -o size=2m scangate "$1"; node "$0" "$1"; cp "$1"/ledger.sqlite* "$2"';
  const { report, folder } = run(['unshare', '--user', '--map-root-user', '--mount'], onSmallDisk);
  expect(report.acknowledged.length).toBeGreaterThan(100);
  const full = { code: 'SG_LEDGER_FULL', namesFile: true };
  expect(report.refused).toEqual([full, full, full]);
  expect(report.kept).toEqual(report.acknowledged);
  expect(report.again.outcomes).toEqual(['committed']);
  expect(report.retransmitted.outcomes).toEqual(['suppressed']);

  const books = openBooks(join(folder, 'ledger.sqlite'));
  expect(books.audit().breaks).toEqual([]);
  const lines = books.lines({ limit: 100_000 }).items.map((line) => line.scan_uuid ?? '');
  expect(unique(lines)).toEqual(unique([...report.acknowledged, ...report.again.ids]));
  expect(lines).toHaveLength(report.acknowledged.length + 20);
});

test('a file that may not grow any further refuses in the same way, and goes on when it may', () => {
  const { report, folder } = run([], 'ulimit -f 1024; node "$0" "$1"; cp "$1"/ledger.sqlite* "$2"');
  expect(report.acknowledged.length).toBeGreaterThan(100);
  const failed = { code: 'SG_LEDGER_FAILED', namesFile: true };
  expect(report.refused).toEqual([failed, failed, failed]);
  expect(report.kept).toEqual(report.acknowledged);
  expect(report.again.refused).toEqual(failed);

  const books = openBooks(join(folder, 'ledger.sqlite'));
  expect(books.audit().breaks).toEqual([]);
  const decisions = books.append([...report.again.ids, '0.0'].map((id) => scanAt(0, { scan_uuid: id, lot_number: id })));
  expect(decisions.map(({ outcome }) => outcome)).toEqual([...report.again.ids.map(() => 'committed'), 'suppressed']);
  expect(books.audit().breaks).toEqual([]);
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SqliteLedger } from 'scangate/sqlite';
import { describe, expect, test } from 'vitest';
import { openBooks, temporaryFolder } from './sqlite-folder.ts';

/** The coded sentence with which a path is refused, by the thread of the ledger too. */
async function refusalOf(path: string): Promise<string> {
  let refusal = 'opened';
  try {
    openBooks(path);
  } catch (error) {
    refusal = worded(error);
  }
  await expect(SqliteLedger.open(path).catch(worded)).resolves.toBe(refusal);
  return refusal;
}

function worded(error: unknown): string {
  return error instanceof Error && 'code' in error ? `${String(error.code)}: ${error.message}` : String(error);
}

describe('a path that cannot be a ledger is refused in one sentence that names it', () => {
  test('a directory', async () => {
    const path = join(temporaryFolder(), 'ledger.sqlite');
    mkdirSync(path);
    expect(await refusalOf(path)).toBe(`SG_DATA_PATH: ${path} is a directory; the ledger needs a file there.`);
  });

  test('a directory that does not exist', async () => {
    const path = join(temporaryFolder(), 'none', 'ledger.sqlite');
    expect(await refusalOf(path)).toMatch(
      /^SG_DATA_PATH: .*none\/ledger\.sqlite cannot be opened: .*directory does not exist\.$/,
    );
  });

  test('a file where the directory has to be', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(await refusalOf(join(file, 'ledger.sqlite'))).toMatch(/^SG_DATA_PATH: .*file\/ledger\.sqlite cannot be opened: .*\.$/);
  });

  test('a ledger that is to be read only, and is not there', () => {
    const path = join(temporaryFolder(), 'ledger.sqlite');
    expect(() => openBooks(path, { readonly: true })).toThrow(`There is no ledger at ${path}.`);
  });

  test('a file that is no database', async () => {
    const path = join(temporaryFolder(), 'ledger.sqlite');
    writeFileSync(path, 'seq,outcome\n'.repeat(1_000));
    expect(await refusalOf(path)).toBe(`SG_DATA_DAMAGED: ${path} is damaged: file is not a database.`);
  });

  test('the database of another application, in which not a byte is changed', async () => {
    const path = join(temporaryFolder(), 'ledger.sqlite');
    const other = new Database(path);
    other.exec("CREATE TABLE songs (name TEXT); INSERT INTO songs VALUES ('a')");
    other.close();
    const before = readFileSync(path);
    expect(await refusalOf(path)).toBe(`SG_DATA_PATH: ${path} is a SQLite file, but not a ScanGate ledger.`);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test.each([0, 2, 99])('a ledger of the schema version %i, in which not a byte is changed', async (version) => {
    const path = join(temporaryFolder(), 'ledger.sqlite');
    openBooks(path).close();
    const database = new Database(path);
    database.pragma(`user_version = ${version}`);
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
    const before = readFileSync(path);
    expect(await refusalOf(path)).toBe(
      `SG_DATA_VERSION: ${path} has schema version ${version}; this version of ScanGate reads 1.`,
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('a file system that is read-only is refused in one sentence that names the path', () => {
  const script = join(import.meta.dirname, 'sqlite-open.js');

  /** What opening says on a disk that was mounted anew as read-only after a line of bash had made it ready. */
  function refusalOnReadOnlyDisk(makeReady: string): string {
    const disk = join(temporaryFolder(), 'disk');
    mkdirSync(disk);
    const line = `mount -t tmpfs scangate "$1"; ${makeReady}; mount -o remount,ro "$1"; node "$0" "$1/ledger.sqlite"`;
    const args = ['--user', '--map-root-user', '--mount', 'bash', '--norc', '-euc', line, script, disk];
    const { stdout, error, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    if (error !== undefined) throw error;
    return stdout.replace(disk, 'DISK') + stderr;
  }

  test('for a new ledger', () => {
    expect(refusalOnReadOnlyDisk('true')).toBe(
      'SG_DATA_PATH: DISK/ledger.sqlite cannot be opened: unable to open database file.',
    );
  });

  test('for a ledger that is there', () => {
    const told = refusalOnReadOnlyDisk('test "$(node "$0" "$1/ledger.sqlite")" = opened');
    expect(told).toMatch(/^SG_DATA_PATH: DISK\/ledger\.sqlite cannot be opened: [^.]*\.$/);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { randomIds } from '../../src/base/ids.ts';
import { rowsOf } from '../../src/cli/reconcile-file.ts';
import { SqliteBooks } from '../../src/ledger/sqlite-books.ts';
import { readerOf } from '../../src/ledger/sqlite-reader.ts';
import { compareFile, ProductNames } from '../../src/records/compare-file.ts';
import { compareTallies, type Difference } from '../../src/records/compare-tallies.ts';
import { Days } from '../../src/records/days.ts';
import { readBooks } from '../../src/records/read-books.ts';
import { Tallies } from '../../src/records/tallies.ts';
import { scanAt } from '../../src/testing/wire-scans.ts';
import { type Ended, scangate, temporaryFolder } from '../support/server.ts';
import { ledgerFile } from '../support/server-ledger.ts';

const data = temporaryFolder();
const days = new Days('UTC');

interface Report {
  readonly journal: { readonly differences: readonly Difference[] };
  readonly file: {
    readonly unreadable: readonly unknown[];
    readonly differences: readonly Difference[];
    readonly from: string;
    readonly to: string;
  };
}

/** On 2026-03-05 at site-1: A1207 −2 (RX-1) and −0.1, B +10; on the 6th, B −1. At site-2 something that no file knows. */
beforeAll(() => {
  const books = new SqliteBooks(ledgerFile(data), systemClock, randomIds, { readonly: false, busyMs: 5_000, check: false });
  const site = { facility_uuid: 'site-1' };
  books.append([
    scanAt(0, { ...site, quantity: '2', reference: 'RX-1' }),
    scanAt(5_000, { ...site, quantity: '0.1' }),
    scanAt(0, { ...site, lot_number: 'B', quantity: '10', scan_type: 'receive' }),
    scanAt(86_400_000, { ...site, lot_number: 'B', quantity: '1' }),
    scanAt(0, { facility_uuid: 'site-2' }),
  ]);
  books.close();
});

function fileOf(name: string, ...lines: readonly string[]): string {
  const path = join(data, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

function reconcile(...args: readonly string[]): Promise<Ended> {
  return scangate(['reconcile', '--data', data, ...args]);
}

async function report(...args: readonly string[]): Promise<{ code: number | null; report: Report }> {
  const { code, stdout, stderr } = await reconcile('--json', ...args);
  expect(stderr).toBe('');
  return { code, report: JSON.parse(stdout) as Report };
}

test('a file that says the same, in words of its own, differs in nothing', async () => {
  const path = fileOf(
    'same.csv',
    'Store;Item;Batch;Count;Kind;When;Clerk',
    'site-1;0093-7214-10;A1207;2.0;dispense;2026-03-05T12:00:00Z;x',
    'site-1;0093-7214-10;A1207;0.10;dispense;2026-03-05 12:00:05;x',
    'site-1;00093721410;B;10;receive;2026-03-05T13:00:00+01:00;x',
    'site-1;00093721410;B;1;dispense;1772798400000;x',
  );
  const names = ['facility_uuid=Store', 'ndc=Item', 'lot_number=Batch', 'quantity=Count', 'scan_type=Kind', 'occurred_at=When'];
  const { code, report: found } = await report(path, ...names.flatMap((name) => ['--map', name]));
  expect(found.file).toEqual({ rows: 4, from: '2026-03-05', to: '2026-03-06', unreadable: [], differences: [] });
  expect(code).toBe(0);
});

test('what differs is told with corrections, which a person posts, and then nothing differs', async () => {
  const path = fileOf(
    'other.csv',
    'facility_uuid,ndc,lot_number,delta,date,reference',
    'site-1,00093721410,A1207,-2,2026-03-05,RX-1',
    'site-1,00093721410,A1207,-0.3,2026-03-05,RX-2',
    'site-1,00093721410,C,-4,2026-03-05,RX-3',
    'site-1,00093721410,B,0,2026-03-05,',
  );
  const { code, report: found } = await report(path);
  expect(code).toBe(2);
  const shown = found.file.differences.map(({ kind, lot_number, difference, names_only_there }) => [
    kind,
    lot_number,
    difference,
    names_only_there,
  ]);
  expect(shown).toEqual([
    ['quantity', 'A1207', '-0.2', ['RX-2']],
    ['only_here', 'B', '-10', []],
    ['only_there', 'C', '-4', ['RX-3']],
  ]);

  const corrections = found.file.differences.map(({ correction }) => JSON.stringify(correction));
  const posted = fileOf('corrections.ndjson', ...corrections);
  expect(await scangate(['import', posted, '--data', data])).toMatchObject({ code: 0 });
  const { code: codeAfter, stdout } = await reconcile(path);
  expect([codeAfter, stdout.split('\n')]).toEqual([
    0,
    [
      'Journal: 8 record(s), ledger: 8 line(s), 0 difference(s).',
      'File: 4 row(s), 2026-03-05 to 2026-03-05, 0 difference(s).',
      '',
    ],
  ]);
});

test('a row that cannot be read is told with its line, and a file without what is needed is refused with one sentence', async () => {
  const path = fileOf('bad.csv', 'facility_uuid,ndc,lot_number,delta,date', 'site-9,00093721410,A,one,2026-03-05', 'site-9,"');
  const compared = await compareFile(rowsOf({ path, map: {}, set: {} }), new Tallies(), new ProductNames(), days);
  expect(compared).toMatchObject({
    rows: 2,
    from: null,
    unreadable: [
      { line: 2, message: expect.stringContaining('"one"') },
      { line: 3, message: expect.stringContaining('quote') },
    ],
  });
  const lacking = rowsOf({ path: fileOf('lacking.csv', 'facility_uuid,ndc,date', 'a,b,c'), map: {}, set: {} });
  await expect(lacking.next()).rejects.toMatchObject({
    code: 'SG_INPUT_FILE',
    message: expect.stringContaining('no column for delta or quantity'),
  });
});

test('a line that is not what its record says is a difference between journal and ledger', async () => {
  const database = new Database(ledgerFile(data));
  database.exec("DROP TRIGGER ledger_lines_update; UPDATE ledger_lines SET delta = '-7' WHERE facility_uuid = 'site-2'");
  database.close();
  const books = new SqliteBooks(ledgerFile(data), systemClock, randomIds, { readonly: true, busyMs: 5_000, check: false });
  const { journal, ledger } = await readBooks(readerOf(books), days);
  books.close();
  expect(compareTallies(ledger, journal, days, 'the journal')).toMatchObject([
    { kind: 'quantity', facility_uuid: 'site-2', here: { delta: '-7' }, there: { delta: '-1' }, difference: '6' },
  ]);
});

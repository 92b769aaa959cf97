import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SqliteLedger } from 'scangate/sqlite';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { randomIds } from '../../src/base/ids.ts';
import { SqliteBooks } from '../../src/ledger/sqlite-books.ts';
import { inWords } from '../../src/testing/decision-words.ts';
import { scanAt } from '../../src/testing/wire-scans.ts';
import { waited } from '../support/waited.ts';
import { afterThisTest, openBooks, temporaryFolder } from './sqlite-folder.ts';

const busy = expect.objectContaining({
  code: 'SG_LEDGER_BUSY',
  message: expect.stringContaining('Another process holds the ledger'),
});

/** Another process that is in the middle of a transaction. */
function holdLock(path: string): Database.Database {
  const other = new Database(path);
  afterThisTest(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  return other;
}

test('while another process writes nothing is acknowledged, and afterwards the same scan is committed', () => {
  const books = openBooks();
  books.append([scanAt(0, { lot_number: 'L1' })]);
  const other = holdLock(books.path);
  expect(() => books.append([scanAt(0, { scan_uuid: 'A' })])).toThrow(busy);
  expect(() => books.append([scanAt(0, { scan_uuid: 'A' })], { key: 'a.csv', value: '1' })).toThrow(busy);
  expect(books.lines({ limit: 10 }).items).toHaveLength(1);
  expect(books.checkpoint('a.csv')).toBeUndefined();
  other.exec('COMMIT');
  expect(books.append([scanAt(0, { scan_uuid: 'A' })]).map(inWords)).toEqual(['committed 2']);
  expect(books.audit().breaks).toEqual([]);
});

test('the ledger waits for another process as long as it was told to', async () => {
  const { path } = openBooks();
  const patient = await SqliteLedger.open(path, { busyMs: 60_000 });
  const hasty = await SqliteLedger.open(path, { busyMs: 0 });
  const other = holdLock(path);
  const waiting = patient.append([scanAt(0)]);
  await expect(hasty.append([scanAt(0)])).rejects.toEqual(busy);
  other.exec('COMMIT');
  expect((await waiting).map(inWords)).toEqual(['committed 1']);
  await Promise.all([patient.close(), hasty.close()]);
});

test('a new ledger that another process begins just now is opened when it has begun', async () => {
  const path = join(temporaryFolder(), 'ledger.sqlite');
  const other = holdLock(path);
  await expect(SqliteLedger.open(path, { busyMs: 0 })).rejects.toMatchObject({ message: expect.stringContaining('is locked') });
  const opening = SqliteLedger.open(path);
  await waited(300);
  other.exec('COMMIT');
  const ledger = await opening;
  expect((await ledger.append([scanAt(0)])).map(inWords)).toEqual(['committed 1']);
  await ledger.close();
});

test('ten ledgers that are opened on one new file at once are all opened', async () => {
  const path = join(temporaryFolder(), 'ledger.sqlite');
  const ledgers = await Promise.all(Array.from({ length: 10 }, () => SqliteLedger.open(path)));
  const [first] = await Promise.all(ledgers.map((ledger) => ledger.append([scanAt(0, { scan_uuid: 'A' })])));
  expect(first).toHaveLength(1);
  const { items } = await (ledgers[0] as SqliteLedger).lines({ limit: 10 });
  expect(items).toHaveLength(1);
  await Promise.all(ledgers.map((ledger) => ledger.close()));
});

test('between what a decision reads and what it writes nobody else can write', () => {
  const { path } = openBooks();
  const rival = openBooks(path);
  const refused: unknown[] = [];
  const rivalTries = (): void => {
    try {
      rival.append([scanAt(0)]);
    } catch (error) {
      refused.push(error);
    }
  };
  const uuid = (): string => {
    rivalTries();
    return randomIds.uuid();
  };
  const books = new SqliteBooks(path, systemClock, { uuid }, { busyMs: 0, check: true });
  afterThisTest(() => books.close());
  expect(books.append([scanAt(0)]).map(inWords)).toEqual(['committed 1']);
  expect(refused).toEqual([busy]);
  expect(rival.append([scanAt(0)]).map(inWords)).toEqual(['suppressed 1 same_content 0']);
});

test('an audit beside a server that writes sees one moment, and no break', async () => {
  const books = openBooks();
  const ledger = await SqliteLedger.open(books.path);
  let writing = true;
  const write = async (): Promise<void> => {
    for (let index = 0; index < 200; index += 1) {
      await ledger.append([
        scanAt(index * 3_000, { scan_uuid: `A${index}` }),
        scanAt(index * 3_000 + 1, { scan_uuid: `B${index}` }),
      ]);
    }
    writing = false;
  };
  const written = write();
  const seen = new Set<number>();
  do {
    const report = books.audit();
    expect(report.breaks).toEqual([]);
    seen.add(report.facilities[0]?.records ?? 0);
    await new Promise((resolve) => setImmediate(resolve));
  } while (writing);
  await written;
  await ledger.close();
  expect(seen.size).toBeGreaterThan(1);
  expect(books.audit().facilities).toMatchObject([{ records: 400, lines: 200 }]);
});

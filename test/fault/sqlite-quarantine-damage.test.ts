import Database from 'better-sqlite3';
import { describe, expect, it, test } from 'vitest';
import type { Transmission } from '../../src/ledger/ledger.ts';
import type { SqliteBooks } from '../../src/ledger/sqlite-books.ts';
import { facilityA, facilityB, rejectionAt, scanAt, transmission } from '../../src/testing/wire-scans.ts';
import { openBooks } from './sqlite-folder.ts';

const because = { actor: 'R. Ph. 0412', reason: 'label misread' };

interface Planted {
  readonly books: SqliteBooks;
  /** Ids in quarantine, in the order below. */
  readonly ids: readonly string[];
}

/**
 * Facility A: records 1 to 3 are rejections, 4 is the release of the first, 5 discards the second; the third is open. Under "-":
 * records 1 and 2 are rejections, 3 discards the first; the second is released into facility B, as its record 1.
 */
function openResolved(): Planted {
  const books = openBooks();
  const rejections: Transmission[] = [rejectionAt(0), rejectionAt(1), rejectionAt(2), transmission('a'), transmission('b')];
  const ids = books.append(rejections).map((decision) => (decision.outcome === 'rejected' ? decision.quarantineId : ''));
  const resolves = (index: number) => ({ quarantine_id: ids[index] ?? '', ...because });
  const scan = (changes = {}) => ({ ...scanAt(0, changes), transport: 'quarantine' as const });
  books.resolve({ kind: 'release', resolves: resolves(0), transmission: scan() });
  books.resolve({ kind: 'discard', resolves: resolves(1) });
  books.resolve({ kind: 'discard', resolves: resolves(3) });
  books.resolve({ kind: 'release', resolves: resolves(4), transmission: scan({ facility_uuid: facilityB }) });
  expect(books.audit()).toMatchObject({
    breaks: [],
    facilities: [
      { facility_uuid: '-', records: 3, lines: 0 },
      { facility_uuid: facilityA, records: 5, lines: 1 },
      { facility_uuid: facilityB, records: 1, lines: 1 },
    ],
  });
  return { books, ids };
}

/** What the audit finds after somebody who has the file has done this to it. */
function breaksAfter(sqlOf: (ids: readonly string[]) => string): string[] {
  const { books, ids } = openResolved();
  const database = new Database(books.path);
  database.pragma('foreign_keys = OFF');
  const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all() as string[];
  for (const name of triggers) database.exec(`DROP TRIGGER ${name}`);
  database.exec(sqlOf(ids));
  database.close();
  const names: Readonly<Record<string, string>> = { [facilityA]: 'A', [facilityB]: 'B' };
  return books
    .audit()
    .breaks.map(({ facility_uuid, at, message }) => `${names[facility_uuid] ?? facility_uuid}, ${at}: ${message}`);
}

const notMarked = (record: number): string =>
  `record ${record}: What record ${record} took out of quarantine is not marked as taken out by it.`;
const difference = (count: string): string =>
  `quarantine: Of what was in quarantine, ${count} are marked as taken out than the records name.`;

describe('the audit names what was done to what is marked as taken out of quarantine', () => {
  it.each([
    ['a release', 0, 'A', 4],
    ['a discard', 1, 'A', 5],
    ['a discard of what names no facility', 3, '-', 3],
    ['a release of what names no facility', 4, 'B', 1],
  ])('that is gone: %s', (_what, index, facility, record) => {
    expect(breaksAfter((ids) => `DELETE FROM quarantine_resolutions WHERE quarantine_id = '${ids[index]}'`)).toEqual([
      `${facility}, ${notMarked(record)}`,
      `${facility}, ${difference('1 fewer')}`,
    ]);
  });

  it.each([
    ['another record', () => 'journal_seq = 3'],
    ['the input that is open', (ids: readonly string[]) => `quarantine_id = '${ids[2]}'`],
    ['an input that is not there', () => "quarantine_id = 'x'"],
  ])('that was moved to %s', (_what, changeOf) => {
    const sqlOf = (ids: readonly string[]) =>
      `UPDATE quarantine_resolutions SET ${changeOf(ids)} WHERE quarantine_id = '${ids[0]}'`;
    expect(breaksAfter(sqlOf)).toEqual([`A, ${notMarked(4)}`]);
  });

  it('that was moved to another facility', () => {
    const sqlOf = (ids: readonly string[]) =>
      `UPDATE quarantine_resolutions SET facility_uuid = '${facilityB}' WHERE quarantine_id = '${ids[0]}'`;
    expect(breaksAfter(sqlOf)).toEqual([`A, ${notMarked(4)}`, `A, ${difference('1 fewer')}`, `B, ${difference('1 more')}`]);
  });

  it('that nobody has resolved', () => {
    const sqlOf = (ids: readonly string[]) => `INSERT INTO quarantine_resolutions VALUES ('${ids[2]}', '${facilityA}', 4)`;
    expect(breaksAfter(sqlOf)).toEqual([`A, ${difference('1 more')}`]);
  });

  it('of a facility that does not exist', () => {
    expect(breaksAfter((ids) => `INSERT INTO quarantine_resolutions VALUES ('${ids[2]}', 'X', 1)`)).toEqual([
      'X, head: The head of X is not where its book and journal end.',
      `X, ${difference('1 more')}`,
    ]);
  });

  it('and to the record that says by whom', () => {
    const sql = `UPDATE journal_records SET record = replace(record, 'R. Ph. 0412', 'Nobody') WHERE facility_uuid = '${facilityA}' AND seq = 4`;
    expect(breaksAfter(() => sql)).toEqual([
      'A, record 4: The hash of record 4 does not follow from the record before it and its text.',
    ]);
  });

  it('and to the bytes that were there', () => {
    expect(breaksAfter((ids) => `UPDATE quarantine SET raw = X'00' WHERE id IN ('${ids[0]}', '${ids[3]}')`)).toEqual([
      '-, record 1: What was rejected in record 1 was changed in quarantine.',
      'A, record 1: What was rejected in record 1 was changed in quarantine.',
    ]);
  });

  it('and to the line that a release made', () => {
    expect(breaksAfter(() => `UPDATE ledger_lines SET quantity = '9' WHERE facility_uuid = '${facilityB}'`)).toEqual([
      'B, record 1: Line 1 is not what its record 1 says.',
    ]);
  });
});

describe('the file itself stops', () => {
  it.each([
    ['a change of what is marked', () => 'UPDATE quarantine_resolutions SET journal_seq = 1', 'append-only'],
    ['the end of a mark', () => 'DELETE FROM quarantine_resolutions', 'append-only'],
    [
      'a mark in place of another',
      (ids: readonly string[]) => `INSERT OR REPLACE INTO quarantine_resolutions VALUES ('${ids[0]}', '${facilityA}', 5)`,
      'released or discarded once',
    ],
    [
      'a second mark',
      (ids: readonly string[]) => `INSERT INTO quarantine_resolutions VALUES ('${ids[1]}', '${facilityA}', 5)`,
      'released or discarded once',
    ],
    [
      'a second mark that is passed over',
      (ids: readonly string[]) => `INSERT OR IGNORE INTO quarantine_resolutions VALUES ('${ids[1]}', '${facilityA}', 5)`,
      'released or discarded once',
    ],
    [
      'a mark of what is not there',
      () => `INSERT INTO quarantine_resolutions VALUES ('x', '${facilityA}', 5)`,
      'released or discarded once',
    ],
  ])('%s', (_what, sqlOf, why) => {
    const { books, ids } = openResolved();
    const database = new Database(books.path);
    database.pragma('foreign_keys = OFF');
    expect(() => database.exec(sqlOf(ids))).toThrow(why);
    database.close();
    expect(books.audit().breaks).toEqual([]);
  });
});

test('an input whose mark is gone is not released a second time beside its record without being found', () => {
  const { books, ids } = openResolved();
  const database = new Database(books.path);
  database.exec(
    `DROP TRIGGER quarantine_resolutions_delete; DELETE FROM quarantine_resolutions WHERE quarantine_id = '${ids[0]}'`,
  );
  database.close();
  const resolves = { quarantine_id: ids[0] ?? '', ...because };
  const again = books.resolve({ kind: 'release', resolves, transmission: { ...scanAt(0), transport: 'quarantine' } });
  expect(again).toMatchObject({ kind: 'decided', decision: { outcome: 'suppressed', of: { line: 1 } } });
  expect(books.audit().breaks.map(({ at }) => at)).toEqual(['record 4', 'quarantine']);
});

import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { namedBreak } from '../../src/ledger/audit.ts';
import type { SqliteBooks } from '../../src/ledger/sqlite-books.ts';
import { facilityA, scanAt } from '../../src/testing/wire-scans.ts';
import { inA, openDamaged } from './sqlite-damage.ts';

function accept(books: SqliteBooks): void {
  const breaks = books.audit().breaks.map(namedBreak);
  books.acceptBreaks(facilityA, { actor: 'j.doe', reason: 'restored from backup', breaks });
}

describe('breaks that a person answers for', () => {
  const brokenHash = `UPDATE journal_records SET hash = '${'f'.repeat(64)}' WHERE ${inA} AND seq = 4`;

  test('are shown apart from then on, and do not fail the audit', () => {
    const books = openDamaged(brokenHash);
    accept(books);
    const { breaks, accepted } = books.audit();
    expect(breaks).toEqual([]);
    expect(accepted.map(({ at, message }) => `${at}: ${message}`)).toEqual([
      'record 4: The hash of record 4 does not follow from the record before it and its text.',
      'record 5: The hash of record 5 does not follow from the record before it and its text.',
    ]);
  });

  test('are named in the journal, with who and why, in the chain like every record', () => {
    const books = openDamaged(brokenHash);
    accept(books);
    const last = books.records({ facilityUuid: facilityA, after: '6', limit: 10 }).items;
    expect(last).toMatchObject([
      { seq: 7, outcome: 'breaks_accepted', accepted: { actor: 'j.doe', reason: 'restored from backup', breaks: { length: 2 } } },
    ]);
  });

  test('do not cover what is damaged after them', () => {
    const books = openDamaged(`UPDATE ledger_lines SET quantity = '2' WHERE ${inA} AND line = 2`);
    accept(books);
    books.append([scanAt(60_000, { scan_uuid: 'later' })]);
    expect(books.audit()).toMatchObject({ breaks: [], accepted: [{ at: 'record 3' }] });
  });

  test('are new ones when the same row is changed again', () => {
    const books = openDamaged(`UPDATE ledger_lines SET quantity = '2' WHERE ${inA} AND line = 2`);
    accept(books);
    const database = new Database(books.path);
    database.exec(`UPDATE ledger_lines SET quantity = '3' WHERE ${inA} AND line = 2`);
    database.close();
    expect(books.audit()).toMatchObject({ breaks: [{ message: 'Line 2 is not what its record 3 says.' }], accepted: [] });
  });

  test('let a facility go on whose last record is gone', () => {
    const books = openDamaged(
      `DELETE FROM journal_records WHERE ${inA} AND seq = 6; DELETE FROM ledger_lines WHERE ${inA} AND line = 4`,
    );
    expect(books.audit().breaks.map(namedBreak)).toEqual([
      `head: The head of ${facilityA} is not where its book and journal end.`,
    ]);
    accept(books);
    expect(books.append([scanAt(0, { lot_number: 'L4' })])).toMatchObject([{ outcome: 'committed', entry: { line: 4 } }]);
    expect(books.audit().breaks).toEqual([]);
  });
});

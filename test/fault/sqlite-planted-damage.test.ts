import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { facilityA, scanAt } from '../../src/testing/wire-scans.ts';
import { breaksAfter, copy, inA, lineColumns } from './sqlite-damage.ts';
import { openBooks } from './sqlite-folder.ts';

describe('the audit names what was done to the file, and only that', () => {
  test('a quantity in a line', () => {
    expect(breaksAfter(`UPDATE ledger_lines SET quantity = '2' WHERE ${inA} AND line = 2`)).toEqual([
      'A, record 3: Line 2 is not what its record 3 says.',
    ]);
  });

  test.each([
    ['window', 'window_ms = 1000'],
    ['claim key', "claim_key = 'scan:idem:0'"],
    ['time', 'occurred_at = occurred_at + 1'],
    ['actor', "actor = 'nobody'"],
    ['delta', "delta = '1'"],
  ])('the %s of a line', (_what, change) => {
    expect(breaksAfter(`UPDATE ledger_lines SET ${change} WHERE ${inA} AND line = 3`)).toEqual([
      'A, record 4: Line 3 is not what its record 4 says.',
    ]);
  });

  test('the text of a record', () => {
    const change = `UPDATE journal_records SET record = replace(record, '"lot_number":"L3"', '"lot_number":"L9"') WHERE ${inA} AND seq = 4`;
    expect(breaksAfter(change)).toEqual([
      'A, record 4: The hash of record 4 does not follow from the record before it and its text.',
      'A, record 4: Line 3 is not what its record 4 says.',
    ]);
  });

  test('a text that is no record at all', () => {
    expect(breaksAfter(`UPDATE journal_records SET record = 'x' WHERE ${inA} AND seq = 4`)).toEqual([
      'A, record 4: The hash of record 4 does not follow from the record before it and its text.',
      'A, record 4: The text of record 4 is not a record.',
    ]);
  });

  test('a text that is a record of another shape', () => {
    const breaks = breaksAfter(
      `UPDATE journal_records SET record = '{"outcome":"committed","entry":7}' WHERE ${inA} AND seq = 4`,
    );
    expect(breaks[0]).toBe('A, record 4: The hash of record 4 does not follow from the record before it and its text.');
    expect(breaks[1]).toBe('A, record 4: The columns of record 4 are not what its text says.');
    expect(breaks.every((one) => one.startsWith('A, record 4: '))).toBe(true);
  });

  test('a hash, which its own record and the next disown', () => {
    expect(breaksAfter(`UPDATE journal_records SET hash = '${'f'.repeat(64)}' WHERE ${inA} AND seq = 4`)).toEqual([
      'A, record 4: The hash of record 4 does not follow from the record before it and its text.',
      'A, record 5: The hash of record 5 does not follow from the record before it and its text.',
    ]);
  });

  test('a column of a record', () => {
    expect(breaksAfter(`UPDATE journal_records SET outcome = 'conflict' WHERE ${inA} AND seq = 2`)).toEqual([
      'A, record 2: The columns of record 2 are not what its text says.',
    ]);
  });

  test('a record that is gone, and the line that has none now', () => {
    expect(breaksAfter(`DELETE FROM journal_records WHERE ${inA} AND seq = 3`)).toEqual([
      'A, record 4: Record 4 follows record 2: numbers are missing.',
      'A, record 4: The hash of record 4 does not follow from the record before it and its text.',
      'A, line 2: Line 2 has no committed record.',
    ]);
  });

  test('a line that is gone', () => {
    expect(breaksAfter(`DELETE FROM ledger_lines WHERE ${inA} AND line = 2`)).toEqual([
      'A, record 3: Record 3 is committed, and has no line.',
      'A, line 3: Line 3 follows line 1: numbers are missing.',
    ]);
  });

  test('a line that is gone, and what was suppressed by it', () => {
    expect(breaksAfter(`DELETE FROM ledger_lines WHERE ${inA} AND line = 1`)).toEqual([
      'A, record 1: Record 1 is committed, and has no line.',
      'A, record 1: The scan id of record 1 is not bound to it.',
      'A, record 2: Record 2 is suppressed for a line that does not exist.',
      'A, record 2: The scan id of record 2 is not bound to it.',
      'A, line 2: Line 2 follows line 0: numbers are missing.',
    ]);
  });

  test('the last record, which no later record misses', () => {
    expect(breaksAfter(`DELETE FROM journal_records WHERE ${inA} AND seq = 6`)).toEqual([
      'A, line 4: Line 4 has no committed record.',
      'A, head: The head of A is not where its book and journal end.',
    ]);
  });

  test('the last record with its line', () => {
    const breaks = breaksAfter(
      `DELETE FROM journal_records WHERE ${inA} AND seq = 6; DELETE FROM ledger_lines WHERE ${inA} AND line = 4`,
    );
    expect(breaks).toEqual(['A, head: The head of A is not where its book and journal end.']);
  });

  test('a line that was put at the end', () => {
    const columns = { line: '5', entry_id: "'fake'", occurred_at: 'occurred_at + 9000' };
    expect(breaksAfter(copy('ledger_lines', 'line = 4', columns, lineColumns))).toEqual([
      'A, line 5: Line 5 has no committed record.',
      'A, head: The head of A is not where its book and journal end.',
    ]);
  });

  test('a line that was put within the window of another', () => {
    const columns = { line: '5', entry_id: "'fake'", occurred_at: 'occurred_at + 2999' };
    expect(breaksAfter(copy('ledger_lines', 'line = 4', columns, lineColumns))).toContain(
      'A, line 4: Lines 4 and 5 have one content and lie within one window.',
    );
  });

  test('a record that was put at the end', () => {
    const columns = { seq: '7', hash: `'${'f'.repeat(64)}'` };
    const all = ['facility_uuid', 'seq', 'outcome', 'scan_uuid', 'entry_id', 'record', 'hash'];
    expect(breaksAfter(copy('journal_records', 'seq = 2', columns, all))).toEqual([
      'A, record 7: The hash of record 7 does not follow from the record before it and its text.',
      'A, record 7: The columns of record 7 are not what its text says.',
      'A, head: The head of A is not where its book and journal end.',
      'A, scan ids: Of suppressed scan ids, 1 fewer are kept than the records name.',
    ]);
  });

  test.each([
    ['moved on', 'last_seq = last_seq + 1'],
    ['moved back', 'last_line = last_line - 1'],
    ['given another hash', `head_hash = '${'f'.repeat(64)}'`],
  ])('a head that was %s', (_how, change) => {
    expect(breaksAfter(`UPDATE facilities SET ${change} WHERE ${inA}`)).toEqual([
      'A, head: The head of A is not where its book and journal end.',
    ]);
  });

  test('a head that is gone, and one of a facility that does not exist', () => {
    expect(breaksAfter(`DELETE FROM facilities WHERE ${inA}`)).toEqual([
      'A, head: The head of A is not where its book and journal end.',
    ]);
    expect(breaksAfter("INSERT INTO facilities VALUES ('X', 1, 1, '')")).toEqual([
      'X, head: The head of X is not where its book and journal end.',
    ]);
  });

  test('bytes in quarantine', () => {
    expect(breaksAfter("UPDATE quarantine SET raw = X'00'")).toEqual([
      'A, record 5: What was rejected in record 5 was changed in quarantine.',
    ]);
  });

  test('quarantine that is gone', () => {
    expect(breaksAfter('DELETE FROM quarantine')).toEqual([
      'A, record 5: What was rejected in record 5 is not in quarantine.',
      'A, quarantine: Of what was rejected, 1 fewer are in quarantine than the records name.',
    ]);
  });

  test('something in quarantine that was never received', () => {
    const planted = "INSERT INTO quarantine (id, facility_uuid, journal_seq, raw) VALUES ('q', 'X', 1, X'00')";
    expect(breaksAfter(planted)).toEqual([
      'X, head: The head of X is not where its book and journal end.',
      'X, quarantine: Of what was rejected, 1 more are in quarantine than the records name.',
    ]);
  });

  test('two records that changed places', () => {
    const swap = `
      UPDATE journal_records SET seq = seq + 100 WHERE ${inA} AND seq IN (3, 4);
      UPDATE journal_records SET seq = CASE seq WHEN 103 THEN 4 ELSE 3 END WHERE ${inA} AND seq IN (103, 104)`;
    expect(breaksAfter(swap)).toEqual([
      'A, record 3: The hash of record 3 does not follow from the record before it and its text.',
      'A, record 3: The columns of record 3 are not what its text says.',
      'A, record 4: The hash of record 4 does not follow from the record before it and its text.',
      'A, record 4: The columns of record 4 are not what its text says.',
      'A, record 5: The hash of record 5 does not follow from the record before it and its text.',
      'A, line 2: Line 2 has no committed record.',
      'A, line 3: Line 3 has no committed record.',
    ]);
  });

  test('a scan id that was set free', () => {
    expect(breaksAfter('DELETE FROM suppressed_scan_ids')).toEqual([
      'A, record 2: The scan id of record 2 is not bound to it.',
      'A, scan ids: Of suppressed scan ids, 1 fewer are kept than the records name.',
    ]);
  });

  test('a scan id that was bound to another fingerprint', () => {
    expect(breaksAfter("UPDATE suppressed_scan_ids SET fingerprint = 'f'")).toEqual([
      'A, record 2: The scan id of record 2 is not bound to it.',
    ]);
  });

  test('a scan id that nobody sent', () => {
    const planted = `INSERT INTO suppressed_scan_ids SELECT 'C', scanner_id, facility_uuid, fingerprint, entry_id, 1 FROM suppressed_scan_ids`;
    expect(breaksAfter(planted)).toEqual(['A, scan ids: Of suppressed scan ids, 1 more are kept than the records name.']);
  });
});

test('every break is reported, in whichever facility, and what lies behind it is still checked', () => {
  const breaks = breaksAfter(`
    UPDATE ledger_lines SET quantity = '2' WHERE line = 1;
    DELETE FROM ledger_lines WHERE ${inA} AND line = 3;
    UPDATE quarantine SET raw = X'00';
    UPDATE ledger_lines SET lot_number = 'L9' WHERE ${inA} AND line = 4`);
  expect(breaks).toEqual([
    'A, record 1: Line 1 is not what its record 1 says.',
    'A, record 4: Record 4 is committed, and has no line.',
    'A, record 5: What was rejected in record 5 was changed in quarantine.',
    'A, record 6: Line 4 is not what its record 6 says.',
    'A, line 4: Line 4 follows line 2: numbers are missing.',
    'B, record 1: Line 1 is not what its record 1 says.',
  ]);
});

test('damage near the end of twenty thousand records is found', () => {
  const books = openBooks();
  for (let from = 0; from < 20_000; from += 1_000) {
    books.append(Array.from({ length: 1_000 }, (_, index) => scanAt((from + index) * 3_000)));
  }
  const database = new Database(books.path);
  database.exec("DROP TRIGGER ledger_lines_update; UPDATE ledger_lines SET quantity = '2' WHERE line = 19990");
  database.close();
  const report = books.audit();
  expect(report.facilities).toMatchObject([{ facility_uuid: facilityA, records: 20_000, lines: 20_000 }]);
  expect(report.breaks).toMatchObject([
    { facility_uuid: facilityA, at: 'record 19990', message: 'Line 19990 is not what its record 19990 says.' },
  ]);
});

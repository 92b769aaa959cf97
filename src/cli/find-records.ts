import { ScanGateError } from '../base/errors.ts';
import type { JournalRecord } from '../ledger/journal-record.ts';
import type { SqliteBooks } from '../ledger/sqlite-books.ts';
import { quoted } from '../scan/rejection.ts';

/**
 * Everything that the journal has of what a name stands for: a claim key, an entry id, `facility/line`, or a scan id.
 *
 * @throws ScanGateError `SG_NOT_FOUND`.
 */
export function findRecords(books: SqliteBooks, name: string): readonly JournalRecord[] {
  const records = [ofPick, ofEntry, ofLine, ofScanId].map((find) => find(books, name)).find((found) => found.length > 0);
  if (records !== undefined) return records;
  throw new ScanGateError('SG_NOT_FOUND', `The ledger knows no claim key, scan id, entry id or facility/line ${quoted(name)}.`);
}

function ofPick(books: SqliteBooks, name: string): readonly JournalRecord[] {
  return books.recordsOfPick(name);
}

function ofEntry(books: SqliteBooks, name: string): readonly JournalRecord[] {
  const line = books.line(name);
  return line === undefined ? [] : books.recordsOfPick(line.claim_key);
}

function ofLine(books: SqliteBooks, name: string): readonly JournalRecord[] {
  const [, facilityUuid, line] = /^(.+)\/(\d{1,15})$/.exec(name) ?? [];
  if (facilityUuid === undefined) return [];
  const [found] = books.lines({ facilityUuid, after: String(Number(line) - 1), limit: 1 }).items;
  return found?.line === Number(line) ? books.recordsOfPick(found.claim_key) : [];
}

function ofScanId(books: SqliteBooks, name: string): readonly JournalRecord[] {
  return books.recordsOfScanId(name);
}

import type { JournalRecord } from '../ledger/journal-record.ts';
import type { Ledger, LedgerReader } from '../ledger/ledger.ts';
import type { LedgerLine } from '../ledger/ledger-line.ts';

/** Two ledgers over the same books, as two processes share a database. */
export interface LedgerPair {
  readonly first: Ledger;
  readonly second: Ledger;
  close(): Promise<void>;
}

/** More than any suite writes. */
const everything = 10_000;

export async function allLines(ledger: LedgerReader, facilityUuid?: string): Promise<readonly LedgerLine[]> {
  return (await ledger.lines({ limit: everything, ...(facilityUuid !== undefined && { facilityUuid }) })).items;
}

export async function allRecords(ledger: LedgerReader, facilityUuid?: string): Promise<readonly JournalRecord[]> {
  return (await ledger.records({ limit: everything, ...(facilityUuid !== undefined && { facilityUuid }) })).items;
}

import { canonicalJson } from '../base/canonical-json.ts';
import type { Head } from './book-state.ts';
import { chainHash } from './hash-chain.ts';
import type { JournalRecord } from './journal-record.ts';

export interface ChainedRecord {
  readonly record: JournalRecord;
  /** Canonical JSON of the record, as it is hashed and stored. */
  readonly json: string;
  readonly hash: string;
}

export type RecordBody = Omit<JournalRecord, 'v' | 'facility_uuid' | 'seq' | 'decided_at'>;

/** The next record of a facility's journal, and where the journal ends with it. */
export function chainRecord(
  head: Head,
  facilityUuid: string,
  decidedAt: number,
  body: RecordBody,
): { readonly chained: ChainedRecord; readonly head: Head } {
  const record: JournalRecord = { v: 1, facility_uuid: facilityUuid, seq: head.lastSeq + 1, decided_at: decidedAt, ...body };
  const json = canonicalJson(record);
  const hash = chainHash(head.hash, json);
  return { chained: { record, json, hash }, head: { ...head, lastSeq: record.seq, hash } };
}

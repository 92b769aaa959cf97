/** Rows of the books as every SQL store keeps them, and what they stand for. Names are those of the columns. */
import { emptyHead, type Head, type KnownLine } from './book-state.ts';
import type { ChainedRecord } from './chain-record.ts';
import type { JournalRecord } from './journal-record.ts';
import type { PageQuery } from './ledger.ts';
import type { QuarantineEntry } from './quarantine-entry.ts';

export interface HeadRow {
  readonly facility_uuid: string;
  readonly last_line: number;
  readonly last_seq: number;
  readonly head_hash: string;
}

export interface RecordRow {
  readonly facility_uuid: string;
  readonly seq: number;
  readonly outcome: string;
  readonly scan_uuid: string | null;
  readonly entry_id: string | null;
  readonly record: string;
  readonly hash: string;
}

export interface KnownLineRow {
  readonly facility_uuid: string;
  readonly entry_id: string;
  readonly line: number;
  readonly claim_key: string;
  readonly occurred_at: number;
  readonly window_ms: number;
  readonly scan_uuid: string | null;
}

/** What a scan id means: a line, and what was said under it first. */
export interface ScanIdRow extends KnownLineRow {
  readonly fingerprint: string;
  readonly journal_seq: number;
}

export interface Positioned {
  readonly position: number;
}

export interface QuarantineRow extends Positioned {
  readonly id: string;
  readonly record: string;
  readonly resolution: string | null;
}

export function headOf(row: Omit<HeadRow, 'facility_uuid'> | undefined): Head {
  return row === undefined ? emptyHead : { lastLine: row.last_line, lastSeq: row.last_seq, hash: row.head_hash };
}

export function headRow(facilityUuid: string, { lastLine, lastSeq, hash }: Head): HeadRow {
  return { facility_uuid: facilityUuid, last_line: lastLine, last_seq: lastSeq, head_hash: hash };
}

/** The columns beside the text of a record. The audit compares with what this gives. */
export function recordColumns({ seq, outcome, scan, rejection, entry, of }: JournalRecord) {
  return {
    seq,
    outcome,
    scan_uuid: scan?.scan_uuid ?? rejection?.scan_uuid ?? null,
    entry_id: entry?.id ?? of?.id ?? null,
  };
}

export function recordRow({ record, json, hash }: ChainedRecord): RecordRow {
  return { facility_uuid: record.facility_uuid, ...recordColumns(record), record: json, hash };
}

export function knownLine(row: KnownLineRow): KnownLine {
  return {
    entry: { id: row.entry_id, facility_uuid: row.facility_uuid, line: row.line },
    claimKey: row.claim_key,
    occurredAt: row.occurred_at,
    windowMs: row.window_ms,
    ...(row.scan_uuid !== null && { scanId: row.scan_uuid }),
  };
}

export function parseRecord(json: unknown): JournalRecord {
  return JSON.parse(String(json)) as JournalRecord;
}

export function quarantineEntryOf({ id, record, resolution }: QuarantineRow): QuarantineEntry {
  return { id, record: parseRecord(record), ...(resolution !== null && { resolution: parseRecord(resolution) }) };
}

/** Where a page ends: where it began, when there was nothing new. */
export function nextCursor(rows: readonly Positioned[], { after = '0' }: Pick<PageQuery, 'after'>): string {
  return String(rows.at(-1)?.position ?? after);
}

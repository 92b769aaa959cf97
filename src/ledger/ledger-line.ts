import { bookOf, type DeaSchedule } from '../scan/dea-schedule.ts';
import type { Listing } from '../scan/listing.ts';
import { signedDelta } from '../scan/scan-type.ts';
import type { JournalRecord } from './journal-record.ts';

/** One movement in the legal book. Append-only. Names are those of the wire and of the database. */
export interface LedgerLine {
  readonly facility_uuid: string;
  /** Dense from 1 in each facility. */
  readonly line: number;
  readonly entry_id: string;
  readonly scanner_id: string;
  readonly scan_uuid: string | null;
  readonly identity: string;
  readonly fingerprint: string;
  readonly claim_key: string;
  readonly occurred_at: number;
  readonly received_at: number;
  /** W in force when it was committed. */
  readonly window_ms: number;
  readonly ndc11: string | null;
  readonly ndc12: string | null;
  readonly gtin14: string | null;
  readonly product_name: string | null;
  readonly package_form: string | null;
  readonly units_per_container: string | null;
  readonly lot_number: string | null;
  readonly serial_number: string | null;
  readonly expiration_date: string | null;
  readonly quantity: string;
  readonly unit: string;
  readonly scan_type: string;
  readonly direction: string | null;
  /** What it adds to the stock, signed decimal text. */
  readonly delta: string;
  readonly dea_schedule: DeaSchedule;
  readonly book: string;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly actor: string | null;
  /** Entry id of the line that this one takes back. */
  readonly reverses: string | null;
  readonly journal_seq: number;
}

/**
 * The line that a committed journal record stands for. The ledger writes what this gives, and `verify` compares with it: the
 * hash of the record thereby covers the line.
 */
export function lineOf(record: JournalRecord): LedgerLine {
  const { scan, entry, identity, fingerprint, claim_key, window_ms } = record as CommittedRecord;
  const listing: Partial<Listing> = record.listing ?? {};
  const ndc = scan.ndc ?? listing.ndc11;
  const schedule = listing.dea_schedule ?? 'unknown';
  return {
    facility_uuid: record.facility_uuid,
    line: entry.line,
    entry_id: entry.id,
    scanner_id: scan.scanner_id,
    scan_uuid: orNull(scan.scan_uuid),
    identity,
    fingerprint,
    claim_key,
    occurred_at: scan.occurred_at,
    received_at: scan.received_at,
    window_ms,
    ndc11: ndc?.length === 11 ? ndc : null,
    ndc12: ndc?.padStart(12, '0') ?? null,
    gtin14: orNull(scan.gtin),
    product_name: orNull(listing.product_name),
    package_form: orNull(listing.package_form),
    units_per_container: orNull(listing.units_per_container),
    lot_number: orNull(scan.lot_number),
    serial_number: orNull(scan.serial_number),
    expiration_date: orNull(scan.expiration_date),
    quantity: scan.quantity,
    unit: scan.unit,
    scan_type: scan.scan_type,
    direction: orNull(scan.direction),
    delta: signedDelta(scan.scan_type, scan.quantity, scan.direction),
    dea_schedule: schedule,
    book: bookOf(schedule),
    reference: orNull(scan.reference),
    reason: orNull(scan.reason),
    actor: orNull(scan.actor),
    reverses: null,
    journal_seq: record.seq,
  };
}

/** What every record of the outcome `committed` has. */
type CommittedRecord = JournalRecord &
  Required<Pick<JournalRecord, 'scan' | 'entry' | 'identity' | 'fingerprint' | 'claim_key' | 'window_ms'>>;

function orNull<T>(value: T | undefined): T | null {
  return value ?? null;
}

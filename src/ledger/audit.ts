/**
 * Recomputes a whole ledger: every hash, every number, every line from the record that committed it, every reference.
 *
 * In: stored rows, in order. Out: what does not hold, in the order in which it is met. It trusts nothing but the rows, and changes none.
 * The rules are in `facility-audit.ts`, and are the same for every store: one that answers at once is read by `audit`, one that answers
 * later gives its rows in pages, each with what it refers to.
 */
import { acceptedName, FacilityAudit, type Kept, readRecord } from './facility-audit.ts';
import type { LedgerLine } from './ledger-line.ts';
import type { HeadRow, RecordRow, ScanIdRow } from './stored-rows.ts';

export type StoredHead = HeadRow;
export type StoredRecord = Omit<RecordRow, 'facility_uuid'>;
/** What a scan id is bound to. */
export type StoredScanId = Pick<ScanIdRow, 'fingerprint' | 'journal_seq'>;

/** Where the record stands that released or discarded an input. */
export interface StoredResolution {
  readonly facility_uuid: string;
  readonly journal_seq: number;
}

/** What the rows of a facility refer to. */
export interface AuditLookups {
  record(facilityUuid: string, seq: number): Pick<StoredRecord, 'outcome' | 'entry_id'> | undefined;
  line(entryId: string): LedgerLine | undefined;
  scanId(facilityUuid: string, scannerId: string, scanId: string): StoredScanId | undefined;
  /** SHA-256 of the bytes that are in quarantine under an id. */
  quarantinedSha256(id: string): string | undefined;
  resolution(quarantineId: string): StoredResolution | undefined;
}

/** What is kept beside book and journal. */
export interface AuditCounts {
  /** By facility, how many scan ids are bound to a line of another id, or of none. */
  suppressedScanIdCounts(): ReadonlyMap<string, number>;
  /** By facility, how many inputs are in quarantine. */
  quarantinedCounts(): ReadonlyMap<string, number>;
  /** By facility, how many inputs its records released or discarded. */
  resolutionCounts(): ReadonlyMap<string, number>;
}

/** Two lines of one content whose windows overlap. */
export interface Overlap {
  readonly facility_uuid: string;
  readonly line: number;
  readonly next_line: number;
}

/** Rows of a store that answers at once. */
export interface AuditSource extends AuditLookups, AuditCounts {
  /** Every facility that anything is kept of. */
  facilities(): readonly string[];
  head(facilityUuid: string): StoredHead | undefined;
  records(facilityUuid: string): Iterable<StoredRecord>;
  lines(facilityUuid: string): Iterable<LedgerLine>;
  overlaps(): Iterable<Overlap>;
}

export interface Break {
  readonly facility_uuid: string;
  /** Journal sequence number, or line number where there is no record. */
  readonly at: string;
  readonly message: string;
  /** First half of the SHA-256 of the row that was found: another change of it is another break. */
  readonly found?: string;
}

export interface AuditedFacility {
  readonly facility_uuid: string;
  readonly records: number;
  readonly lines: number;
  /** The hash of the last record: written down elsewhere, it proves later that nothing before it was changed. */
  readonly head_hash: string;
}

export interface AuditReport {
  readonly facilities: readonly AuditedFacility[];
  readonly breaks: readonly Break[];
  /** Breaks that a person has answered for, in a record of the journal. */
  readonly accepted: readonly Break[];
}

/** A break in one line, as it is shown and as it is accepted. */
export function namedBreak({ at, message, found }: Break): string {
  return `${at}: ${message}${found === undefined ? '' : ` Found ${found}.`}`;
}

export function audit(source: AuditSource): AuditReport {
  const whole = new Audit(source);
  for (const facilityUuid of source.facilities()) {
    const facility = whole.facility(facilityUuid, source);
    for (const stored of source.records(facilityUuid)) facility.record(readRecord(stored));
    for (const line of source.lines(facilityUuid)) facility.line(line);
    whole.end(facility.end(source.head(facilityUuid)));
  }
  return whole.report(source.overlaps());
}

/** An audit under way, for who gives the rows. */
export class Audit {
  readonly #kept: Kept;
  readonly #breaks: Break[] = [];
  readonly #facilities: AuditedFacility[] = [];

  constructor(counts: AuditCounts) {
    this.#kept = {
      accepted: new Set(),
      suppressedScanIds: counts.suppressedScanIdCounts(),
      quarantined: counts.quarantinedCounts(),
      resolved: counts.resolutionCounts(),
    };
  }

  facility(facilityUuid: string, lookups: AuditLookups): FacilityAudit {
    return new FacilityAudit(lookups, facilityUuid, this.#kept, this.#breaks);
  }

  end(audited: AuditedFacility): void {
    this.#facilities.push(audited);
  }

  report(overlaps: Iterable<Overlap>): AuditReport {
    const { accepted } = this.#kept;
    for (const { facility_uuid, line, next_line } of overlaps) {
      this.#breaks.push({
        facility_uuid,
        at: `line ${line}`,
        message: `Lines ${line} and ${next_line} have one content and lie within one window.`,
      });
    }
    const isAccepted = (found: Break): boolean => accepted.has(acceptedName(found.facility_uuid, namedBreak(found)));
    return {
      facilities: this.#facilities,
      breaks: this.#breaks.filter((found) => !isAccepted(found)),
      accepted: this.#breaks.filter(isAccepted),
    };
  }
}

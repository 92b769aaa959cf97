/**
 * Recomputes book and journal of one facility, row by row.
 *
 * A break neither hides what follows it nor repeats itself there: each record is checked against the stored hash before it, and finds its
 * line by the entry id, as each line finds its record by the number.
 */

import { canonicalJson } from '../base/canonical-json.ts';
import { sha256Hex } from '../base/digest.ts';
import { messageOf } from '../base/message-of.ts';
import type { AuditedFacility, AuditLookups, Break, StoredHead, StoredRecord } from './audit.ts';
import { chainHash, genesisHash } from './hash-chain.ts';
import { type JournalRecord, resolvedBy } from './journal-record.ts';
import { type LedgerLine, lineOf } from './ledger-line.ts';
import { recordColumns } from './stored-rows.ts';

/** A record as it is stored, and what its text says, if that is a record at all. */
export interface ReadRecord {
  readonly stored: StoredRecord;
  readonly record: JournalRecord | undefined;
}

export function readRecord(stored: StoredRecord): ReadRecord {
  return { stored, record: parseRecord(stored.record) };
}

export function acceptedName(facilityUuid: string, named: string): string {
  return `${facilityUuid}, ${named}`;
}

/** What is kept beside book and journal, counted by facility, and what was accepted. */
export interface Kept {
  readonly accepted: Set<string>;
  readonly suppressedScanIds: ReadonlyMap<string, number>;
  readonly quarantined: ReadonlyMap<string, number>;
  readonly resolved: ReadonlyMap<string, number>;
}

/** Rows are given in their order: every record, then every line, then the head. */
export class FacilityAudit {
  readonly #lookups: AuditLookups;
  readonly #facility: string;
  readonly #kept: Kept;
  readonly #breaks: Break[];
  #lineCount = 0;
  #lastLine = 0;
  #recordCount = 0;
  #lastSeq = 0;
  #lastHash = genesisHash;
  #suppressedScanIds = 0;
  #quarantined = 0;
  #resolved = 0;

  constructor(lookups: AuditLookups, facility: string, kept: Kept, breaks: Break[]) {
    this.#lookups = lookups;
    this.#facility = facility;
    this.#kept = kept;
    this.#breaks = breaks;
  }

  record({ stored, record }: ReadRecord): void {
    const at = `record ${stored.seq}`;
    this.#recordCount += 1;
    if (stored.seq !== this.#lastSeq + 1)
      this.#report(at, `Record ${stored.seq} follows record ${this.#lastSeq}: numbers are missing.`);
    if (chainHash(this.#lastHash, stored.record) !== stored.hash) {
      this.#report(at, `The hash of record ${stored.seq} does not follow from the record before it and its text.`, stored);
    }
    this.#lastSeq = stored.seq;
    this.#lastHash = stored.hash;
    if (record === undefined) this.#report(at, `The text of record ${stored.seq} is not a record.`, stored);
    else this.#tryContents(at, stored, record);
  }

  /** A damaged record can be of any shape. */
  #tryContents(at: string, stored: StoredRecord, record: JournalRecord): void {
    try {
      this.#checkContents(at, stored, record);
    } catch (error) {
      this.#report(at, `Record ${stored.seq} cannot be checked: ${messageOf(error)}.`, stored);
    }
  }

  #checkContents(at: string, stored: StoredRecord, record: JournalRecord): void {
    const { record: _, hash: __, ...columns } = stored;
    if (record.facility_uuid !== this.#facility || !areAlike(columns, recordColumns(record))) {
      this.#report(at, `The columns of record ${stored.seq} are not what its text says.`, stored);
    }
    if (record.outcome === 'breaks_accepted') this.#accept(record);
    else if (record.outcome === 'committed') this.#checkCommitted(at, record);
    else if (record.outcome === 'rejected') this.#checkQuarantine(at, record);
    else if (record.outcome !== 'discarded') this.#checkReference(at, record);
    this.#checkScanId(at, record);
    this.#checkResolution(at, record);
  }

  #accept({ accepted }: JournalRecord): void {
    for (const named of accepted?.breaks ?? []) this.#kept.accepted.add(acceptedName(this.#facility, named));
  }

  #checkCommitted(at: string, record: JournalRecord): void {
    const line = record.entry === undefined ? undefined : this.#lookups.line(record.entry.id);
    if (line === undefined) this.#report(at, `Record ${record.seq} is committed, and has no line.`);
    else if (!areAlike(line, lineOf(record))) {
      this.#report(at, `Line ${line.line} is not what its record ${record.seq} says.`, line);
    }
  }

  line({ line, entry_id, journal_seq }: LedgerLine): void {
    const at = `line ${line}`;
    this.#lineCount += 1;
    if (line !== this.#lastLine + 1) this.#report(at, `Line ${line} follows line ${this.#lastLine}: numbers are missing.`);
    this.#lastLine = line;
    const record = this.#lookups.record(this.#facility, journal_seq);
    if (record?.outcome !== 'committed' || record.entry_id !== entry_id) {
      this.#report(at, `Line ${line} has no committed record.`);
    }
  }

  #checkReference(at: string, record: JournalRecord): void {
    const of = record.of === undefined ? undefined : this.#lookups.line(record.of.id);
    if (of === undefined || of.line !== record.of?.line || of.facility_uuid !== record.of.facility_uuid) {
      this.#report(at, `Record ${record.seq} is ${record.outcome} for a line that does not exist.`);
    } else if (of.claim_key !== record.claim_key) {
      this.#report(at, `Record ${record.seq} names another pick than the line it refers to.`);
    }
  }

  #checkQuarantine(at: string, record: JournalRecord): void {
    const { rejection } = record;
    this.#quarantined += 1;
    const raw = rejection === undefined ? undefined : this.#lookups.quarantinedSha256(rejection.quarantine_id);
    if (raw === undefined) this.#report(at, `What was rejected in record ${record.seq} is not in quarantine.`);
    else if (raw !== rejection?.raw_sha256)
      this.#report(at, `What was rejected in record ${record.seq} was changed in quarantine.`, { raw });
  }

  #checkScanId(at: string, { outcome, reason, scan, seq, fingerprint }: JournalRecord): void {
    const binds = outcome === 'committed' || reason === 'same_content';
    if (!binds || scan?.scan_uuid === undefined) return;
    if (reason === 'same_content') this.#suppressedScanIds += 1;
    const bound = this.#lookups.scanId(this.#facility, scan.scanner_id, scan.scan_uuid);
    if (bound?.journal_seq !== seq || bound.fingerprint !== fingerprint) {
      this.#report(at, `The scan id of record ${seq} is not bound to it.`);
    }
  }

  #checkResolution(at: string, record: JournalRecord): void {
    const id = resolvedBy(record);
    if (id === undefined) return;
    this.#resolved += 1;
    const stored = this.#lookups.resolution(id);
    if (stored?.facility_uuid !== this.#facility || stored.journal_seq !== record.seq) {
      this.#report(at, `What record ${record.seq} took out of quarantine is not marked as taken out by it.`);
    }
  }

  /** @param head as it is stored, if it is. */
  end(head: StoredHead | undefined): AuditedFacility {
    this.#checkHead(head);
    this.#checkCounts();
    return { facility_uuid: this.#facility, records: this.#recordCount, lines: this.#lineCount, head_hash: this.#lastHash };
  }

  #checkHead(head: StoredHead | undefined): void {
    const holds = head?.last_seq === this.#lastSeq && head.head_hash === this.#lastHash && head.last_line === this.#lastLine;
    if (!holds) this.#report('head', `The head of ${this.#facility} is not where its book and journal end.`);
  }

  #checkCounts(): void {
    const { suppressedScanIds, quarantined, resolved } = this.#kept;
    this.#checkCount('scan ids', 'Of suppressed scan ids', 'kept', suppressedScanIds, this.#suppressedScanIds);
    this.#checkCount('quarantine', 'Of what was rejected', 'in quarantine', quarantined, this.#quarantined);
    this.#checkCount('quarantine', 'Of what was in quarantine', 'marked as taken out', resolved, this.#resolved);
  }

  /** Says the same however much is added on both sides. */
  #checkCount(at: string, what: string, where: string, counts: ReadonlyMap<string, number>, named: number): void {
    const kept = counts.get(this.#facility) ?? 0;
    if (kept === named) return;
    const difference = kept > named ? `${kept - named} more are` : `${named - kept} fewer are`;
    this.#report(at, `${what}, ${difference} ${where} than the records name.`);
  }

  /** @param row what was found there. */
  #report(at: string, message: string, row?: object): void {
    const found = row === undefined ? {} : { found: sha256Hex(canonicalJson(row)).slice(0, 32) };
    this.#breaks.push({ facility_uuid: this.#facility, at, message, ...found });
  }
}

/** Whether two rows say the same. Nearly all do in every column, which is seen much sooner than their JSON is made. */
function areAlike(a: object, b: object): boolean {
  const others: Readonly<Record<string, unknown>> = { ...b };
  const columns = Object.entries(a);
  const areSame = columns.length === Object.keys(others).length && columns.every(([name, value]) => others[name] === value);
  return areSame || canonicalJson(a) === canonicalJson(b);
}

function parseRecord(json: string): JournalRecord | undefined {
  try {
    const record: unknown = JSON.parse(json);
    return typeof record === 'object' && record !== null && 'outcome' in record ? (record as JournalRecord) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * From a batch to what has to be written for it. Pure: every ledger reads its books into a `BookState`, plans, and writes.
 *
 * In: the books as they are inside the transaction, and transmissions in order. Out: lines, records, heads and one decision for
 * each transmission. Later scans of the batch see what earlier ones decided.
 */
import { sha256Hex } from '../base/digest.ts';
import type { IdSource } from '../base/ids.ts';
import { type Movement, movementOf } from '../identity/movement.ts';
import { recordedScan } from '../scan/recorded-scan.ts';
import { unreadableFacility } from '../scan/scan.ts';
import { BatchState, type BookState, type Head, type KnownLine, type KnownScanId } from './book-state.ts';
import { type ChainedRecord, chainRecord, type RecordBody } from './chain-record.ts';
import { decide, type Ruling } from './decide.ts';
import { type JournalRecord, type RecordedRejection, type Resolves, resolvedBy } from './journal-record.ts';
import type { Decision, RejectedTransmission, ScanTransmission, Transmission } from './ledger.ts';
import { type LedgerLine, lineOf } from './ledger-line.ts';

export interface Plan {
  readonly decisions: Decision[];
  readonly lines: LedgerLine[];
  readonly records: ChainedRecord[];
  readonly suppressedScanIds: SuppressedScanId[];
  readonly quarantined: QuarantinedInput[];
  readonly resolved: ResolvedInput[];
  readonly heads: ReadonlyMap<string, Head>;
  readonly scanners: ScannerSeen[];
}

/** A scan id that was suppressed by content. One that was committed is kept by its line. */
export interface SuppressedScanId {
  readonly facilityUuid: string;
  readonly scannerId: string;
  readonly scanId: string;
  readonly known: KnownScanId & { readonly movement: Movement };
  /** The record that holds the first transmission under this id. */
  readonly journalSeq: number;
}

export interface QuarantinedInput {
  readonly id: string;
  readonly facilityUuid: string;
  readonly journalSeq: number;
  readonly bytes: Uint8Array;
}

/** What is in quarantine no more, and the record that says why. */
export interface ResolvedInput {
  readonly quarantineId: string;
  readonly facilityUuid: string;
  readonly journalSeq: number;
}

export interface ScannerSeen {
  readonly facilityUuid: string;
  readonly scannerId: string;
  readonly occurredAt: number;
}

export function planBatch(books: BookState, batch: readonly Transmission[], decidedAt: number, ids: IdSource): Plan {
  const planner = new Planner(books, decidedAt, ids);
  for (const transmission of batch) {
    if (transmission.kind === 'scan') planner.scan(transmission);
    else planner.rejection(transmission);
  }
  return planner.plan();
}

/** What was rejected is never to become a scan: one record says who decided so. */
export function planDiscard(books: BookState, facilityUuid: string, resolves: Resolves, decidedAt: number, ids: IdSource): Plan {
  const planner = new Planner(books, decidedAt, ids);
  planner.discard(facilityUuid, resolves);
  return planner.plan();
}

class Planner {
  readonly #state: BatchState;
  readonly #decidedAt: number;
  readonly #ids: IdSource;
  readonly #decisions: Decision[] = [];
  readonly #lines: LedgerLine[] = [];
  readonly #records: ChainedRecord[] = [];
  readonly #suppressedScanIds: SuppressedScanId[] = [];
  readonly #quarantined: QuarantinedInput[] = [];
  readonly #resolved: ResolvedInput[] = [];
  readonly #scanners = new Map<string, ScannerSeen>();

  constructor(books: BookState, decidedAt: number, ids: IdSource) {
    this.#state = new BatchState(books);
    this.#decidedAt = decidedAt;
    this.#ids = ids;
  }

  scan(transmission: ScanTransmission): void {
    const ruling = decide(this.#state, transmission);
    if (ruling.kind === 'commit' && transmission.unlisted !== undefined) this.rejection(transmission.unlisted);
    else if (ruling.kind === 'commit') this.#commit(transmission, ruling);
    else if (ruling.kind === 'suppress') this.#suppress(transmission, ruling);
    else this.#conflict(transmission, ruling);
  }

  rejection({ rejection, origin, receivedAt, transport, raw }: RejectedTransmission): void {
    const quarantineId = this.#ids.uuid();
    const recorded: RecordedRejection = {
      ...rejection,
      ...(origin.scannerId !== undefined && { scanner_id: origin.scannerId }),
      ...(origin.scanId !== undefined && { scan_uuid: origin.scanId }),
      received_at: receivedAt,
      quarantine_id: quarantineId,
      raw_sha256: sha256Hex(raw.bytes),
      raw_bytes: raw.bytes.byteLength,
      ...(raw.truncated === true && { truncated: true }),
      ...(raw.redacted === true && { redacted: true }),
    };
    const facilityUuid = origin.facilityUuid ?? unreadableFacility;
    const journalSeq = this.#record(facilityUuid, { outcome: 'rejected', transport, flags: [], rejection: recorded }).seq;
    this.#quarantined.push({ id: quarantineId, facilityUuid, journalSeq, bytes: raw.bytes });
    this.#decisions.push({ outcome: 'rejected', quarantineId, rejection });
  }

  discard(facilityUuid: string, resolves: Resolves): void {
    this.#record(facilityUuid, { outcome: 'discarded', transport: 'quarantine', flags: [], resolves });
  }

  plan(): Plan {
    return {
      decisions: this.#decisions,
      lines: this.#lines,
      records: this.#records,
      suppressedScanIds: this.#suppressedScanIds,
      quarantined: this.#quarantined,
      resolved: this.#resolved,
      heads: this.#state.heads,
      scanners: [...this.#scanners.values()],
    };
  }

  #commit(transmission: ScanTransmission, ruling: Ruling & { kind: 'commit' }): void {
    const { scan, identity, scannerClass } = transmission;
    const head = this.#state.head(scan.facilityUuid);
    const entry = { id: this.#ids.uuid(), facility_uuid: scan.facilityUuid, line: head.lastLine + 1 };
    this.#state.heads.set(scan.facilityUuid, { ...head, lastLine: entry.line });
    const record = this.#scanRecord(transmission, identity.claimKey, {
      outcome: 'committed',
      entry,
      arbiter: 'ledger',
      flags: ruling.flags,
      ...(transmission.listing !== undefined && { listing: transmission.listing }),
    });
    const ledgerLine = lineOf(record);
    this.#lines.push(ledgerLine);
    this.#state.moved(ledgerLine);
    const line: KnownLine = {
      entry,
      claimKey: identity.claimKey,
      occurredAt: scan.occurredAt,
      windowMs: scannerClass.windowMs,
      ...(scan.scanId !== undefined && { scanId: scan.scanId }),
    };
    this.#state.addLine(scan.facilityUuid, identity.content, line);
    this.#remember(transmission, line, record.seq);
    this.#decisions.push({ outcome: 'committed', entry, claimKey: identity.claimKey, flags: ruling.flags });
  }

  #suppress(transmission: ScanTransmission, ruling: Ruling & { kind: 'suppress' }): void {
    const { of, reason, windowMs, flags } = ruling;
    const arbiter = transmission.expectedEntryId === of.entry.id ? 'claim' : 'ledger';
    const body = {
      outcome: 'suppressed',
      of: of.entry,
      arbiter,
      reason,
      gap_ms: ruling.gapMs,
      window_ms: windowMs,
      flags,
    } as const;
    const record = this.#scanRecord(transmission, of.claimKey, body);
    if (reason === 'same_content') this.#remember(transmission, of, record.seq);
    const { entry, claimKey } = of;
    this.#decisions.push({ outcome: 'suppressed', of: entry, claimKey, gapMs: ruling.gapMs, windowMs, arbiter, reason, flags });
  }

  #conflict(transmission: ScanTransmission, ruling: Ruling & { kind: 'conflict' }): void {
    const { of, differs, flags } = ruling;
    this.#scanRecord(transmission, of.claimKey, { outcome: 'conflict', of: of.entry, arbiter: 'ledger', differs, flags });
    this.#decisions.push({ outcome: 'conflict', of: of.entry, claimKey: of.claimKey, differs, flags });
  }

  /** From now on the scan id means this line, and the scanner's clock has come this far. */
  #remember({ scan, identity }: ScanTransmission, line: KnownLine, journalSeq: number): void {
    const { facilityUuid, scannerId, scanId, occurredAt } = scan;
    if (scanId !== undefined) {
      const known = { fingerprint: identity.fingerprint, line, movement: movementOf(recordedScan(scan)) };
      this.#state.addScanId(facilityUuid, scannerId, scanId, known);
      if (line.scanId !== scanId) this.#suppressedScanIds.push({ facilityUuid, scannerId, scanId, known, journalSeq });
    }
    if (scan.flags.includes('clock_suspect')) return;
    this.#state.sawScanner(facilityUuid, scannerId, occurredAt);
    const seen = this.#state.lastOccurredAt(facilityUuid, scannerId) ?? occurredAt;
    this.#scanners.set(`${facilityUuid}|${scannerId}`, { facilityUuid, scannerId, occurredAt: seen });
  }

  #scanRecord(transmission: ScanTransmission, claimKey: string, body: Omit<RecordBody, 'transport'>): JournalRecord {
    const { scan, identity, scannerClass, transport, resolves, claimReplicas, claimOnDisk } = transmission;
    return this.#record(scan.facilityUuid, {
      transport,
      claim_key: claimKey,
      identity: identity.content,
      fingerprint: identity.fingerprint,
      window_ms: scannerClass.windowMs,
      scanner_class: scannerClass.name,
      ...(claimReplicas !== undefined && { claim_replicas: claimReplicas }),
      ...(claimOnDisk !== undefined && { claim_on_disk: claimOnDisk }),
      scan: recordedScan(scan),
      ...body,
      ...(Object.keys(scan.asSent).length > 0 && { as_sent: scan.asSent }),
      ...(resolves !== undefined && { resolves }),
    });
  }

  #record(facilityUuid: string, body: RecordBody): JournalRecord {
    const { chained, head } = chainRecord(this.#state.head(facilityUuid), facilityUuid, this.#decidedAt, body);
    this.#state.heads.set(facilityUuid, head);
    this.#records.push(chained);
    const resolved = resolvedBy(chained.record);
    if (resolved !== undefined) this.#resolved.push({ quarantineId: resolved, facilityUuid, journalSeq: chained.record.seq });
    return chained.record;
  }
}

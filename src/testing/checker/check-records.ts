/**
 * Each record of the journal against what was pulled and sent: who sent it, what it says was moved, which time it was given, by which
 * window it was judged, and whether what one scanner sent in order was decided in order.
 */
import type { JournalRecord } from '../../ledger/journal-record.ts';
import type { RunEvent } from '../history.ts';
import { differencesOfMoved, movedBy } from '../moved.ts';
import { IdCheck } from './check-ids.ts';
import type { Committed } from './check-journal.ts';
import { ReviewCheck } from './check-review.ts';
import { faultInTime } from './check-times.ts';
import type { Findings } from './judgement.ts';
import { type KnownHistory, type KnownRecord, type KnownTransmission, knownRecord } from './known-history.ts';

/** What was rejected, by the record that says so. */
export interface RejectedRecord extends KnownRecord {
  /** Of what was kept. */
  readonly sha256: string;
  readonly scannerId: string | undefined;
}

export class RecordCheck {
  readonly #history: KnownHistory;
  readonly #findings: Findings;
  readonly #windowMs: number;
  readonly #ids: IdCheck;
  readonly #review: ReviewCheck;
  /** The furthest that was decided of each ordered connection. */
  readonly #decided = new Map<string, KnownTransmission>();
  readonly rejected: RejectedRecord[] = [];

  constructor(history: KnownHistory, findings: Findings, run: RunEvent) {
    this.#history = history;
    this.#findings = findings;
    this.#windowMs = run.window_ms;
    this.#ids = new IdCheck(findings);
    this.#review = new ReviewCheck(findings, run);
  }

  /** @param committed the line that it refers to, by the records before it. */
  record(record: JournalRecord, committed: Committed | undefined): void {
    // What a person released or discarded was no transmission.
    if (record.resolves !== undefined || record.outcome === 'breaks_accepted') return;
    if (record.rejection !== undefined) {
      const { raw_sha256: sha256, scanner_id: scannerId, scan_uuid: scanUuid } = record.rejection;
      this.rejected.push({ ...knownRecord(record), sha256, scannerId, scanUuid });
      return;
    }
    const transmission = this.#history.transmissions.get(record.scan?.actor ?? '');
    if (transmission === undefined) {
      const message = `Record ${record.seq} of ${record.facility_uuid} is of ${record.scan?.actor ?? 'nothing'}, which nobody sent.`;
      this.#findings.add('foreign_record', message);
      return;
    }
    transmission.records.push(knownRecord(record));
    this.#checkSender(record, transmission);
    this.#checkMoved(record, transmission);
    this.#ids.record(record, transmission);
    this.#review.record(record, transmission, committed);
    this.#checkTime(record, transmission);
    this.#checkWindow(record, transmission, committed);
    this.#checkOrder(record, transmission);
  }

  #checkSender(record: JournalRecord, { sent, scan: { truth } }: KnownTransmission): void {
    const { facility_uuid, scanner_id, scan_uuid } = record.scan ?? {};
    const isTruth = record.facility_uuid === truth.facility_uuid && facility_uuid === truth.facility_uuid;
    const ids = sent.scan_uuid === undefined ? truth.scan_uuids : [sent.scan_uuid];
    const isIdKnown = scan_uuid === undefined ? ids.length === 0 : ids.includes(scan_uuid);
    if (isTruth && scanner_id === truth.scanner_id && isIdKnown) return;
    const message = `The record of ${sent.transmission} says ${facility_uuid}, ${scanner_id}, ${scan_uuid ?? 'no id'}; it was sent by ${truth.facility_uuid}, ${truth.scanner_id}, ${ids.join(' or ') || 'no id'}.`;
    this.#findings.add('record_differs', message, truth.scan);
  }

  /** Also of what was suppressed: it is evidence, and a person reads it. */
  #checkMoved({ seq, scan }: JournalRecord, { sent, scan: { truth } }: KnownTransmission): void {
    // What is no scan has moved nothing: it is named by its line, or by its answer.
    if (scan === undefined || truth.moved === undefined || !truth.readable) return;
    const product = scan.ndc ?? scan.gtin ?? 'none';
    const differing = [
      ...(product === truth.product ? [] : [`product is ${product}, not ${truth.product}`]),
      ...differencesOfMoved(movedBy(scan), truth.moved),
    ];
    if (differing.length === 0) return;
    const message = `Record ${seq}, of ${sent.transmission}, is not what ${truth.scan} was: ${differing.join(', ')}.`;
    this.#findings.add('record_differs', message, truth.scan);
  }

  #checkTime({ scan, flags }: JournalRecord, transmission: KnownTransmission): void {
    const { sent, scan: known } = transmission;
    const fault = scan && faultInTime(transmission, scan, flags);
    if (scan === undefined || fault === undefined) return;
    const message = `${sent.transmission} is recorded as of ${scan.occurred_at}, received at ${scan.received_at}: ${fault}.`;
    this.#findings.add('wrong_time', message, known.truth.scan);
  }

  #checkWindow(record: JournalRecord, { sent, scan: { truth } }: KnownTransmission, of: Committed | undefined): void {
    const windowMs = truth.window_ms ?? this.#windowMs;
    const found = (message: string): void => this.#findings.add('window_violated', `${sent.transmission} ${message}`, truth.scan);
    if (record.outcome !== 'conflict' && record.window_ms !== windowMs) {
      found(`was judged by a window of ${record.window_ms} ms instead of ${windowMs} ms.`);
    }
    if (record.outcome !== 'suppressed' || of === undefined) return;
    const gapMs = Math.abs((record.scan?.occurred_at ?? Number.NaN) - of.occurred_at);
    if (record.gap_ms !== gapMs) found(`is ${gapMs} ms from line ${of.line}; its record says ${record.gap_ms} ms.`);
    if (record.reason !== 'same_scan_id' && !(gapMs < windowMs))
      found(`was suppressed by content for line ${of.line}, from which it is ${gapMs} ms away.`);
  }

  #checkOrder(record: JournalRecord, transmission: KnownTransmission): void {
    const { sent, scan } = transmission;
    if (sent.order === undefined) return;
    const connection = `${sent.worker}|${scan.truth.facility_uuid}|${scan.truth.scanner_id}`;
    const furthest = this.#decided.get(connection);
    if (furthest?.sent.order === undefined || furthest.sent.order <= sent.order) {
      this.#decided.set(connection, transmission);
    } else if (furthest.scan !== scan) {
      const message = `${sent.transmission} was sent to ${sent.worker} before ${furthest.sent.transmission}, and decided after it, in record ${record.seq}.`;
      this.#findings.add('out_of_order', message, scan.truth.scan);
    }
  }
}

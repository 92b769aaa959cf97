/**
 * R7: what could be wrong was put up for review. A commit that follows another of the same content within 3 W could be one too many, a
 * suppression with a gap in which a hand can pull the trigger again, or by arrivals alone under two ids, could be one too few. A serial that
 * leaves twice, and a scan that comes after later ones of its scanner, are to be looked at whatever was decided.
 *
 * In: records in the order of each facility's journal. A flag too many costs a person a look, and is none of this.
 */
import type { JournalRecord } from '../../ledger/journal-record.ts';
import type { RunEvent } from '../history.ts';
import type { Committed } from './check-journal.ts';
import type { Findings } from './judgement.ts';
import type { KnownTransmission } from './known-history.ts';

const doubleCountWindows = 3;

export class ReviewCheck {
  readonly #findings: Findings;
  readonly #run: RunEvent;
  /** When what was committed had occurred, by facility, scanner and content. */
  readonly #committed = new Map<string, number[]>();
  /** The last that was moved of a serial, by facility and product. */
  readonly #moved = new Map<string, string>();
  /** The latest time that was decided by content, by facility and scanner. */
  readonly #latest = new Map<string, number>();

  constructor(findings: Findings, run: RunEvent) {
    this.#findings = findings;
    this.#run = run;
  }

  /** @param of the line that it refers to. */
  record(record: JournalRecord, transmission: KnownTransmission, of: Committed | undefined): void {
    const { outcome } = record;
    if (outcome === 'committed') {
      this.#checkCommit(record, transmission);
      this.#checkSerial(record, transmission);
    } else if (outcome === 'suppressed') this.#checkSuppression(record, transmission, of);
    if (outcome === 'committed' || isByContent(record)) this.#checkSequence(record, transmission);
  }

  #checkCommit({ seq, flags, scan }: JournalRecord, { sent, scan: { truth } }: KnownTransmission): void {
    const isIdTrusted = truth.distinct_ids === 'trust' && truth.scan_uuids.length > 0;
    if (scan === undefined || isIdTrusted) return;
    const key = JSON.stringify([truth.facility_uuid, truth.scanner_id, truth.content]);
    const times = this.#committed.get(key) ?? [];
    this.#committed.set(key, times);
    const nearMs = doubleCountWindows * (truth.window_ms ?? this.#run.window_ms);
    const near = times.find((time) => Math.abs(time - scan.occurred_at) < nearMs);
    times.push(scan.occurred_at);
    if (near === undefined || flags.includes('possible_double_count')) return;
    const message = `${sent.transmission} was committed ${Math.abs(near - scan.occurred_at)} ms from another line of its content, and record ${seq} asks nobody.`;
    this.#findings.add('not_put_up', message, truth.scan);
  }

  #checkSerial({ seq, flags }: JournalRecord, { sent, scan: { truth } }: KnownTransmission): void {
    const serial = truth.moved?.serial_number;
    if (serial === undefined || truth.delta === '0') return;
    const key = JSON.stringify([truth.facility_uuid, truth.product, serial]);
    const before = this.#moved.get(key);
    this.#moved.set(key, truth.delta);
    if (!truth.delta.startsWith('-') || before?.startsWith('-') !== true || flags.includes('serial_already_out')) return;
    const message = `${sent.transmission} moves the serial ${serial} out, which was out, and record ${seq} asks nobody.`;
    this.#findings.add('not_put_up', message, truth.scan);
  }

  #checkSequence({ seq, flags, scan }: JournalRecord, { sent, scan: { truth } }: KnownTransmission): void {
    if (scan === undefined) return;
    const { occurred_at: at } = scan;
    const scanner = JSON.stringify([truth.facility_uuid, truth.scanner_id]);
    const latest = this.#latest.get(scanner) ?? Number.NEGATIVE_INFINITY;
    if (!flags.includes('clock_suspect')) this.#latest.set(scanner, Math.max(latest, at));
    if (at >= latest || flags.includes('out_of_order')) return;
    const message = `${sent.transmission} is ${latest - at} ms before what was decided of its scanner, and record ${seq} does not say so.`;
    this.#findings.add('not_put_up', message, truth.scan);
  }

  #checkSuppression(record: JournalRecord, { sent, scan: { truth } }: KnownTransmission, of: Committed | undefined): void {
    const { seq, flags, scan, gap_ms: gapMs = 0 } = record;
    const windowMs = truth.window_ms ?? this.#run.window_ms;
    const fromMs = isByContent(record)
      ? (this.#run.review_gap_ms ?? Number.POSITIVE_INFINITY)
      : scan?.time_basis === 'device'
        ? windowMs
        : Number.POSITIVE_INFINITY;
    const isSerialised = isByContent(record) && scan?.serial_number !== undefined;
    if (isSerialised || (gapMs < fromMs && !isOfTwoIds(record, of)) || flags.includes('possible_under_count')) return;
    const message = `${sent.transmission} was suppressed ${gapMs} ms from the line that it duplicates, and record ${seq} asks nobody.`;
    this.#findings.add('not_put_up', message, truth.scan);
  }
}

/** As every suppression is that is not said to be by its id. */
function isByContent({ outcome, reason }: JournalRecord): boolean {
  return outcome === 'suppressed' && reason !== 'same_scan_id';
}

/** Two ids, and only their arrivals to compare: the gap says nothing. */
function isOfTwoIds(record: JournalRecord, of: Committed | undefined): boolean {
  const { scan } = record;
  const ids = [scan?.scan_uuid, of?.scan_uuid];
  return isByContent(record) && scan?.time_basis === 'receipt' && ids.every(Boolean) && ids[0] !== ids[1];
}

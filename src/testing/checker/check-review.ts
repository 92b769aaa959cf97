/**
 * R7: what could be wrong was put up for review. A commit that follows another of the same content within 3 W could be one too many, a
 * suppression with a gap in which a hand can pull the trigger again could be one too few.
 *
 * In: records in the order of each facility's journal. A flag too many costs a person a look, and is none of this.
 */
import type { JournalRecord } from '../../ledger/journal-record.ts';
import type { RunEvent } from '../history.ts';
import type { Findings } from './judgement.ts';
import type { KnownTransmission } from './known-history.ts';

const doubleCountWindows = 3;

export class ReviewCheck {
  readonly #findings: Findings;
  readonly #run: RunEvent;
  /** When what was committed had occurred, by facility, scanner and content. */
  readonly #committed = new Map<string, number[]>();

  constructor(findings: Findings, run: RunEvent) {
    this.#findings = findings;
    this.#run = run;
  }

  record(record: JournalRecord, transmission: KnownTransmission): void {
    if (record.outcome === 'committed') this.#checkCommit(record, transmission);
    else if (record.outcome === 'suppressed') this.#checkSuppression(record, transmission);
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

  #checkSuppression(record: JournalRecord, { sent, scan: { truth } }: KnownTransmission): void {
    const { seq, flags, reason, scan, gap_ms: gapMs = 0 } = record;
    const windowMs = truth.window_ms ?? this.#run.window_ms;
    const fromMs =
      reason === 'same_content'
        ? (this.#run.review_gap_ms ?? Number.POSITIVE_INFINITY)
        : scan?.time_basis === 'device'
          ? windowMs
          : Number.POSITIVE_INFINITY;
    const isSerialised = reason === 'same_content' && scan?.serial_number !== undefined;
    if (isSerialised || gapMs < fromMs || flags.includes('possible_under_count')) return;
    const message = `${sent.transmission} was suppressed ${gapMs} ms from the line that it duplicates, and record ${seq} asks nobody.`;
    this.#findings.add('not_put_up', message, truth.scan);
  }
}

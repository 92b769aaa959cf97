/**
 * Each record of the journal against what was pulled and sent: who sent it, which time it was given, by which window it was judged, and
 * whether what one scanner sent in order was decided in order.
 */
import type { JournalRecord } from '../../ledger/journal-record.ts';
import type { RecordedScan } from '../../scan/recorded-scan.ts';
import type { Committed } from './check-journal.ts';
import type { Findings } from './judgement.ts';
import { type KnownHistory, type KnownRecord, type KnownTransmission, knownRecord } from './known-history.ts';

const dayMs = 86_400_000;
/** How far the clock of a device may be from the receipt, and is believed as it is. */
const ageMsMax = 31 * dayMs;
const aheadMsMax = 120_000;

/** What was rejected, by the record that says so. */
export interface RejectedRecord extends KnownRecord {
  readonly sha256: string;
  /** What was kept is not what was sent, byte for byte. */
  readonly isChanged: boolean;
}

export class RecordCheck {
  readonly #history: KnownHistory;
  readonly #findings: Findings;
  readonly #windowMs: number;
  /** The furthest that was decided of each ordered connection. */
  readonly #decided = new Map<string, KnownTransmission>();
  readonly rejected: RejectedRecord[] = [];

  constructor(history: KnownHistory, findings: Findings, windowMs: number) {
    this.#history = history;
    this.#findings = findings;
    this.#windowMs = windowMs;
  }

  /** @param committed the line that it refers to, by the records before it. */
  record(record: JournalRecord, committed: Committed | undefined): void {
    // What a person released or discarded was no transmission.
    if (record.transport === 'quarantine' || record.outcome === 'breaks_accepted') return;
    if (record.rejection !== undefined) {
      const { raw_sha256: sha256, redacted, truncated } = record.rejection;
      this.rejected.push({ ...knownRecord(record), sha256, isChanged: redacted === true || truncated === true });
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
    this.#checkTime(record, transmission);
    this.#checkWindow(record, transmission, committed);
    this.#checkOrder(record, transmission);
  }

  #checkSender(record: JournalRecord, { sent, scan: { truth } }: KnownTransmission): void {
    const { facility_uuid, scanner_id, scan_uuid } = record.scan ?? {};
    const isTruth = record.facility_uuid === truth.facility_uuid && facility_uuid === truth.facility_uuid;
    const isIdKnown = scan_uuid === undefined || truth.scan_uuids.includes(scan_uuid);
    if (isTruth && scanner_id === truth.scanner_id && isIdKnown) return;
    const message = `The record of ${sent.transmission} says ${facility_uuid}, ${scanner_id}, ${scan_uuid ?? 'no id'}; it was sent by ${truth.facility_uuid}, ${truth.scanner_id}.`;
    this.#findings.add('record_differs', message, truth.scan);
  }

  #checkTime({ scan, flags }: JournalRecord, { sent, scan: { truth } }: KnownTransmission): void {
    if (scan === undefined) return;
    const fault = faultInTime(sent.captured_at ?? truth.device_at, scan, flags.includes('clock_suspect'));
    if (fault === undefined) return;
    const message = `${sent.transmission} is recorded as of ${scan.occurred_at}, received at ${scan.received_at}: ${fault}.`;
    this.#findings.add('wrong_time', message, truth.scan);
  }

  #checkWindow(record: JournalRecord, { sent, scan: { truth } }: KnownTransmission, of: Committed | undefined): void {
    const windowMs = truth.window_ms ?? this.#windowMs;
    const found = (message: string): void => this.#findings.add('window_violated', `${sent.transmission} ${message}`, truth.scan);
    if (record.outcome !== 'conflict' && record.window_ms !== windowMs) {
      found(`was judged by a window of ${record.window_ms} ms instead of ${windowMs} ms.`);
    }
    if (record.reason !== 'same_content' || of === undefined) return;
    const gapMs = Math.abs((record.scan?.occurred_at ?? Number.NaN) - of.occurred_at);
    if (record.gap_ms !== gapMs) found(`is ${gapMs} ms from line ${of.line}; its record says ${record.gap_ms} ms.`);
    if (!(gapMs < windowMs)) found(`was suppressed by content for line ${of.line}, from which it is ${gapMs} ms away.`);
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

/** What is wrong with the time that a scan was given, by what its device said and when it was received. */
function faultInTime(
  deviceAt: number | undefined,
  { occurred_at, received_at }: Pick<RecordedScan, 'occurred_at' | 'received_at'>,
  isFlagged: boolean,
): string | undefined {
  if (deviceAt === undefined) return occurred_at === received_at ? undefined : 'the device says no time';
  if (deviceAt > received_at + aheadMsMax)
    return isFlagged ? undefined : `the device says ${deviceAt}, which nobody was told is too late`;
  if (occurred_at === deviceAt) return undefined;
  if (deviceAt >= received_at - ageMsMax) return `the device says ${deviceAt}, which is plausible`;
  return isFlagged ? undefined : `the device says ${deviceAt}, which nobody was told is too old`;
}

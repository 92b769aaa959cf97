/**
 * What the checker remembers of a history: each physical scan with its transmissions, what they were told, and the lines and records that
 * were written for them. Traced by the names in the history alone, never by what the system under test believes.
 *
 * In: events, in their order. What contradicts itself is reported. Records are kept only as far as a check asks for them.
 */
import type { JournalRecord } from '../../ledger/journal-record.ts';
import type { AnsweredEvent, FaultEvent, LineEvent, QuarantinedEvent, ScanEvent, SentEvent } from '../history.ts';
import type { Findings } from './judgement.ts';

export interface KnownScan {
  readonly truth: ScanEvent;
  readonly transmissions: KnownTransmission[];
  readonly lines: LineEvent[];
}

export interface KnownTransmission {
  readonly sent: SentEvent;
  readonly scan: KnownScan;
  /** How manieth event of the history it is. */
  readonly sentIndex: number;
  answer?: AnsweredEvent;
  answeredIndex: number;
  readonly records: KnownRecord[];
}

/** A line, and the physical scan that it was written for, where somebody sent that. */
export interface KnownLine {
  readonly line: LineEvent;
  readonly scan: KnownScan | undefined;
}

/** Of a journal record, what is compared with the rest of the history. */
export interface KnownRecord {
  readonly facility: string;
  readonly seq: number;
  readonly outcome: JournalRecord['outcome'];
  /** The line that it committed, duplicates or contradicts. */
  readonly entryId: string | undefined;
  readonly quarantineId: string | undefined;
  readonly scanUuid: string | undefined;
  readonly isByReceipt: boolean;
  /** Whether the time was reckoned from an age, because the clock of the device is not believed. */
  readonly isByAge: boolean;
  readonly isPutUpForReview: boolean;
}

export function knownRecord(record: JournalRecord): KnownRecord {
  const { facility_uuid, seq, outcome, entry, of, rejection, scan, flags } = record;
  return {
    facility: facility_uuid,
    seq,
    outcome,
    entryId: (outcome === 'committed' ? entry : of)?.id,
    quarantineId: rejection?.quarantine_id,
    scanUuid: scan?.scan_uuid,
    isByReceipt: scan?.time_basis === 'receipt',
    isByAge: scan?.time_basis === 'device' && scan.occurred_at !== scan.captured_at,
    isPutUpForReview: flags.includes('possible_under_count'),
  };
}

export class KnownHistory {
  readonly scans = new Map<string, KnownScan>();
  readonly transmissions = new Map<string, KnownTransmission>();
  /** By entry id. */
  readonly lines = new Map<string, KnownLine>();
  /** What is kept of what was rejected: its SHA-256, by quarantine id. */
  readonly quarantined = new Map<string, string>();
  readonly faults = new Map<string, number>();
  readonly answers = { committed: 0, suppressed: 0, conflict: 0, rejected: 0, unavailable: 0 };
  readonly #findings: Findings;
  lineCount = 0;
  #eventCount = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  scan(truth: ScanEvent): void {
    if (this.scans.has(truth.scan)) this.#contradicts(`The scan ${truth.scan} was pulled twice.`);
    else this.scans.set(truth.scan, { truth, transmissions: [], lines: [] });
  }

  sent(sent: SentEvent): void {
    const scan = this.scans.get(sent.scan);
    if (scan === undefined) this.#contradicts(`${sent.transmission} was sent for ${sent.scan}, which nobody pulled.`);
    else if (this.transmissions.has(sent.transmission)) this.#contradicts(`${sent.transmission} was sent twice.`);
    else {
      const sentIndex = this.#eventCount++;
      const transmission = { sent, scan, sentIndex, answeredIndex: Number.POSITIVE_INFINITY, records: [] };
      this.transmissions.set(sent.transmission, transmission);
      scan.transmissions.push(transmission);
    }
  }

  answered(answer: AnsweredEvent): void {
    const transmission = this.transmissions.get(answer.transmission);
    if (transmission === undefined) this.#contradicts(`${answer.transmission} was answered, and never sent.`);
    else if (transmission.answer !== undefined) this.#contradicts(`${answer.transmission} was answered twice.`);
    else {
      transmission.answer = answer;
      transmission.answeredIndex = this.#eventCount++;
      this.answers[answer.outcome] += 1;
    }
  }

  fault({ fault }: FaultEvent): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
  }

  line(line: LineEvent): void {
    const scan = this.transmissions.get(line.transmission)?.scan;
    this.lineCount += 1;
    scan?.lines.push(line);
    if (this.lines.has(line.entry_id)) {
      this.#findings.add('broken_chain', `The entry ${line.entry_id} stands in the book twice.`, scan?.truth.scan);
    } else this.lines.set(line.entry_id, { line, scan });
    if (scan === undefined) {
      this.#findings.add('foreign_line', `${namedLine(line)} was written for ${line.transmission}, which nobody sent.`);
    }
  }

  quarantine({ quarantine_id, sha256 }: QuarantinedEvent): void {
    if (this.quarantined.has(quarantine_id)) this.#contradicts(`${quarantine_id} is in quarantine twice.`);
    this.quarantined.set(quarantine_id, sha256);
  }

  #contradicts(message: string): void {
    this.#findings.add('contradictory_history', message);
  }
}

export function namedLine({ facility_uuid, line, entry_id }: LineEvent): string {
  return line === undefined ? `The entry ${entry_id} of ${facility_uuid}` : `Line ${line} of ${facility_uuid}`;
}

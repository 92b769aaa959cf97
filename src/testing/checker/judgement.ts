/**
 * What the checker says of a history: figures, and every rule that was broken, by its name and in a sentence. The list of sentences is
 * bounded, the figures are not.
 */
import type { AnsweredEvent, RunEvent } from '../history.ts';

/** What can be wrong, and how it is called in a report. */
export const violationKinds = {
  phantom_overage: 'lines too many for one physical scan',
  foreign_line: 'lines for what nobody sent',
  wrong_line: 'lines that are not what was scanned',
  line_for_no_scan: 'lines for what is no scan',
  lost_scan: 'lost scans',
  swallowed_scan: 'genuine scans swallowed without an explanation',
  false_conflict: 'genuine scans answered as a conflict',
  false_acknowledgement: 'false acknowledgements',
  unaudited_transmission: 'answered transmissions without a record',
  repeated_record: 'records too many for one transmission',
  foreign_record: 'records of what nobody sent',
  record_differs: 'records that differ from the answer or from what was sent',
  evidence_lost: 'rejections whose bytes are not kept as they came',
  broken_chain: 'breaks of journal and book',
  wrong_balance: 'wrong balances',
  out_of_order: 'decisions out of order',
  window_violated: 'violations of the window',
  id_violated: 'violations of what an id means',
  wrong_time: 'wrong times',
  not_put_up: 'decisions that were not put up for review',
  problem: 'problems of servers, workers and devices',
  contradictory_history: 'contradictions in the history itself',
  nothing_shown: 'histories that show nothing',
} as const;

export type ViolationKind = keyof typeof violationKinds;

export interface Violation {
  readonly kind: ViolationKind;
  /** One sentence. */
  readonly message: string;
  /** The physical scan that it is about, where it is about one. */
  readonly scan?: string;
}

/** Genuine scans without a line of their own, for which the line of another physical scan was named. */
export interface SwallowedScans {
  /** Same content and scanner, pulled less than W apart: indistinguishable from a retry. */
  readonly withinWindow: number;
  /** Pulled further apart than W, less than W by the clock of the device, which stepped or cannot be believed. */
  readonly deviceClock: number;
  /** The device says no time that can be believed, so receipts were compared. */
  readonly receiptTime: number;
  /** The device gave two physical scans one id. */
  readonly reusedId: number;
  /** None of these: a violation. */
  readonly unexplained: number;
  /** How many of all of them a person was asked about. */
  readonly putUpForReview: number;
}

export interface Counts {
  /** Physical scans, those included that are no scans. */
  readonly scans: number;
  readonly unreadable: number;
  readonly transmissions: number;
  /** Transmissions that were answered, also with `unavailable`. */
  readonly answered: number;
  readonly answers: Readonly<Record<AnsweredEvent['outcome'], number>>;
  readonly lines: number;
  readonly records: number;
  readonly faults: Readonly<Record<string, number>>;
}

export interface Judgement {
  readonly run: RunEvent;
  readonly counts: Counts;
  readonly phantom: number;
  readonly lost: number;
  readonly swallowed: SwallowedScans;
  readonly falseAcknowledgements: number;
  readonly unaudited: number;
  readonly brokenChains: number;
  readonly wrongBalances: number;
  readonly outOfOrder: number;
  /** How often each kind was found, all of them counted. */
  readonly found: Readonly<Record<ViolationKind, number>>;
  /** Not more than `violationsListedMax` of each kind. */
  readonly violations: readonly Violation[];
  readonly isSound: boolean;
}

export const violationsListedMax = 100;

/** Where the checks report to. */
export class Findings {
  readonly found: Record<ViolationKind, number> = {
    phantom_overage: 0,
    foreign_line: 0,
    wrong_line: 0,
    line_for_no_scan: 0,
    lost_scan: 0,
    swallowed_scan: 0,
    false_conflict: 0,
    false_acknowledgement: 0,
    unaudited_transmission: 0,
    repeated_record: 0,
    foreign_record: 0,
    record_differs: 0,
    evidence_lost: 0,
    broken_chain: 0,
    wrong_balance: 0,
    out_of_order: 0,
    window_violated: 0,
    id_violated: 0,
    wrong_time: 0,
    not_put_up: 0,
    problem: 0,
    contradictory_history: 0,
    nothing_shown: 0,
  };
  readonly violations: Violation[] = [];

  add(kind: ViolationKind, message: string, scan?: string): void {
    this.found[kind] += 1;
    if (this.found[kind] <= violationsListedMax) this.violations.push({ kind, message, ...(scan !== undefined && { scan }) });
  }
}

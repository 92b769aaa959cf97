/**
 * A history: what really happened, what was sent, what each client was told, which faults there were, and what the books hold at the end.
 * As JSON lines, one event each, it can be kept and judged again by the checker alone.
 *
 * Every transmission carries its own name in the field `actor`, which takes no part in any decision (it is neither in the content identity
 * nor in the fingerprint) and is kept in every line and record: so each of these is traced to the trigger that was pulled, whatever
 * the system under test believes.
 *
 * What was pulled, sent and answered comes first, in the order in which it happened; lines, records, what is in quarantine, and heads, read
 * at the end, follow.
 *
 * Instants end in `_at` and are epoch ms of the true clock of the run, which no device and no worker need share.
 */
import type { JournalRecord } from '../ledger/journal-record.ts';

export type HistoryEvent =
  | RunEvent
  | ScanEvent
  | SentEvent
  | AnsweredEvent
  | FaultEvent
  | ProblemEvent
  | LineEvent
  | RecordEvent
  | QuarantinedEvent
  | HeadEvent;

/** The first line. */
export interface RunEvent {
  readonly kind: 'run';
  readonly v: 1;
  /** `scangate`, `scangate-guard`, or the name of a peer. */
  readonly system: string;
  readonly seed: number;
  readonly window_ms: number;
  /** From which gap on a suppression by content alone is put up for review; when left out, that is not judged. */
  readonly review_gap_ms?: number;
  /** Whether the system keeps a journal of its decisions and a quarantine: without them nothing can be said about audit and evidence. */
  readonly has_journal: boolean;
  /** Whether a scan id means one entry for ever (R1); it does when left out. */
  readonly binds_ids?: boolean;
  /** How the run can be repeated. */
  readonly command: string;
}

/** Ground truth: one physical scan, one trigger pull on one device. */
export interface ScanEvent {
  readonly kind: 'scan';
  /** Its name in the history, such as `s17`. */
  readonly scan: string;
  readonly facility_uuid: string;
  readonly scanner_id: string;
  readonly pulled_at: number;
  /** What the clock of the device said then, epoch ms; absent where the device has none, or does not say. */
  readonly device_at?: number;
  /** Equal for two scans of one scanner exactly when nothing but time and id tells them apart. */
  readonly content: string;
  /** Ids that its listeners made: none, one, or two of one trigger. */
  readonly scan_uuids: readonly string[];
  /** `trust` where the scanner's class says that different ids are different scans. */
  readonly distinct_ids: 'ignore' | 'trust';
  /** W of the scanner's class, where it is not that of the run. */
  readonly window_ms?: number;
  /** False where what the device read is no scan (glued, damaged): it belongs into quarantine and not into the book. */
  readonly readable: boolean;
  /** What one line for it adds to the stock, signed decimal text, and of which product. */
  readonly product: string;
  readonly delta: string;
  /** All else that its line has to say of what was moved; when left out, nobody can say whether a lot or a serial is right. */
  readonly moved?: Moved;
}

/** In the words of the wire, normalised. What a package does not carry is left out. */
export interface Moved {
  readonly scan_type: string;
  readonly quantity: string;
  readonly unit: string;
  readonly direction?: string;
  readonly lot_number?: string;
  readonly serial_number?: string;
  readonly reference?: string;
}

/** One transmission leaves a client. */
export interface SentEvent {
  readonly kind: 'sent';
  readonly transmission: string;
  readonly scan: string;
  readonly worker: string;
  readonly sent_at: number;
  /** SHA-256 of what was sent, for what will be kept byte for byte in quarantine. */
  readonly sha256: string;
  /** The id that it carries; without this, only the journal can say so. */
  readonly scan_uuid?: string;
  /** The time of the trigger that it carries, where two listeners of one device stamp it some ms apart. */
  readonly device_at?: number;
  /** Its place among what this worker was sent by this scanner on one connection that keeps the order. */
  readonly order?: number;
}

/** What came back for a transmission. A transmission without this event had no answer. */
export interface AnsweredEvent {
  readonly kind: 'answered';
  readonly transmission: string;
  readonly answered_at: number;
  readonly outcome: 'committed' | 'suppressed' | 'conflict' | 'rejected' | 'unavailable';
  /** The entry that was committed, or that this one duplicates or contradicts. */
  readonly entry_id?: string;
  readonly quarantine_id?: string;
  readonly code?: string;
  /** False where the device missed it, and so sends again. */
  readonly is_heard: boolean;
}

export interface FaultEvent {
  readonly kind: 'fault';
  readonly fault: string;
  readonly target: string;
  readonly at: number;
  /** When it was over; absent for what is over at once. */
  readonly until?: number;
}

/** What is wrong with servers, workers or devices themselves: who judges the file alone is told as well. */
export interface ProblemEvent {
  readonly kind: 'problem';
  /** One sentence. */
  readonly message: string;
}

/** One line of the book, read at the end. */
export interface LineEvent {
  readonly kind: 'line';
  readonly facility_uuid: string;
  /** Its number in the facility; absent where the system has none. */
  readonly line?: number;
  readonly entry_id: string;
  /** The transmission that it was written for. */
  readonly transmission: string;
  readonly occurred_at: number;
  readonly product: string;
  readonly delta: string;
  readonly scanner_id?: string;
  /** The record that committed it. */
  readonly journal_seq?: number;
  readonly moved?: Moved;
}

/** One record of the journal, read at the end, in order. */
export interface RecordEvent {
  readonly kind: 'record';
  readonly record: JournalRecord;
}

/** What is kept of what was rejected, read at the end. */
export interface QuarantinedEvent {
  readonly kind: 'quarantined';
  readonly quarantine_id: string;
  /** SHA-256 of the bytes that are kept. */
  readonly sha256: string;
}

/** Where the journal of a facility ends, by the head that the ledger keeps. */
export interface HeadEvent {
  readonly kind: 'head';
  readonly facility_uuid: string;
  readonly seq: number;
  readonly line: number;
  readonly hash: string;
}

/** Takes events as they happen. */
export type HistoryWriter = (event: HistoryEvent) => void;

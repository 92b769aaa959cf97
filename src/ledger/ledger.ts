/**
 * The ledger port: the legal book and the journal of one or many facilities.
 *
 * `append` is the only way in. It decides R1 and R2 itself, whatever the caller believes, and writes lines and journal
 * records of a batch in one transaction: when its promise resolves, all of it is on disk; when it rejects, none of it is
 * acknowledged, and sending the same batch again is safe.
 */
import type { ScanIdentity } from '../identity/identify.ts';
import type { ScannerClass } from '../identity/scanner-class.ts';
import type { Listing } from '../scan/listing.ts';
import type { Rejection } from '../scan/rejection.ts';
import type { Flag, Origin, Scan } from '../scan/scan.ts';
import type { EntryRef, Transport } from './entry-ref.ts';
import type { JournalRecord, Resolves } from './journal-record.ts';
import type { LedgerLine } from './ledger-line.ts';
import type { QuarantineEntry, Resolution, ResolveRequest } from './quarantine-entry.ts';

export interface ScanTransmission {
  readonly kind: 'scan';
  readonly scan: Scan;
  readonly identity: ScanIdentity;
  readonly scannerClass: ScannerClass;
  readonly transport: Transport;
  /** The entry that a claim says this duplicates. It is believed only as far as the ledger finds the same. */
  readonly expectedEntryId?: string;
  /** How many replicas had the claim, where they were asked. */
  readonly claimReplicas?: number;
  /** Whether the claim was on the disk of the claim store, where it was asked for that. */
  readonly claimOnDisk?: boolean;
  /** What the product directory says of it. */
  readonly listing?: Listing;
  /** What is recorded in place of a commit, because the product directory does not know it. A duplicate is a duplicate all the same. */
  readonly unlisted?: RejectedTransmission;
  /** What it was in quarantine as. */
  readonly resolves?: Resolves;
}

export interface RejectedTransmission {
  readonly kind: 'rejection';
  readonly rejection: Rejection;
  readonly origin: Origin;
  readonly receivedAt: number;
  readonly transport: Transport;
  readonly raw: RawInput;
}

/** What was received, byte for byte, for as long as it is not a scan. */
export interface RawInput {
  readonly bytes: Uint8Array;
  /** Only the beginning was kept. */
  readonly truncated?: boolean;
  /** Values that looked like patient data were taken out. */
  readonly redacted?: boolean;
}

export type Transmission = ScanTransmission | RejectedTransmission;

export type Decision =
  | { readonly outcome: 'committed'; readonly entry: EntryRef; readonly claimKey: string; readonly flags: readonly Flag[] }
  | {
      readonly outcome: 'suppressed';
      readonly of: EntryRef;
      readonly claimKey: string;
      readonly gapMs: number;
      readonly windowMs: number;
      readonly arbiter: 'claim' | 'ledger';
      readonly reason: 'same_scan_id' | 'same_content';
      readonly flags: readonly Flag[];
    }
  | {
      readonly outcome: 'conflict';
      readonly of: EntryRef;
      readonly claimKey: string;
      readonly differs: readonly string[];
      readonly flags: readonly Flag[];
    }
  | { readonly outcome: 'rejected'; readonly quarantineId: string; readonly rejection: Rejection };

/** What a reader of a file remembers of how far it has come, written in the transaction of the scans it stands for. */
export interface Checkpoint {
  readonly key: string;
  readonly value: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Where to go on. The same as was given when there was nothing new. */
  readonly next: string;
  /** The page ends before the end: somebody is still writing what comes next. Asked again later, it may have more. */
  readonly isHeldUp?: true;
}

export interface PageQuery {
  readonly facilityUuid?: string;
  /** What `next` of the page before was; from the beginning without it. */
  readonly after?: string;
  readonly limit: number;
}

export interface QuarantineQuery extends PageQuery {
  /** Only what is neither released nor discarded. */
  readonly isOpen?: boolean;
}

export interface LedgerReader {
  /** Lines in the order in which they were committed. A cursor never skips what was committed later. */
  lines(query: PageQuery): Promise<Page<LedgerLine>>;
  /** Journal records in the order in which they were committed, likewise. */
  records(query: PageQuery): Promise<Page<JournalRecord>>;
  /** Every journal record of one physical scan, in order. */
  recordsOfPick(claimKey: string): Promise<readonly JournalRecord[]>;
  /** Every journal record of the picks that a scan id means, of whichever facility, then the rejected ones of that id. */
  recordsOfScanId(scanId: string): Promise<readonly JournalRecord[]>;
  line(entryId: string): Promise<LedgerLine | undefined>;
  /** The raw bytes of what was rejected. */
  quarantined(id: string): Promise<Uint8Array | undefined>;
  /** What was rejected, in the order in which it came. */
  quarantine(query: QuarantineQuery): Promise<Page<QuarantineEntry>>;
  quarantineEntry(id: string): Promise<QuarantineEntry | undefined>;
  checkpoint(key: string): Promise<string | undefined>;
  status(): Promise<LedgerStatus>;
}

export interface LedgerStatus {
  readonly kind: 'memory' | 'sqlite' | 'postgres';
  /** Path of the file, where there is one. */
  readonly path?: string;
  /** Size on disk, with the write-ahead log. */
  readonly bytes: number;
  /** Epoch ms by the clock of the process that committed last; absent before the first commit. */
  readonly committedAt?: number;
}

export interface Ledger extends LedgerReader {
  /** Whether one facility can be busy while others are not: what was refused as busy is then worth trying for each by itself. */
  readonly locksFacilities?: boolean;
  /**
   * Decides and writes a batch, in its order, in one transaction. One decision for each transmission, in the same order.
   *
   * @throws ScanGateError of the kind `unavailable`: nothing of the batch was acknowledged.
   */
  append(batch: readonly Transmission[], checkpoint?: Checkpoint): Promise<readonly Decision[]>;
  /**
   * Releases or discards what was rejected, at most once, in one transaction.
   *
   * @throws ScanGateError of the kind `unavailable`: nothing was acknowledged.
   */
  resolve(request: ResolveRequest): Promise<Resolution>;
  close(): Promise<void>;
}

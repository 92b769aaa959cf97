import type { RecordedScan } from '../scan/recorded-scan.ts';
import type { Flag } from '../scan/scan.ts';
import type { WireField } from '../scan/wire-schema.ts';
import type { EntryRef, Transport } from './entry-ref.ts';

/** One decision on one transmission: what the hash chain is made of. Canonical JSON of it is what is hashed. */
export interface JournalRecord {
  readonly v: 1;
  readonly facility_uuid: string;
  /** Dense from 1 in each facility. */
  readonly seq: number;
  /** Epoch ms by the clock of the process that owns the ledger. */
  readonly decided_at: number;
  readonly transport: Transport;
  readonly outcome: 'committed' | 'suppressed' | 'conflict' | 'rejected' | 'breaks_accepted';
  readonly arbiter?: 'claim' | 'ledger';
  readonly reason?: 'same_scan_id' | 'same_content';
  readonly claim_key?: string;
  readonly identity?: string;
  readonly fingerprint?: string;
  /** The line that this record committed. */
  readonly entry?: EntryRef;
  /** The line that this record duplicates or contradicts. */
  readonly of?: EntryRef;
  readonly gap_ms?: number;
  readonly window_ms?: number;
  readonly scanner_class?: string;
  readonly differs?: readonly string[];
  readonly flags: readonly Flag[];
  readonly scan?: RecordedScan;
  readonly as_sent?: Readonly<Partial<Record<WireField, string | number>>>;
  readonly rejection?: RecordedRejection;
  readonly accepted?: AcceptedBreaks;
}

/** Breaks that `verify` found and a person answers for: from then on they are known, and everything after them counts. */
export interface AcceptedBreaks {
  readonly actor: string;
  readonly reason: string;
  /** Each as `verify` names it. */
  readonly breaks: readonly string[];
}

export interface RecordedRejection {
  readonly code: string;
  /** Of a barcode: why exactly. */
  readonly reason?: string;
  readonly field?: string;
  readonly message: string;
  readonly scanner_id?: string;
  readonly scan_uuid?: string;
  readonly received_at: number;
  readonly quarantine_id: string;
  readonly raw_sha256: string;
  readonly raw_bytes: number;
  readonly truncated?: true;
  readonly redacted?: true;
}

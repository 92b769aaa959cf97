import type { Listing } from '../scan/listing.ts';
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
  readonly outcome: 'committed' | 'suppressed' | 'conflict' | 'rejected' | 'discarded' | 'breaks_accepted';
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
  /** How many replicas of the claim store had the claim before the ledger was asked, where they were asked. */
  readonly claim_replicas?: number;
  /** Whether the claim was on the disk of the claim store before the ledger was asked, where it was asked for that. */
  readonly claim_on_disk?: boolean;
  readonly differs?: readonly string[];
  readonly flags: readonly Flag[];
  readonly scan?: RecordedScan;
  /** Of what was committed: what the product directory said of it then. Absent when it said nothing. */
  readonly listing?: Listing;
  readonly as_sent?: Readonly<Partial<Record<WireField, string | number>>>;
  readonly rejection?: RecordedRejection;
  readonly accepted?: AcceptedBreaks;
  /** Of what a person released from quarantine, or discarded. */
  readonly resolves?: Resolves;
}

/** Who answers for what was in quarantine, and why. */
export interface Resolves {
  readonly quarantine_id: string;
  readonly actor: string;
  readonly reason: string;
  /** The fields that were released otherwise than they had been received. */
  readonly corrected?: readonly string[];
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

/** Which input is in quarantine no more because of this record. A conflict leaves it there. */
export function resolvedBy({ outcome, resolves }: JournalRecord): string | undefined {
  return outcome === 'conflict' ? undefined : resolves?.quarantine_id;
}

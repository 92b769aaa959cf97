/** What a guard and the worker that it guards say to each other. */
import type { UnavailableCode } from '../base/errors.ts';
import type { Scan } from '../scan/scan.ts';

/** What `commit` is given: store `pick` with the row, and compare `fence` where it can be compared. */
export interface CommitLease {
  readonly scan: Scan;
  /** Name of the physical scan, the same for all its transmissions: the claim key of the one that was first. Unique in your ledger. */
  readonly pick: string;
  /** Time of the scan that was first, epoch ms. */
  readonly occurredAt: number;
  /** Fencing token: a later lease of this pick has a greater one. */
  readonly fence: number;
  /** Epoch ms by this worker's clock. Begin nothing that cannot be undone after it. */
  readonly leaseEndsAt: number;
  /** A lease of it was taken over, or it is older than claims are kept: it can be in the ledger already, and there was no `lookup` to ask. */
  readonly mayExist: boolean;
}

/** An entry of your ledger. */
export interface LedgerEntry {
  /** Names it there. */
  readonly reference: string;
  /** The `occurredAt` that its commit was given, epoch ms: where its window begins. */
  readonly occurredAt: number;
}

export type CommitEnd =
  /** Written and durable. `reference` names it in your ledger. */
  | { readonly kind: 'committed'; readonly reference: string }
  /** Your ledger holds this pick already. */
  | ({ readonly kind: 'duplicate' } & LedgerEntry)
  /** Certainly nothing was written, and nothing will be. Whoever does not know that throws instead. */
  | { readonly kind: 'not_written'; readonly reason: string };

export type Commit = (lease: CommitLease) => Promise<CommitEnd>;

/**
 * The entry under which your ledger holds a pick, or nothing. Asked before every commit for the pick and its two neighbours, so that
 * it also finds what a crash left open and what the store has forgotten. Has to see all that was committed before it was called.
 */
export type Lookup = (pick: string) => Promise<LedgerEntry | undefined>;

/** Every code with which a guard is `unavailable`. */
export const guardCodes = [
  'SG_CLAIM_FAILED',
  'SG_CLAIM_HELD',
  'SG_CLAIM_OVERTAKEN',
  'SG_LEASE_OVER',
  'SG_LOOKUP_FAILED',
  'SG_COMMIT_UNKNOWN',
  'SG_COMMIT_REFUSED',
] as const satisfies readonly UnavailableCode[];

export type GuardCode = (typeof guardCodes)[number];

export type GuardAnswer =
  | {
      readonly outcome: 'committed';
      readonly reference: string;
      readonly pick: string;
      readonly occurredAt: number;
      readonly fence: number;
      /**
       * `settled`: all others will be told. `unsettled`: the store did not say; after the lease it has to be looked up. `lost`: the claim
       * was not ours any more, so somebody else may have committed the pick as well, unless your ledger refuses that: review it.
       */
      readonly claim: 'settled' | 'unsettled' | 'lost';
    }
  | {
      readonly outcome: 'suppressed';
      /** Reference of what was committed. */
      readonly of: string;
      readonly pick: string;
      /** Time of the scan that was first, and how far this one is from it, ms. */
      readonly occurredAt: number;
      readonly gapMs: number;
      readonly windowMs: number;
      /** Who said so: the claim, or your ledger, by `lookup` or `commit`. */
      readonly arbiter: 'claim' | 'ledger';
    }
  | {
      readonly outcome: 'unavailable';
      readonly code: GuardCode;
      readonly message: string;
      /** When it is worth asking again, ms from now, where that is known. */
      readonly retryAfterMs?: number;
      /** What your `commit` or `lookup` threw. */
      readonly cause?: unknown;
    };

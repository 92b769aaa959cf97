/**
 * A claim that survives crashes, for ledgers of their own that no constraint of ours can reach.
 *
 * In: a scan, and how to commit it. Out: `committed`, `suppressed` or `unavailable`; `commit` was called at most once. What can go
 * wrong: the store, the commit, the look-up, a lease that runs out, a crash anywhere. Each of these is `unavailable` until it can be
 * known, never a guess. It never calls `commit` without a lease, and never says `suppressed` without a reference to what was committed.
 */
import { assertNever } from '../base/assert-never.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { UnavailableCode } from '../base/errors.ts';
import { type IdSource, randomIds } from '../base/ids.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { ClaimStore } from '../claim/claim-store.ts';
import { claimKeyPrefix, identify } from '../identity/identify.ts';
import { defaultScannerClass, type ScannerClass } from '../identity/scanner-class.ts';
import { gapMs } from '../identity/window.ts';
import type { Scan } from '../scan/scan.ts';
import type { ScannerPolicy } from './arrival.ts';
import { type Candidate, type Elected, type Election, LeaseElection } from './lease-election.ts';
import { demandClass, demandMs } from './library-settings.ts';

export interface GuardOptions {
  readonly claims: ClaimStore;
  /** How long a commit may take, ms. Not the window: a scan that comes meanwhile is told to come back. */
  readonly leaseMs: number;
  /** The window of each scanner; 3 s for all when left out. */
  readonly policy?: ScannerPolicy;
  /** How far the clocks of two workers may be apart, ms; 1 s when left out. A lease is taken over so much after its end. */
  readonly clockSkewMs?: number;
  /** How long a claim is kept, ms, at least; window, guard, lease and skew together when left out. */
  readonly keepMs?: number;
  readonly clock?: Clock;
  readonly ids?: IdSource;
}

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
  /** The claims cannot rule out that the pick is in the ledger already, and there was no `lookup` to ask. */
  readonly mayExist: boolean;
}

export type CommitEnd =
  /** Written and durable. `reference` names it in your ledger. */
  | { readonly kind: 'committed'; readonly reference: string }
  /** Your ledger holds this pick already, under that reference. */
  | { readonly kind: 'duplicate'; readonly reference: string }
  /** Certainly nothing was written, and nothing will be. Whoever does not know that throws instead. */
  | { readonly kind: 'not_written'; readonly reason: string };

export type Commit = (lease: CommitLease) => Promise<CommitEnd>;

/**
 * The reference under which the ledger holds a pick, or nothing. Asked before every commit, so that it also finds what a crash left
 * open and what the store has forgotten. Has to see all that was committed before it was called.
 */
export type Lookup = (pick: string) => Promise<string | undefined>;

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

/** Commits a scan if it is the first of its physical scan. Never throws for what a store, a commit or a look-up does. */
export type Guard = (scan: Scan, commit: Commit, options?: { readonly lookup?: Lookup }) => Promise<GuardAnswer>;

/** @throws ScanGateError `SG_CONFIG_INVALID` when a time is not a whole number of ms of at least 1 (the skew: 0). */
export function createGuard(options: GuardOptions): Guard {
  const guarding = new Guarding(options);
  return (scan, commit, { lookup } = {}) => guarding.guard(scan, commit, lookup);
}

class Guarding {
  readonly #claims: ClaimStore;
  readonly #election: LeaseElection;
  readonly #clock: Clock;
  readonly #policy: ScannerPolicy;
  readonly #keepMs: number;
  readonly #leaseAndSkewMs: number;

  constructor({
    claims,
    leaseMs,
    policy = () => defaultScannerClass,
    clockSkewMs = 1_000,
    keepMs,
    clock = systemClock,
    ids = randomIds,
  }: GuardOptions) {
    demandMs('The lease', leaseMs, 1);
    demandMs('The skew of the clocks', clockSkewMs, 0);
    if (keepMs !== undefined) demandMs('The time that a claim is kept', keepMs, 1);
    this.#claims = claims;
    this.#election = new LeaseElection(claims, { leaseMs, clockSkewMs }, clock, ids);
    this.#clock = clock;
    this.#policy = policy;
    this.#keepMs = keepMs ?? 0;
    this.#leaseAndSkewMs = leaseMs + clockSkewMs;
  }

  async guard(scan: Scan, commit: Commit, lookup: Lookup | undefined): Promise<GuardAnswer> {
    const scannerClass = this.#policy(scan.scannerId, scan.facilityUuid);
    demandClass(scannerClass);
    const guarded = new GuardedScan(scan, scannerClass);
    const { windowMs, guardMs } = scannerClass;
    const ttlMs = Math.max(this.#keepMs, windowMs + guardMs + this.#leaseAndSkewMs);
    const key = this.#claims.keyedBy === 'pick' ? guarded.ownPick : guarded.contentKey;
    const candidate: Candidate = { key, occurredAt: scan.occurredAt, windowMs, ttlMs };
    const isLate = this.#clock.nowMs() - scan.occurredAt >= ttlMs;
    const election = await this.#election.stand(candidate);
    if (election.kind !== 'overtaken') return this.#follow(guarded, election, isLate, commit, lookup);
    if (lookup === undefined || key === guarded.ownPick) return overtaken;
    // The claim of its content belongs to a later scan by now, so it stands for its own name, and the ledger says what became of it.
    const ofPick = await this.#election.stand({ ...candidate, key: guarded.ownPick });
    return this.#follow(guarded, ofPick, true, commit, lookup);
  }

  async #follow(
    guarded: GuardedScan,
    election: Election,
    mayExist: boolean,
    commit: Commit,
    lookup: Lookup | undefined,
  ): Promise<GuardAnswer> {
    switch (election.kind) {
      case 'elected':
        return this.#decide(guarded, election, mayExist || election.isTakenOver, commit, lookup);
      case 'committed':
        return guarded.suppressed(election.occurredAt, election.reference, 'claim');
      case 'busy': {
        const { message, retryAfterMs } = election;
        return unavailable('SG_CLAIM_HELD', message, retryAfterMs === undefined ? {} : { retryAfterMs });
      }
      case 'overtaken':
        return overtaken;
      case 'unavailable':
        return unavailable('SG_CLAIM_FAILED', election.message);
      default:
        return assertNever(election);
    }
  }

  /** The lease is ours: look up what may be there, then commit. */
  async #decide(
    guarded: GuardedScan,
    elected: Elected,
    mayExist: boolean,
    commit: Commit,
    lookup: Lookup | undefined,
  ): Promise<GuardAnswer> {
    const { occurredAt, fence, leaseEndsAt } = elected;
    const pick = guarded.pickAt(occurredAt);
    if (lookup !== undefined) {
      const found = await settledOf(() => lookup(pick));
      if (!found.ok) {
        await this.#election.giveUp(elected);
        return unavailable('SG_LOOKUP_FAILED', sentenceOf(found.error), { cause: found.error });
      }
      if (found.value !== undefined) {
        await this.#election.settle(elected, found.value);
        return guarded.suppressed(occurredAt, found.value, 'ledger');
      }
    }
    if (this.#clock.nowMs() >= leaseEndsAt)
      return unavailable('SG_LEASE_OVER', 'The lease ran out before the commit could begin.');
    const lease = { scan: guarded.scan, pick, occurredAt, fence, leaseEndsAt, mayExist: mayExist && lookup === undefined };
    const ended = await settledOf(() => commit(lease));
    if (!ended.ok) return unavailable('SG_COMMIT_UNKNOWN', sentenceOf(ended.error), { cause: ended.error });
    return this.#conclude(guarded, elected, pick, ended.value);
  }

  async #conclude(guarded: GuardedScan, elected: Elected, pick: string, end: CommitEnd): Promise<GuardAnswer> {
    const { occurredAt, fence } = elected;
    switch (end.kind) {
      case 'committed': {
        const claim = claimAfter[await this.#election.settle(elected, end.reference)];
        return { outcome: 'committed', reference: end.reference, pick, occurredAt, fence, claim };
      }
      case 'duplicate':
        await this.#election.settle(elected, end.reference);
        return guarded.suppressed(occurredAt, end.reference, 'ledger');
      case 'not_written':
        await this.#election.giveUp(elected);
        return unavailable('SG_COMMIT_REFUSED', end.reason);
      default:
        return assertNever(end);
    }
  }
}

const claimAfter = { settled: 'settled', stale: 'lost', unavailable: 'unsettled' } as const;

/** One scan, and its names. */
class GuardedScan {
  readonly scan: Scan;
  readonly contentKey: string;
  readonly ownPick: string;
  readonly #scannerClass: ScannerClass;

  constructor(scan: Scan, scannerClass: ScannerClass) {
    const { content, claimKey } = identify(scan, scannerClass);
    this.scan = scan;
    this.contentKey = claimKeyPrefix + content;
    this.ownPick = claimKey;
    this.#scannerClass = scannerClass;
  }

  /** The name of the pick that a scan of this content at that time began. */
  pickAt(occurredAt: number): string {
    return occurredAt === this.scan.occurredAt
      ? this.ownPick
      : identify({ ...this.scan, occurredAt }, this.#scannerClass).claimKey;
  }

  suppressed(occurredAt: number, of: string, arbiter: 'claim' | 'ledger'): GuardAnswer {
    const { windowMs } = this.#scannerClass;
    const gap = gapMs({ occurredAt, windowMs }, { occurredAt: this.scan.occurredAt, windowMs });
    return { outcome: 'suppressed', of, pick: this.pickAt(occurredAt), occurredAt, gapMs: gap, windowMs, arbiter };
  }
}

/** What somebody else's function gave, or threw, at once or later. */
async function settledOf<T>(run: () => Promise<T>): Promise<Result<T, unknown>> {
  try {
    return ok(await run());
  } catch (error) {
    return fail(error);
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function unavailable(
  code: GuardCode,
  message: string,
  more: { readonly retryAfterMs?: number; readonly cause?: unknown } = {},
): GuardAnswer {
  return { outcome: 'unavailable', code, message, ...more };
}

const overtaken = unavailable('SG_CLAIM_OVERTAKEN', 'A later scan of the same content holds the claim; only a look-up can tell.');

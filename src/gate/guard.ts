/**
 * A claim that survives crashes, for ledgers of their own that no constraint of ours can reach.
 *
 * In: a scan, and how to commit it. Out: `committed`, `suppressed` or `unavailable`; `commit` was called at most once. What can go
 * wrong: the store, the commit, the look-up, a lease that runs out, a crash anywhere. Each of these is `unavailable` until it can be
 * known, never a guess. It never calls `commit` without a lease, and never says `suppressed` without a reference to what was committed.
 */

import { assertNever } from '../base/assert-never.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { type IdSource, randomIds } from '../base/ids.ts';
import { messageOf } from '../base/message-of.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { ClaimStore } from '../claim/claim-store.ts';
import { defaultScannerClass } from '../identity/scanner-class.ts';
import type { Scan } from '../scan/scan.ts';
import type { ScannerPolicy } from './arrival.ts';
import type { Commit, CommitEnd, GuardAnswer, GuardCode, LedgerEntry, Lookup } from './guard-contract.ts';
import { GuardedScan } from './guarded-scan.ts';
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
  readonly #leaseMs: number;
  readonly #clockSkewMs: number;

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
    this.#leaseMs = leaseMs;
    this.#clockSkewMs = clockSkewMs;
  }

  async guard(scan: Scan, commit: Commit, lookup: Lookup | undefined): Promise<GuardAnswer> {
    const scannerClass = this.#policy(scan.scannerId, scan.facilityUuid);
    demandClass(scannerClass);
    const guarded = new GuardedScan(scan, scannerClass);
    const { windowMs, guardMs } = scannerClass;
    const ttlMs = Math.max(this.#keepMs, windowMs + guardMs + this.#leaseMs + this.#clockSkewMs);
    const key = this.#claims.keyedBy === 'pick' ? guarded.ownPick : guarded.contentKey;
    const candidate: Candidate = { key, occurredAt: scan.occurredAt, windowMs, ttlMs };
    for (let round = 0; round < roundsMax; round += 1) {
      const answer = await this.#stand(guarded, candidate, commit, lookup);
      if (answer !== undefined) return answer;
    }
    return unavailable('SG_CLAIM_HELD', 'The claim was of an earlier scan each time.', { retryAfterMs: 0 });
  }

  /** Nothing when the claim turned out to belong to another scan, and says so now: then it is to be stood for once more. */
  async #stand(
    guarded: GuardedScan,
    candidate: Candidate,
    commit: Commit,
    lookup: Lookup | undefined,
  ): Promise<GuardAnswer | undefined> {
    // Whoever claimed it before could have a clock that is ahead of this one.
    const isLate = this.#clock.nowMs() - candidate.occurredAt >= candidate.ttlMs - this.#clockSkewMs;
    const election = await this.#election.stand(candidate);
    if (election.kind !== 'overtaken') return this.#follow(guarded, election, isLate, commit, lookup);
    if (lookup === undefined || candidate.key === guarded.ownPick) return overtaken;
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
  ): Promise<GuardAnswer | undefined> {
    switch (election.kind) {
      case 'elected': {
        const there = lookup && (await this.#lookUp(guarded, election, lookup));
        if (there === undefined) return this.#commit(guarded, election, commit, mayExist || election.isTakenOver);
        if (there === 'nothing') return this.#commit(guarded, election, commit, false);
        return there.ok ? this.#suppress(guarded, election, there.value) : there.error;
      }
      case 'committed':
        return guarded.suppressed(election, 'claim');
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

  /** What the ledger holds of the physical scan that was claimed. */
  async #lookUp(guarded: GuardedScan, elected: Elected, lookup: Lookup): Promise<'nothing' | Result<LedgerEntry, GuardAnswer>> {
    const { occurredAt } = elected;
    const picks = guarded.picksAround(occurredAt);
    const asked = await settledOf(async () => (await Promise.all(picks.map((pick) => lookup(pick)))).map(entryOf));
    if (asked.ok) {
      const [own] = asked.value;
      // Of the lease that was taken over, or else of this scan itself, which then has no part in that lease.
      for (const at of [occurredAt, guarded.scan.occurredAt]) {
        const entry = asked.value.find((found) => found !== undefined && guarded.areOne(found.occurredAt, at));
        if (entry !== undefined) return ok(entry);
      }
      if (own === undefined) return 'nothing';
    }
    await this.#election.giveUp(elected);
    const cause = asked.ok ? new TypeError('The look-up gave a time that is not of this pick.') : asked.error;
    return fail(unavailable('SG_LOOKUP_FAILED', messageOf(cause), { cause }));
  }

  async #commit(guarded: GuardedScan, elected: Elected, commit: Commit, mayExist: boolean): Promise<GuardAnswer | undefined> {
    const { occurredAt, fence, leaseEndsAt } = elected;
    if (this.#clock.nowMs() >= leaseEndsAt)
      return unavailable('SG_LEASE_OVER', 'The lease ran out before the commit could begin.');
    const pick = guarded.pickAt(occurredAt);
    const ended = await settledOf(async () =>
      endOf(await commit({ scan: guarded.scan, pick, occurredAt, fence, leaseEndsAt, mayExist })),
    );
    if (!ended.ok) return unavailable('SG_COMMIT_UNKNOWN', messageOf(ended.error), { cause: ended.error });
    const end = ended.value;
    switch (end.kind) {
      case 'committed': {
        const claim = claimAfter[await this.#election.settle(elected, end)];
        return { outcome: 'committed', reference: end.reference, pick, occurredAt, fence, claim };
      }
      case 'duplicate':
        return this.#suppress(guarded, elected, end);
      case 'not_written':
        await this.#election.giveUp(elected);
        return unavailable('SG_COMMIT_REFUSED', end.reason);
      default:
        return assertNever(end);
    }
  }

  /**
   * The claim says from now on what the ledger says, from where its window begins. The claim of one pick cannot speak for an entry of
   * another: that is given up, at the time of this scan if the entry does not cover it.
   */
  async #suppress(guarded: GuardedScan, elected: Elected, entry: LedgerEntry): Promise<GuardAnswer | undefined> {
    const { occurredAt } = guarded.scan;
    const isOne = guarded.areOne(entry.occurredAt, occurredAt);
    if (elected.key === guarded.contentKey || elected.key === guarded.pickAt(entry.occurredAt))
      await this.#election.settle(elected, entry);
    else await this.#election.giveUp(isOne ? elected : { ...elected, occurredAt });
    return isOne ? guarded.suppressed(entry, 'ledger') : undefined;
  }
}

/** How often a claim may turn out to belong to an earlier scan. */
const roundsMax = 3;

const claimAfter = { settled: 'settled', stale: 'lost', unavailable: 'unsettled' } as const;

/** What somebody else's function gave, or threw, at once or later. */
async function settledOf<T>(run: () => Promise<T>): Promise<Result<T, unknown>> {
  try {
    return ok(await run());
  } catch (error) {
    return fail(error);
  }
}

/** What a ledger gave, which may be in JavaScript. @throws TypeError when it says nothing that a later answer could be made of. */
function entryOf(given: LedgerEntry | null | undefined): LedgerEntry | undefined {
  if (given === undefined || given === null) return undefined;
  const { reference, occurredAt } = given;
  if (typeof reference !== 'string' || reference === '') throw new TypeError('An entry has to have a reference, as text.');
  if (!Number.isSafeInteger(occurredAt)) throw new TypeError('An entry has to have the time of its pick, epoch ms.');
  return { reference, occurredAt };
}

/** @throws TypeError when a commit does not say how it ended: then nobody knows. */
function endOf(end: CommitEnd): CommitEnd {
  switch (end?.kind) {
    case 'committed':
      if (typeof end.reference !== 'string' || end.reference === '')
        throw new TypeError('A commit has to name its row, as text.');
      return end;
    case 'duplicate':
      return { kind: 'duplicate', ...(entryOf(end) as LedgerEntry) };
    case 'not_written':
      return end;
    default:
      throw new TypeError('The commit did not say how it ended.');
  }
}

function unavailable(
  code: GuardCode,
  message: string,
  more: { readonly retryAfterMs?: number; readonly cause?: unknown } = {},
): GuardAnswer {
  return { outcome: 'unavailable', code, message, ...more };
}

const overtaken = unavailable('SG_CLAIM_OVERTAKEN', 'A later scan of the same content holds the claim; only a look-up can tell.');

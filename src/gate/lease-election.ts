/**
 * Who may commit, when the claim is the only authority: an election for a lease.
 *
 * In: a key and the time of a scan. Out: the lease, if it is ours; else who has committed, or why that cannot be known yet. A lease
 * that ran out is taken over, and a claim that is not within the window moved on, both by compare-and-set against the token that
 * was seen. What can go wrong: the store cannot answer, or others are faster. Never a guess: then nobody is elected here.
 */
import type { Clock } from '../base/clock.ts';
import type { IdSource } from '../base/ids.ts';
import { claimTwice } from '../claim/claim-attempts.ts';
import type { ClaimReply, ClaimRequest, ClaimStore } from '../claim/claim-store.ts';
import { leaseToken, nextFence, parseLeaseToken } from '../claim/lease.ts';
import { samePhysicalScan } from '../identity/window.ts';

/** A lease that is ours. */
export interface Elected {
  readonly kind: 'elected';
  readonly key: string;
  readonly token: string;
  readonly fence: number;
  readonly leaseEndsAt: number;
  /** Time of the scan that first claimed this pick: a take-over keeps it, and with it the pick's name. */
  readonly occurredAt: number;
  /** An earlier lease of this pick ran out or was given up, and nobody said what had become of it. */
  readonly isTakenOver: boolean;
  readonly ttlMs: number;
}

export type Election =
  | Elected
  | { readonly kind: 'committed'; readonly occurredAt: number; readonly reference: string }
  /** Somebody may be at it. `retryAfterMs`: when its lease has run out, where it has one. */
  | { readonly kind: 'busy'; readonly message: string; readonly retryAfterMs?: number }
  /** The claim has moved on to a later scan, and says nothing of this one. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'unavailable'; readonly message: string };

export interface LeaseTimes {
  readonly leaseMs: number;
  /** How far the clocks of two workers may be apart. */
  readonly clockSkewMs: number;
}

/** What is stood for: a scan, and how long a claim of it is kept: from now on, or from its time where that is still to come. */
export interface Candidate {
  readonly key: string;
  readonly occurredAt: number;
  readonly windowMs: number;
  readonly ttlMs: number;
}

type Held = ClaimReply & { readonly kind: 'pending' | 'committed' };

/** How often others may be faster before it is left to them. */
const roundsMax = 4;

export class LeaseElection {
  readonly #store: ClaimStore;
  readonly #times: LeaseTimes;
  readonly #clock: Clock;
  readonly #ids: IdSource;

  constructor(store: ClaimStore, times: LeaseTimes, clock: Clock, ids: IdSource) {
    this.#store = store;
    this.#times = times;
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Never throws. */
  async stand(candidate: Candidate): Promise<Election> {
    let attempt = this.#attempt(candidate, candidate.occurredAt);
    for (let round = 0; round < roundsMax; round += 1) {
      const reply = await claimTwice(this.#store, requestOf(attempt));
      if (reply.kind === 'first' || reply.kind === 'own') return attempt;
      if (reply.kind === 'unavailable') return { kind: 'unavailable', message: reply.reason };
      if (reply.kind === 'held') return { kind: 'busy', message: 'A worker of the recipe holds the claim.' };
      const met = this.#meet(candidate, reply);
      if (met.kind !== 'elected') return met;
      attempt = met;
      // Not moved, or nobody knows: who asks again with the token that was written finds out.
      if ((await this.#moveOn(attempt, reply.token)) === 'moved') return attempt;
    }
    return { kind: 'busy', message: 'Others were faster.' };
  }

  /**
   * Says that the pick is committed; where it was committed by another scan of the same physical one, from the time of that scan on,
   * so that the window does not slide. Tried twice, because a claim that is left unsettled has to be looked up later.
   */
  async settle(
    elected: Elected,
    { reference, occurredAt = elected.occurredAt }: { readonly reference: string; readonly occurredAt?: number },
  ): Promise<'settled' | 'stale' | 'unavailable'> {
    if (occurredAt !== elected.occurredAt) {
      const token = leaseToken({ fence: elected.fence, endsAt: elected.leaseEndsAt }, this.#ids.uuid());
      const anchored = { ...elected, occurredAt, token };
      const moved = await this.#moveOn(anchored, elected.token);
      return moved === 'moved' ? this.settle(anchored, { reference }) : moved;
    }
    const once = () => this.#store.settle(elected.key, elected.token, reference).catch(() => 'unavailable' as const);
    const first = await once();
    return first === 'unavailable' ? once() : first;
  }

  /** Ends our lease before its time, for others to go on at once. Nobody needs to know whether it came to pass. */
  async giveUp(elected: Elected): Promise<void> {
    const token = leaseToken({ fence: elected.fence, endsAt: 0 }, this.#ids.uuid());
    await this.#moveOn({ ...elected, token }, elected.token);
  }

  #moveOn(attempt: Elected, heldBy: string): Promise<'moved' | 'stale' | 'unavailable'> {
    return this.#store.moveOn(requestOf(attempt), heldBy).catch(() => 'unavailable' as const);
  }

  /** What to make of a claim that somebody holds: the answer, or the lease to ask for in its place. */
  #meet(candidate: Candidate, held: Held): Election {
    const { occurredAt, windowMs } = candidate;
    const isSame = samePhysicalScan({ occurredAt: held.occurredAt, windowMs }, { occurredAt, windowMs });
    if (!isSame && held.occurredAt > occurredAt) return { kind: 'overtaken' };
    if (held.kind === 'committed') {
      if (isSame) return { kind: 'committed', occurredAt: held.occurredAt, reference: held.entryId };
      return this.#attempt(candidate, occurredAt, held);
    }
    const lease = parseLeaseToken(held.token);
    if (lease === undefined) return { kind: 'busy', message: 'The claim is held without a lease that could run out.' };
    const retryAfterMs = lease.endsAt === 0 ? 0 : lease.endsAt + this.#times.clockSkewMs - this.#clock.nowMs();
    if (retryAfterMs > 0) return { kind: 'busy', message: 'Another worker has the lease.', retryAfterMs };
    return isSame ? this.#attempt(candidate, held.occurredAt, held, true) : this.#attempt(candidate, occurredAt, held);
  }

  #attempt(candidate: Candidate, occurredAt: number, held?: Held, isTakenOver = false): Elected {
    const { key } = candidate;
    const nowMs = this.#clock.nowMs();
    // The clock of a device can be ahead: what is younger than a claim is kept by its own time has to meet that claim.
    const ttlMs = candidate.ttlMs + Math.max(0, occurredAt - nowMs, candidate.occurredAt - nowMs);
    const fence = nextFence(nowMs, held && parseLeaseToken(held.token));
    const leaseEndsAt = nowMs + this.#times.leaseMs;
    const token = leaseToken({ fence, endsAt: leaseEndsAt }, this.#ids.uuid());
    return { kind: 'elected', key, token, fence, leaseEndsAt, occurredAt, isTakenOver, ttlMs };
  }
}

function requestOf({ key, occurredAt, token, ttlMs }: Elected): ClaimRequest {
  return { key, occurredAt, token, ttlMs };
}

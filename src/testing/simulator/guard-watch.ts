/**
 * What a guard says and does, held against the words of its page where no history shows it: a commit is given a lease that is not over,
 * while nobody else has one, and a fencing token greater than those before it; nobody is told to wait for a lease that nobody has.
 *
 * In: what comes to a guard, what it hands to a commit, how that ended, what it answers. Out: what it broke. It decides nothing.
 */
import type { CommitLease, GuardAnswer } from '../../gate/guard-contract.ts';
import type { BrokenPromise } from './simulated-system.ts';

export interface WatchedPromises {
  /** The store forgets no claim. */
  readonly areClaimsKept: boolean;
  /** The store takes every word of a worker, so that what is said to be given up is given up. */
  readonly isStoreHeard: boolean;
  readonly areLeasesApart: boolean;
  /** How much later than the end of a lease the next begins, ms by the clock of who takes it. */
  readonly takenOverAfterMs: number;
  /** A commit that is called later has a later lease. */
  readonly areLeasesInOrder: boolean;
}

/** A transmission at a guard. */
export interface Visit {
  readonly content: string;
  readonly name: string;
  readonly cameAt: number;
  /** Since when it holds no lease, whatever became of it. */
  leftAt: number;
}

export class GuardWatch {
  readonly broken: BrokenPromise[] = [];
  readonly #promises: WatchedPromises;
  readonly #visits = new Map<string, Visit[]>();
  readonly #fences = new Map<string, number>();
  /** Leases of a pick under which a commit was called, and nobody knows how it ended. */
  readonly #open = new Map<string, Set<CommitLease>>();
  #turns = 0;

  constructor(promises: WatchedPromises) {
    this.#promises = promises;
  }

  came(content: string, name: string): Visit {
    this.#turns += 1;
    const visit: Visit = { content, name, cameAt: this.#turns, leftAt: Number.POSITIVE_INFINITY };
    this.#visits.set(content, [...(this.#visits.get(content) ?? []), visit]);
    return visit;
  }

  /** A commit is called. @param nowMs by the clock of its worker. @returns what is to be called when it is known how it ended. */
  commits(lease: CommitLease, nowMs: number): () => void {
    const { pick, fence, leaseEndsAt } = lease;
    if (nowMs >= leaseEndsAt)
      this.#breaks(
        'commit_without_lease',
        `A commit of ${pick} was called ${nowMs - leaseEndsAt} ms after the end of its lease.`,
      );
    const last = this.#fences.get(pick) ?? 0;
    if (this.#promises.areLeasesInOrder && fence <= last)
      this.#breaks('fence_not_greater', `A lease of ${pick} was given the token ${fence} after the token ${last}.`);
    this.#fences.set(pick, Math.max(fence, last));
    const open = this.#open.get(pick) ?? new Set();
    this.#open.set(pick, open);
    const endsAt = Math.max(...[...open].map((other) => other.leaseEndsAt));
    if (this.#promises.areLeasesApart && nowMs < endsAt + this.#promises.takenOverAfterMs)
      this.#breaks(
        'commits_at_once',
        `A commit of ${pick} was called while another had the lease, ${endsAt - nowMs} ms before its end.`,
      );
    open.add(lease);
    return () => open.delete(lease);
  }

  answered(visit: Visit, answer: GuardAnswer): void {
    this.#turns += 1;
    if (this.#holdsNothing(answer)) visit.leftAt = this.#turns;
    if (answer.outcome !== 'unavailable' || answer.code !== 'SG_CLAIM_HELD') return;
    const others = (this.#visits.get(visit.content) ?? []).filter((other) => other !== visit);
    if (others.some(({ leftAt }) => leftAt > visit.cameAt)) return;
    if (others.length > 0 && !this.#promises.areClaimsKept) return;
    this.#breaks('held_by_nobody', `${visit.name} was told to wait for a lease, and of its content nobody has one.`);
  }

  #holdsNothing(answer: GuardAnswer): boolean {
    const { isStoreHeard } = this.#promises;
    switch (answer.outcome) {
      case 'committed':
        return answer.claim === 'settled';
      case 'suppressed':
        return isStoreHeard || answer.arbiter === 'claim';
      case 'unavailable':
        return isStoreHeard && answer.code !== 'SG_COMMIT_UNKNOWN' && answer.code !== 'SG_LEASE_OVER';
    }
  }

  #breaks(kind: BrokenPromise['kind'], message: string): void {
    this.broken.push({ kind, message });
  }
}

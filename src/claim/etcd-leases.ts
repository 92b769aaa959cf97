/**
 * The leases that claims in etcd live by. Claims that are asked for in one breath, as those of a batch are, share one.
 *
 * In: for how long. Out: a lease that begins not before it was asked for, and not after. What can go wrong: no node grants it. A lease that no
 * claim of its breath has, for certain, is given back without waiting; every other runs out by itself. It never gives back a lease that a key
 * may hold.
 */
import { ok, type Result } from '../base/result.ts';
import type { EtcdCalls } from './etcd-calls.ts';

/** What one claim has of a lease. */
export interface LeaseShare {
  readonly id: Promise<Result<string, string>>;
  /** To be called once. @param isUsed whether a key has the lease, or may have it. */
  release(isUsed: boolean): void;
}

interface Shared {
  readonly id: Promise<Result<string, string>>;
  shares: number;
  isUsed: boolean;
}

export class EtcdLeases {
  readonly #calls: EtcdCalls;
  /** By their seconds: of the breath that goes on. */
  readonly #breath = new Map<number, Shared>();

  constructor(calls: EtcdCalls) {
    this.#calls = calls;
  }

  /** A share of the lease of this breath. @param deadlineAt the same for all who ask in one breath, to within its length. */
  share(seconds: number, deadlineAt: number): LeaseShare {
    const shared = this.#breath.get(seconds) ?? this.#begin(seconds, deadlineAt);
    shared.shares += 1;
    const release = (isUsed: boolean): void => {
      shared.shares -= 1;
      shared.isUsed ||= isUsed;
      if (shared.shares === 0 && !shared.isUsed) void this.#giveBack(shared);
    };
    return { id: shared.id, release };
  }

  async grant(seconds: number, deadlineAt: number): Promise<Result<string, string>> {
    const granted = await this.#calls.post('/v3/lease/grant', { TTL: String(seconds) }, deadlineAt);
    if (!granted.ok) return granted;
    const id = granted.value['ID'];
    return typeof id === 'string' ? ok(id) : { ok: false, error: 'etcd granted a lease without an id.' };
  }

  #begin(seconds: number, deadlineAt: number): Shared {
    const shared = { id: this.grant(seconds, deadlineAt), shares: 0, isUsed: false };
    this.#breath.set(seconds, shared);
    // Whoever comes after what runs now gets another one: a lease that began earlier would end too early.
    queueMicrotask(() => this.#breath.delete(seconds));
    return shared;
  }

  async #giveBack({ id }: Shared): Promise<void> {
    const lease = await id;
    if (lease.ok) await this.#calls.post('/v3/lease/revoke', { ID: lease.value }, this.#calls.deadline());
  }
}

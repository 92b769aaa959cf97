import type { RedisCalls } from './redis-calls.ts';

export interface ReplicaWait {
  /** How many replicas shall have a claim before its owner goes on, where they can have it in time. */
  readonly count: number;
  /** How long they may take, ms, by the server's clock. Shorter than the deadline of a call, because later calls wait behind it. */
  readonly withinMs: number;
}

/**
 * Asks how many replicas have our claims (`WAIT`), once for all claims whose replies came together. That a replica has a claim
 * makes its loss at a failover less likely, not impossible; the ledger needs neither.
 */
export class RedisReplicas {
  readonly #calls: RedisCalls;
  readonly #wait: ReplicaWait;
  #asked: Promise<number | undefined> | undefined;

  constructor(calls: RedisCalls, wait: ReplicaWait) {
    this.#calls = calls;
    this.#wait = wait;
  }

  /**
   * How many have everything that was written on this connection until now. Nothing when that cannot be told.
   *
   * The reply to the claim has been read in this turn of the event loop, so the question goes out on the connection that the claim
   * took: another one could not have become ready meanwhile.
   */
  have(key: string): Promise<number | undefined> {
    if (this.#asked === undefined) {
      this.#asked = this.#ask(key);
      setImmediate(() => {
        this.#asked = undefined;
      });
    }
    return this.#asked;
  }

  async #ask(key: string): Promise<number | undefined> {
    const { count, withinMs } = this.#wait;
    const asked = await this.#calls.ask(key, ['wait', String(count), String(withinMs)], withinMs);
    return asked.ok && typeof asked.value === 'number' ? asked.value : undefined;
  }
}

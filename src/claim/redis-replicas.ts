import type { RedisCalls } from './redis-calls.ts';

export interface ReplicaWait {
  /** How many replicas shall have a claim before its owner goes on, where they can have it in time. None only with `onDisk`. */
  readonly count: number;
  /** How long they may take, ms, by the server's clock. Shorter than the deadline of a call, because later calls wait behind it. */
  readonly withinMs: number;
  /** They shall have it in their append-only files, synced, and so shall the master (`WAITAOF`, Redis 7.2 or later, or Valkey). */
  readonly onDisk?: boolean;
}

/** Who said in time that they have a claim. */
export interface Kept {
  /** Of the replicas, so many have it; on disk, where that was asked for. */
  readonly replicas: number;
  /** Whether the master has it on disk, where that was asked for. */
  readonly onDisk?: boolean;
}

/**
 * Asks who has our claims (`WAIT`, `WAITAOF`), once for all claims whose replies came together. That a replica or a disk has a claim
 * makes its loss less likely, not impossible; the ledger needs neither.
 */
export class RedisReplicas {
  readonly #calls: RedisCalls;
  readonly #wait: ReplicaWait;
  #asked: Promise<Kept | undefined> | undefined;

  constructor(calls: RedisCalls, wait: ReplicaWait) {
    this.#calls = calls;
    this.#wait = wait;
  }

  /**
   * Who has everything that was written on this connection until now. Nothing when that cannot be told, as by a server that
   * does not know the question.
   *
   * The reply to the claim has been read in this turn of the event loop, so the question goes out on the connection that the claim
   * took: another one could not have become ready meanwhile.
   */
  have(key: string): Promise<Kept | undefined> {
    if (this.#asked === undefined) {
      this.#asked = this.#ask(key);
      setImmediate(() => {
        this.#asked = undefined;
      });
    }
    return this.#asked;
  }

  async #ask(key: string): Promise<Kept | undefined> {
    const { count, withinMs, onDisk = false } = this.#wait;
    const question = [...(onDisk ? ['waitaof', '1'] : ['wait']), String(count), String(withinMs)];
    const asked = await this.#calls.ask(key, question, withinMs);
    if (!asked.ok) return undefined;
    return onDisk ? onDisks(asked.value) : inMemories(asked.value);
  }
}

function inMemories(reply: unknown): Kept | undefined {
  return typeof reply === 'number' ? { replicas: reply } : undefined;
}

function onDisks(reply: unknown): Kept | undefined {
  if (!Array.isArray(reply)) return undefined;
  const [local, replicas] = reply as readonly unknown[];
  return typeof local === 'number' && typeof replicas === 'number' ? { replicas, onDisk: local > 0 } : undefined;
}

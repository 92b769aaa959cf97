/**
 * Claims in Redis 7.0 or later, or Valkey; one server, Sentinel or Cluster, by any client.
 *
 * In: who asks for a content identity. Out: who holds it, by one native command and one round trip, for winner and loser alike:
 *
 *     SET key "p|<occurred_at>|<token>" NX GET PX <ttl>
 *
 * The value carries the token of the attempt, so an attempt whose reply was lost knows its own claim again. What can go wrong: no
 * reply, a late one, an error, a value that is not of ours. Each is `unavailable` with its reason, never a decision: the ledger
 * decides alone. It never deletes a claim, never writes one without an end, and never throws.
 */
import type { Timers } from '../base/clock.ts';
import type { ClaimReply, ClaimRequest, ClaimStore } from './claim-store.ts';
import { parseClaimValue, pendingValue } from './claim-value.ts';
import { RedisCalls } from './redis-calls.ts';
import type { RedisClient } from './redis-client.ts';
import { RedisReplicas, type ReplicaWait } from './redis-replicas.ts';
import { moveOnScript, type RedisScript, settleScript } from './redis-scripts.ts';

export interface RedisClaimOptions {
  /** How long a call may take, ms, before the answer is `unavailable` and the connection is thrown away. */
  readonly deadlineMs?: number;
  /** Waits for replicas or disks after a claim that is ours, and says in the reply which of them have it. Not with a cluster. */
  readonly waitReplicas?: ReplicaWait;
}

export const defaultRedisDeadlineMs = 150;

/** {@inheritDoc ClaimStore} Time to live is measured by the clock of the server that holds the key. */
export class RedisClaimStore implements ClaimStore {
  readonly keyedBy: 'content' | 'pick' = 'content';
  readonly #calls: RedisCalls;
  readonly #replicas: RedisReplicas | undefined;

  /** @param timers by which a call is late; the system's when left out. */
  constructor(
    client: RedisClient,
    { deadlineMs = defaultRedisDeadlineMs, waitReplicas }: RedisClaimOptions = {},
    timers?: Timers,
  ) {
    this.#calls = new RedisCalls(client, deadlineMs, timers);
    this.#replicas = waitReplicas && new RedisReplicas(this.#calls, waitReplicas);
  }

  async claim({ key, occurredAt, token, ttlMs }: ClaimRequest): Promise<ClaimReply> {
    const value = pendingValue(occurredAt, token);
    const asked = await this.#calls.ask(key, ['set', key, value, 'NX', 'GET', 'PX', String(ttlMs)]);
    if (!asked.ok) return { kind: 'unavailable', reason: asked.error.reason };
    if (asked.value === null) return this.#ours('first', key);
    const held = typeof asked.value === 'string' ? parseClaimValue(asked.value) : undefined;
    if (held === undefined) return this.foreign(asked.value);
    if (held.token === token) return this.#ours('own', key);
    const { entryId, ...pending } = held;
    return entryId === undefined ? { kind: 'pending', ...pending } : { kind: 'committed', ...pending, entryId };
  }

  /** Safe to repeat with the same token and entry. */
  settle(key: string, token: string, entryId: string): Promise<'settled' | 'stale' | 'unavailable'> {
    return this.#compareAndSet(settleScript, key, [token, entryId], 'settled');
  }

  moveOn(request: ClaimRequest, heldBy: string): Promise<'moved' | 'stale' | 'unavailable'> {
    const { key, occurredAt, token, ttlMs } = request;
    return this.#compareAndSet(moveOnScript, key, [heldBy, pendingValue(occurredAt, token), String(ttlMs)], 'moved');
  }

  close(): Promise<void> {
    return this.#calls.close();
  }

  /** What a value says that is not a claim of ours: here nothing. */
  protected foreign(_value: unknown): ClaimReply {
    return { kind: 'unavailable', reason: 'The key holds something that is not a claim.' };
  }

  async #ours(kind: 'first' | 'own', key: string): Promise<ClaimReply> {
    return { kind, ...(await this.#replicas?.have(key)) };
  }

  async #compareAndSet<E extends string>(
    script: RedisScript,
    key: string,
    args: readonly string[],
    done: E,
  ): Promise<E | 'stale' | 'unavailable'> {
    const ran = await this.#calls.run(script, key, args);
    if (!ran.ok) return 'unavailable';
    if (ran.value === 0) return 'stale';
    return ran.value === 1 ? done : 'unavailable';
  }
}

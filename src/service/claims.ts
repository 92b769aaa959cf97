/** The claims of a process, by its settings, and how they do. */

import { type Clock, systemClock } from '../base/clock.ts';
import { ScanGateError } from '../base/errors.ts';
import { messageOf } from '../base/message-of.ts';
import type { ClaimReply, ClaimRequest, ClaimStore } from '../claim/claim-store.ts';
import type { RedisOptions, ReplicaWait } from '../claim/redis-claims.ts';
import { PreFilter } from '../gate/pre-filter.ts';
import { type Config, claimMsMaxOf } from './config.ts';

export interface ClaimsReport {
  /** `degraded`: the last call was not answered with a decision, and the ledger decides alone. `unused`: nothing was asked yet. */
  readonly state: 'ok' | 'degraded' | 'unused';
  /** Since when it is so, epoch ms by the clock of this process. */
  readonly since: number;
  readonly reason?: string;
}

/** A claim store that remembers how its last claim went. {@inheritDoc ClaimStore} */
export class WatchedClaims implements ClaimStore {
  readonly keyedBy: ClaimStore['keyedBy'];
  readonly #store: ClaimStore;
  readonly #clock: Clock;
  readonly #wanted: ReplicaWait | undefined;
  #report: ClaimsReport;
  #notKept = 0;

  /** @param wanted who shall have each claim that is ours. */
  constructor(store: ClaimStore, clock: Clock, wanted?: ReplicaWait) {
    this.keyedBy = store.keyedBy;
    this.#store = store;
    this.#clock = clock;
    this.#wanted = wanted;
    this.#report = { state: 'unused', since: clock.nowMs() };
  }

  get report(): ClaimsReport {
    return this.#report;
  }

  /** How many claims fewer replicas or disks had in time than was asked for. */
  get notKept(): number {
    return this.#notKept;
  }

  async claim(request: ClaimRequest): Promise<ClaimReply> {
    const reply = await this.#store.claim(request);
    const state = reply.kind === 'unavailable' ? 'degraded' : 'ok';
    const since = this.#report.state === state ? this.#report.since : this.#clock.nowMs();
    if (!this.#isKept(reply)) this.#notKept += 1;
    this.#report = { state, since, ...(reply.kind === 'unavailable' && { reason: reply.reason }) };
    return reply;
  }

  #isKept(reply: ClaimReply): boolean {
    if (this.#wanted === undefined || (reply.kind !== 'first' && reply.kind !== 'own')) return true;
    const { count, onDisk = false } = this.#wanted;
    return (reply.replicas ?? -1) >= count && (!onDisk || reply.onDisk === true);
  }

  settle(key: string, token: string, entryId: string): Promise<'settled' | 'stale' | 'unavailable'> {
    return this.#store.settle(key, token, entryId);
  }

  moveOn(request: ClaimRequest, heldBy: string): Promise<'moved' | 'stale' | 'unavailable'> {
    return this.#store.moveOn(request, heldBy);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

/** Nothing where no claims are wanted. @throws ScanGateError `SG_CONFIG_INVALID`. */
export async function openClaims(config: Config, clock: Clock = systemClock): Promise<WatchedClaims | undefined> {
  const { redis, etcd, claim_keys, redis_deadline_ms, redis_replicas, redis_replicas_ms, pre_filter } = config;
  const waits = redis_replicas > 0 || config.redis_wait_aof;
  if (redis !== '' && etcd !== '') throw invalid('redis and etcd do not go together');
  if (redis === '' && (claim_keys !== 'content' || waits))
    throw invalid('claim_keys, redis_replicas and redis_wait_aof need redis');
  if (redis === '' && etcd === '' && pre_filter) throw invalid('pre_filter needs redis or etcd');
  if (etcd !== '') {
    const { EtcdClaimStore } = await import('../claim/etcd-claim-store.ts');
    return new WatchedClaims(new EtcdClaimStore(etcd.split(',')), clock);
  }
  if (redis === '') return undefined;
  const options: RedisOptions = {
    deadlineMs: redis_deadline_ms,
    ...(waits && { waitReplicas: { count: redis_replicas, withinMs: redis_replicas_ms, onDisk: config.redis_wait_aof } }),
  };
  const { openRecipeClaimStore, openRedisClaimStore } = await import('../claim/redis-claims.ts');
  const open = claim_keys === 'recipe' ? openRecipeClaimStore : openRedisClaimStore;
  return new WatchedClaims(await open(redis, options), clock, options.waitReplicas);
}

/** Nothing where none is wanted. @throws ScanGateError `SG_CONFIG_INVALID`. */
export function preFilterOf(config: Config, clock: Clock = systemClock): PreFilter | undefined {
  if (!config.pre_filter) return undefined;
  // The record of a scan that does not wait for its claim could not say who has it.
  if (config.redis_replicas > 0 || config.redis_wait_aof) {
    throw invalid('pre_filter does not go together with redis_replicas and redis_wait_aof');
  }
  try {
    return new PreFilter({ scansPerS: config.pre_filter_scans_per_s, rememberMs: claimMsMaxOf(config) }, clock);
  } catch (error) {
    throw invalid(messageOf(error).replace(/\.$/, ''));
  }
}

function invalid(what: string): ScanGateError {
  return new ScanGateError('SG_CONFIG_INVALID', `Settings: ${what}.`);
}

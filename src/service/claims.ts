/** The claims of a process, by its settings, and how they do. */

import { type Clock, systemClock } from '../base/clock.ts';
import { ScanGateError } from '../base/errors.ts';
import { messageOf } from '../base/message-of.ts';
import type { ClaimReply, ClaimRequest, ClaimStore } from '../claim/claim-store.ts';
import { EtcdClaimStore } from '../claim/etcd-claim-store.ts';
import { openRecipeClaimStore, openRedisClaimStore, type RedisOptions } from '../claim/redis-claims.ts';
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
  #report: ClaimsReport;

  constructor(store: ClaimStore, clock: Clock) {
    this.keyedBy = store.keyedBy;
    this.#store = store;
    this.#clock = clock;
    this.#report = { state: 'unused', since: clock.nowMs() };
  }

  get report(): ClaimsReport {
    return this.#report;
  }

  async claim(request: ClaimRequest): Promise<ClaimReply> {
    const reply = await this.#store.claim(request);
    const state = reply.kind === 'unavailable' ? 'degraded' : 'ok';
    const since = this.#report.state === state ? this.#report.since : this.#clock.nowMs();
    this.#report = { state, since, ...(reply.kind === 'unavailable' && { reason: reply.reason }) };
    return reply;
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
  if (redis !== '' && etcd !== '') throw invalid('redis and etcd do not go together');
  if (redis === '' && (claim_keys !== 'content' || redis_replicas > 0)) throw invalid('claim_keys and redis_replicas need redis');
  if (redis === '' && etcd === '' && pre_filter) throw invalid('pre_filter needs redis or etcd');
  if (etcd !== '') return new WatchedClaims(new EtcdClaimStore(etcd.split(',')), clock);
  if (redis === '') return undefined;
  const options: RedisOptions = {
    deadlineMs: redis_deadline_ms,
    ...(redis_replicas > 0 && { waitReplicas: { count: redis_replicas, withinMs: redis_replicas_ms } }),
  };
  const open = claim_keys === 'recipe' ? openRecipeClaimStore : openRedisClaimStore;
  return new WatchedClaims(await open(redis, options), clock);
}

/** Nothing where none is wanted. @throws ScanGateError `SG_CONFIG_INVALID`. */
export function preFilterOf(config: Config, clock: Clock = systemClock): PreFilter | undefined {
  if (!config.pre_filter) return undefined;
  // The record of a scan that does not wait for its claim could not say how many replicas have it.
  if (config.redis_replicas > 0) {
    throw invalid('pre_filter and redis_replicas do not go together');
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

/** The public API of `scangate/redis`: claims in Redis, by our own client or by any other. */
import type { ConnectionOptions } from 'node:tls';
import { ScanGateError } from '../base/errors.ts';
import { RecipeClaimStore } from './recipe-claim-store.ts';
import { defaultRedisDeadlineMs, type RedisClaimOptions, RedisClaimStore } from './redis-claim-store.ts';
import type { RedisClient } from './redis-client.ts';
import { openRedisClient } from './redis-open-client.ts';
import type { ReplicaWait } from './redis-replicas.ts';
import { parseRedisUrl, type RedisAddress } from './redis-url.ts';

export { RecipeClaimStore } from './recipe-claim-store.ts';
export { type RedisClaimOptions, RedisClaimStore } from './redis-claim-store.ts';
export type { RedisClient } from './redis-client.ts';
export type { ReplicaWait } from './redis-replicas.ts';

export interface RedisOptions extends RedisClaimOptions {
  /** For an address with TLS: authorities, client certificate and the like. */
  readonly tls?: ConnectionOptions;
}

/**
 * Claims at an address of the forms that `parseRedisUrl` knows. Resolves when it is connected, or after a second when it is not:
 * then claims are `unavailable` until it is.
 *
 * @throws ScanGateError `SG_CONFIG_INVALID` when the address or an option makes no sense.
 */
export async function openRedisClaimStore(url: string, options: RedisOptions = {}): Promise<RedisClaimStore> {
  return new RedisClaimStore(await openClient(url, options), options);
}

/** The same, with the recipe's own keys, for a fleet in which some workers still run the recipe. See `RecipeClaimStore`. */
export async function openRecipeClaimStore(url: string, options: RedisOptions = {}): Promise<RecipeClaimStore> {
  return new RecipeClaimStore(await openClient(url, options), options);
}

async function openClient(url: string, options: RedisOptions): Promise<RedisClient> {
  const address = parseRedisUrl(url);
  const { deadlineMs = defaultRedisDeadlineMs, waitReplicas, tls } = options;
  demandInteger('The deadline of a call of Redis', deadlineMs);
  if (waitReplicas !== undefined) demandWait(address, waitReplicas, deadlineMs);
  const settings = { deadlineMs, ...(tls !== undefined && { tls }) };
  return openRedisClient(address, settings);
}

function demandWait(address: RedisAddress, { count, withinMs, onDisk = false }: ReplicaWait, deadlineMs: number): void {
  if (address.kind === 'cluster') refuse('Claims in a cluster cannot wait for replicas or disks.');
  if (!onDisk || count !== 0) demandInteger('The number of replicas to wait for', count);
  demandInteger('The time to wait for replicas or disks', withinMs);
  if (withinMs >= deadlineMs)
    refuse('The time to wait for replicas or disks has to be shorter than the deadline of a call of Redis.');
}

function demandInteger(what: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1 || value > 60_000) refuse(`${what} has to be an integer from 1 to 60000.`);
}

function refuse(sentence: string): never {
  throw new ScanGateError('SG_CONFIG_INVALID', sentence);
}

import { within } from '../base/deadline.ts';
import { RedisClusterClient } from './redis-cluster-client.ts';
import { type ConnectionSettings, connectMsMax } from './redis-connection.ts';
import { RedisSingleClient } from './redis-single-client.ts';
import type { RedisAddress } from './redis-url.ts';

/** Our own client of an address. Resolves when it is connected, or after a second when it is not. */
export async function openRedisClient(
  address: RedisAddress,
  settings: ConnectionSettings,
): Promise<RedisSingleClient | RedisClusterClient> {
  const client =
    address.kind === 'cluster' ? new RedisClusterClient(address, settings) : new RedisSingleClient(address, settings);
  await within(connectMsMax, client.ready, undefined);
  return client;
}

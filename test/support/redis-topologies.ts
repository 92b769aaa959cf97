/** Servers of Redis that belong together, stopped when the test file ends. */
import type { RedisServer } from '../../src/testing/servers/redis-server.ts';
import * as topologies from '../../src/testing/servers/redis-topologies.ts';
import { lifetime } from './lifetime.ts';

export { type RedisCluster, type Sentinel, untilReplicaIsKnown } from '../../src/testing/servers/redis-topologies.ts';

/** {@inheritDoc topologies.startReplicaOf} */
export function startReplicaOf(master: RedisServer): Promise<RedisServer> {
  return topologies.startReplicaOf(lifetime, master);
}

/** {@inheritDoc topologies.startSentinelOf} */
export function startSentinelOf(
  master: RedisServer,
  passwords?: { readonly 'auth-pass'?: string; readonly requirepass?: string },
): Promise<topologies.Sentinel> {
  return topologies.startSentinelOf(lifetime, master, passwords);
}

/** {@inheritDoc topologies.startCluster} */
export function startCluster(): Promise<topologies.RedisCluster> {
  return topologies.startCluster(lifetime);
}

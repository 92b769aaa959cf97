/** Real servers of Redis, each stopped by its own pid when the test file ends. */
import type { Redis } from 'ioredis';
import * as servers from '../../src/testing/servers/redis-server.ts';
import { lifetime } from './lifetime.ts';

export { freePort } from '../../src/testing/servers/free-port.ts';
export { callsOf, type RedisServer, untilInfo } from '../../src/testing/servers/redis-server.ts';

/** {@inheritDoc servers.startRedis} */
export function startRedis(settings?: Readonly<Record<string, string>>): Promise<servers.RedisServer> {
  return servers.startRedis(lifetime, settings);
}

export function operatorOf(port: number, password?: string): Redis {
  return servers.operatorOf(lifetime, port, password);
}

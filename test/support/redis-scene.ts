/** A server of Redis behind a faulty proxy, and stores that reach it through that proxy. Closed when the test file ends. */
import { openRedisClaimStore, type RedisClaimStore, type RedisOptions } from '../../src/claim/redis-claims.ts';
import { afterEveryFile } from './ends.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** For claims that have to be taken, however busy the machine is. */
export const patient = { deadlineMs: 5_000 };

const closing: { close(): Promise<void> }[] = [];

afterEveryFile(async () => {
  for (const thing of closing.splice(0).reverse()) await thing.close();
});

/** Something that is closed when the file ends. */
export function closedLater<T extends { close(): Promise<void> }>(thing: T): T {
  closing.push(thing);
  return thing;
}

export interface ProxiedStore {
  readonly proxy: TcpProxy;
  readonly store: RedisClaimStore;
}

/** A store with a proxy of its own before this server. */
export async function storeBehindProxy({ port }: RedisServer, options?: RedisOptions): Promise<ProxiedStore> {
  const proxy = closedLater(await startTcpProxy(port));
  const store = closedLater(await openRedisClaimStore(`redis://127.0.0.1:${proxy.port}`, options));
  return { proxy, store };
}

/** A store that reaches a server directly. */
export async function storeAt(url: string, options?: RedisOptions): Promise<RedisClaimStore> {
  return closedLater(await openRedisClaimStore(url, options));
}

export interface Scene extends ProxiedStore {
  readonly server: RedisServer;
}

export async function startScene(settings: Readonly<Record<string, string>> = {}, options?: RedisOptions): Promise<Scene> {
  const server = await startRedis(settings);
  return { server, ...(await storeBehindProxy(server, options)) };
}

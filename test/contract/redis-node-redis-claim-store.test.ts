/** Another client than ours, given its three methods here: `node-redis`. */
import { createClient } from 'redis';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RedisClaimStore, type RedisClient } from '../../src/claim/redis-claims.ts';
import { type ClaimStorePair, claimStoreContract } from '../../src/testing/claim-store-contract.ts';
import { request, untilAnswering } from '../support/claim-worker.ts';
import { closedLater, patient } from '../support/redis-scene.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { waited } from '../support/waited.ts';

let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
});

beforeEach(() => server.operator.flushall());

async function nodeRedis(url: string): Promise<RedisClient> {
  const connect = async () => {
    const client = createClient({ url, disableOfflineQueue: true });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  let client = await connect();
  return {
    send: (_key, command) => client.sendCommand(command),
    renew: () => {
      if (client.isOpen) client.destroy();
      void connect().then((next) => {
        client = next;
      });
    },
    close: async () => {
      if (client.isOpen) client.destroy();
    },
  };
}

async function openPair(): Promise<ClaimStorePair> {
  const [first, second] = [
    new RedisClaimStore(await nodeRedis(server.url), patient),
    new RedisClaimStore(await nodeRedis(server.url), patient),
  ];
  const close = async (): Promise<void> => {
    await Promise.all([first.close(), second.close()]);
  };
  return { first, second, later: waited, close };
}

describe('the Redis claim store over node-redis', () => {
  for (const { name, run } of claimStoreContract(openPair)) test(name, run);

  test('a reply that never comes is unavailable in time, and the next claim has another connection', async () => {
    const proxy = closedLater(await startTcpProxy(server.port));
    const store = closedLater(new RedisClaimStore(await nodeRedis(`redis://127.0.0.1:${proxy.port}`), { deadlineMs: 100 }));
    proxy.fault = { kind: 'swallow' };
    const asked = request();
    expect(await store.claim(asked)).toEqual({ kind: 'unavailable', reason: 'Redis has not answered within 100 ms.' });
    proxy.fault = { kind: 'none' };
    await untilAnswering(store);
    expect(await store.claim(asked)).toEqual({ kind: 'own' });
  });
});

import { beforeAll, beforeEach, describe, test } from 'vitest';
import { openRedisClaimStore } from '../../src/claim/redis-claims.ts';
import { type ClaimStorePair, claimStoreContract } from '../../src/testing/claim-store-contract.ts';
import { patient } from '../support/redis-scene.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { waited } from '../support/waited.ts';

let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
});

beforeEach(() => server.operator.flushall());

/** Two workers, each with a connection of its own. */
async function openPair(): Promise<ClaimStorePair> {
  const [first, second] = await Promise.all([openRedisClaimStore(server.url, patient), openRedisClaimStore(server.url, patient)]);
  const close = async (): Promise<void> => {
    await Promise.all([first.close(), second.close()]);
  };
  return { first, second, later: waited, close };
}

describe('the Redis claim store', () => {
  for (const { name, run } of claimStoreContract(openPair)) test(name, run);
});

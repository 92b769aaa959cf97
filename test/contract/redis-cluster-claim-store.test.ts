import { beforeAll, beforeEach, describe, test } from 'vitest';
import { openRedisClaimStore } from '../../src/claim/redis-claims.ts';
import { type ClaimStorePair, claimStoreContract } from '../../src/testing/claim-store-contract.ts';
import { patient } from '../support/redis-scene.ts';
import { type RedisCluster, startCluster } from '../support/redis-topologies.ts';
import { waited } from '../support/waited.ts';

let cluster: RedisCluster;

beforeAll(async () => {
  cluster = await startCluster();
});

beforeEach(async () => {
  await Promise.all(cluster.nodes.map(({ operator }) => operator.flushall()));
});

async function openPair(): Promise<ClaimStorePair> {
  const [first, second] = await Promise.all([
    openRedisClaimStore(cluster.url, patient),
    openRedisClaimStore(cluster.url, patient),
  ]);
  const close = async (): Promise<void> => {
    await Promise.all([first.close(), second.close()]);
  };
  return { first, second, later: waited, close };
}

describe('the claim store on a Redis cluster', () => {
  for (const { name, run } of claimStoreContract(openPair)) test(name, run);
});

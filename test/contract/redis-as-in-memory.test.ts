/** Random histories of two workers, by the store in Redis and by the one in memory: each step has the same answer. */
import { beforeAll, expect, test } from 'vitest';
import type { ClaimStore } from '../../src/claim/claim-store.ts';
import { MemoryClaimStore } from '../../src/claim/memory-claim-store.ts';
import { noon } from '../../src/testing/wire-scans.ts';
import { request } from '../support/claim-worker.ts';
import { patient, storeAt } from '../support/redis-scene.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { seeded } from '../support/server-seed.ts';

let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
});

/** Something that a worker does to a claim, and its answer. */
type Step = (store: ClaimStore) => Promise<unknown>;

function stepsOf({ below }: { below(limit: number): number }, count: number): Step[] {
  const key = (): string => `scan:idem:key-${below(3)}`;
  const token = (): string => `token-${below(4)}`;
  const asked = () => request({ key: key(), token: token(), occurredAt: noon + below(10_000) - 5_000 });
  return Array.from({ length: count }, (): Step => {
    const [what, given, at, by, entry] = [below(3), asked(), key(), token(), `entry-${below(3)}`];
    if (what === 0) return (store) => store.claim(given);
    return what === 1 ? (store) => store.settle(at, by, entry) : (store) => store.moveOn(given, by);
  });
}

test('five hundred random histories have the same answers, and no claim is left without an end', async () => {
  const seed = seeded();
  const stores = await Promise.all([0, 1].map(() => storeAt(server.url, patient)));
  const told = new Set<string>();
  for (let history = 0; history < 500; history += 1) {
    await server.operator.flushall();
    const memory = new MemoryClaimStore({ nowMs: () => noon });
    for (const step of stepsOf(seed, 12)) {
      const redis = stores[seed.below(2)] as ClaimStore;
      const answer = await step(redis);
      expect(answer).toEqual(await step(memory));
      told.add(typeof answer === 'string' ? answer : (answer as { kind: string }).kind);
    }
    for (const key of await server.operator.keys('*')) expect(await server.operator.pttl(key)).toBeGreaterThan(0);
  }
  expect([...told].sort()).toEqual(['committed', 'first', 'moved', 'own', 'pending', 'settled', 'stale']);
});

/** Who has a claim beside the master's memory, where its owner wants to know before it goes on. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { RedisClaimStore } from '../../src/claim/redis-claims.ts';
import { noon } from '../../src/testing/wire-scans.ts';
import { request } from '../support/claim-worker.ts';
import { storeAt } from '../support/redis-scene.ts';
import { callsOf, type RedisServer, startRedis } from '../support/redis-server.ts';
import { startReplicaOf } from '../support/redis-topologies.ts';

let master: RedisServer;
let replica: RedisServer;
let store: RedisClaimStore;

beforeAll(async () => {
  master = await startRedis();
  replica = await startReplicaOf(master);
  store = await storeAt(master.url, { deadlineMs: 5_000, waitReplicas: { count: 1, withinMs: 1_000 } });
});

beforeEach(() => master.operator.config('RESETSTAT'));

test('claims that are ours say how many replicas have them, and those of others do not', async () => {
  const asked = request({ token: 'a' });
  expect(await store.claim(asked)).toEqual({ kind: 'first', replicas: 1 });
  expect(await replica.operator.get(asked.key)).toBe(`p|${noon}|a`);
  expect(await store.claim(asked)).toEqual({ kind: 'own', replicas: 1 });
  expect(await store.claim({ ...asked, token: 'b' })).toEqual({ kind: 'pending', occurredAt: noon, token: 'a' });
  expect(await callsOf(master, 'wait')).toBe(2);
});

test('for fifty claims at once the replicas are asked once', async () => {
  const replies = await Promise.all(Array.from({ length: 50 }, () => store.claim(request())));
  expect(replies).toEqual(Array(50).fill({ kind: 'first', replicas: 1 }));
  expect(await callsOf(master, 'wait')).toBe(1);
});

test('a replica that hangs delays a batch once, and is not counted', async () => {
  replica.signal('SIGSTOP');
  const startedAt = performance.now();
  const replies = await Promise.all(Array.from({ length: 50 }, () => store.claim(request())));
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  replica.signal('SIGCONT');
  expect(replies).toEqual(Array(50).fill({ kind: 'first', replicas: 0 }));
});

test('a server that does not know WAITAOF gives the claim all the same, and nobody is said to have it on disk', async () => {
  const onDisk = await storeAt(master.url, { deadlineMs: 5_000, waitReplicas: { count: 1, withinMs: 1_000, onDisk: true } });
  expect(await master.operator.info('server')).toMatch(/redis_version:7\.0\./);
  const asked = request({ token: 'a' });
  expect(await onDisk.claim(asked)).toEqual({ kind: 'first' });
  expect(await onDisk.settle(asked.key, 'a', 'entry')).toBe('settled');
});

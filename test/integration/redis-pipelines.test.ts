/** What a batch of claims costs the network. */
import { expect, test } from 'vitest';
import { MemoryBooks } from '../../src/ledger/memory-ledger.ts';
import { request, workerOver } from '../support/claim-worker.ts';
import { patient, storeAt, storeBehindProxy } from '../support/redis-scene.ts';
import { callsOf, type RedisServer, startRedis } from '../support/redis-server.ts';
import { startCluster } from '../support/redis-topologies.ts';
import { until } from '../support/server.ts';

/** How often the server has read from its connections. */
async function readsOf({ operator }: RedisServer): Promise<number> {
  return Number(/total_reads_processed:(\d+)/.exec(await operator.info('stats'))?.[1]);
}

test('claims of one turn go out together, a hundred in one write', async () => {
  const server = await startRedis();
  const { store, proxy } = await storeBehindProxy(server, patient);
  await store.claim(request());
  const [readsBefore, chunksBefore] = [await readsOf(server), proxy.requests.length];
  const replies = await Promise.all(Array.from({ length: 100 }, () => store.claim(request())));
  expect(replies).toEqual(Array(100).fill({ kind: 'first' }));
  expect(proxy.requests.length - chunksBefore).toBe(1);
  // The server reads 16 KiB at a time, and our question for this number is one of its reads.
  expect((await readsOf(server)) - readsBefore).toBeLessThanOrEqual(4);
  expect(await callsOf(server, 'set')).toBe(101);
});

test('the claims of a batch of the gate go out together, and are settled together', async () => {
  const server = await startRedis();
  const { store, proxy } = await storeBehindProxy(server, patient);
  const worker = workerOver(store, new MemoryBooks());
  await worker.submit(0, { lot_number: 'first' });
  const before = proxy.requests.length;
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => worker.submit(index, { lot_number: `L${index}` })));
  expect(answers.map(({ words }) => words)).toEqual(Array.from({ length: 50 }, (_, index) => `committed ${index + 2}`));
  expect(worker.replies).toEqual(Array(51).fill({ kind: 'first' }));
  await until(async () => (await callsOf(server, 'evalsha')) >= 51 || undefined);
  const since = proxy.requests.slice(before);
  expect(since.filter((text) => text.includes('\r\nset\r\n'))).toHaveLength(1);
  expect(since.filter((text) => text.includes('\r\nevalsha\r\n')).length).toBeLessThanOrEqual(2);
});

test('in a cluster the claims of one turn go out together to each master', async () => {
  const { nodes, url } = await startCluster();
  const store = await storeAt(url, patient);
  await Promise.all(Array.from({ length: 30 }, () => store.claim(request())));
  const before = await Promise.all(nodes.map(readsOf));
  const replies = await Promise.all(Array.from({ length: 100 }, () => store.claim(request())));
  expect(replies).toEqual(Array(100).fill({ kind: 'first' }));
  const after = await Promise.all(nodes.map(readsOf));
  const reads = after.map((count, index) => count - (before[index] ?? 0));
  expect(reads.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(12);
  const claims = await Promise.all(nodes.map((node) => callsOf(node, 'set')));
  expect(claims.reduce((sum, count) => sum + count, 0)).toBe(130);
  expect(Math.min(...claims)).toBeGreaterThan(20);
});

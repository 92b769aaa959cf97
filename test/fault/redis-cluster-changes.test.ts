/** A cluster whose slots move, and whose masters hang or die: the other masters' claims go on. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { MemoryBooks } from '../../src/ledger/memory-ledger.ts';
import { request, untilAnswering, workerOver } from '../support/claim-worker.ts';
import { patient, storeAt } from '../support/redis-scene.ts';
import { freePort, type RedisServer, startRedis } from '../support/redis-server.ts';
import { type RedisCluster, startCluster } from '../support/redis-topologies.ts';
import { until } from '../support/server.ts';

let cluster: RedisCluster;
let nodes: readonly [RedisServer, RedisServer, RedisServer];

beforeAll(async () => {
  cluster = await startCluster();
  nodes = cluster.nodes as typeof nodes;
});

beforeEach(() => Promise.all(nodes.map(({ operator }) => operator.flushall())));

/** Requests whose keys lie in slots of the first, second or third master. */
async function requestsOf(master: 0 | 1 | 2, count: number) {
  const found = [];
  while (found.length < count) {
    const asked = request();
    const slot = Number(await nodes[0].operator.call('cluster', 'keyslot', asked.key));
    if (Math.floor(slot / Math.ceil(16_384 / 3)) === master) found.push({ ...asked, slot });
  }
  return found;
}

async function assign(slot: number, owner: 0 | 1 | 2): Promise<void> {
  for (const { operator } of nodes) await operator.call('cluster', 'setslot', slot, 'node', cluster.ids[owner] ?? '');
}

test('claims follow slots that have moved, many at once, and their scripts too', async () => {
  const store = await storeAt(cluster.url, patient);
  const asked = await requestsOf(0, 20);
  for (const { slot } of asked) await assign(slot, 1);
  const others = await requestsOf(2, 20);
  const replies = await Promise.all([...asked, ...others].map((one) => store.claim(one)));
  expect(replies).toEqual(Array(40).fill({ kind: 'first' }));
  expect(await nodes[1].operator.dbsize()).toBe(20);
  expect(await Promise.all(asked.map(({ key, token }) => store.settle(key, token, 'entry-1')))).toEqual(
    Array(20).fill('settled'),
  );
  for (const { slot, key } of asked) {
    await nodes[1].operator.del(key);
    await assign(slot, 0);
  }
  expect(await store.claim(request({ key: asked[0]?.key ?? '' }))).toEqual({ kind: 'first' });
});

test('a claim of a slot that is just being moved is asked where it goes to', async () => {
  const store = await storeAt(cluster.url, patient);
  const [asked] = await requestsOf(0, 1);
  if (asked === undefined) throw new Error('There is no request.');
  const [from = '', to = ''] = cluster.ids;
  await nodes[1].operator.call('cluster', 'setslot', asked.slot, 'importing', from);
  await nodes[0].operator.call('cluster', 'setslot', asked.slot, 'migrating', to);
  expect(await store.claim(asked)).toEqual({ kind: 'first' });
  expect(await store.claim(asked)).toEqual({ kind: 'own' });
  expect(await nodes[1].operator.dbsize()).toBe(1);
  await nodes[1].operator.flushall();
  await nodes[1].operator.call('cluster', 'setslot', asked.slot, 'stable');
  await nodes[0].operator.call('cluster', 'setslot', asked.slot, 'stable');
});

test('a claim that was sent after its slot is unavailable when the connection there is lost, and that ends no process', async () => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown): unknown => unheard.push(reason);
  process.on('unhandledRejection', hear);
  const store = await storeAt(cluster.url, { deadlineMs: 1_000 });
  const [asked, beside] = await requestsOf(0, 2);
  const [there] = await requestsOf(1, 1);
  if (asked === undefined || beside === undefined || there === undefined) throw new Error('There is no request.');
  const [from = '', to = ''] = cluster.ids;
  await nodes[1].operator.call('cluster', 'setslot', asked.slot, 'importing', from);
  await nodes[0].operator.call('cluster', 'setslot', asked.slot, 'migrating', to);
  const together = () => Promise.all([asked, beside, there].map((one) => store.claim(one)));
  await until(async () => (await together()).every(({ kind }) => kind === 'own') || undefined);
  nodes[1].signal('SIGSTOP');
  // The first is answered with where to ask, and its neighbour with what it wants: so the first is sent again alone.
  expect((await together()).map(({ kind }) => kind)).toEqual(['unavailable', 'own', 'unavailable']);
  nodes[1].signal('SIGCONT');
  await until(async () => (await together()).every(({ kind }) => kind === 'own') || undefined);
  await nodes[1].operator.flushall();
  await nodes[1].operator.call('cluster', 'setslot', asked.slot, 'stable');
  await nodes[0].operator.call('cluster', 'setslot', asked.slot, 'stable');
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
});

test('while one master hangs its claims are unavailable in time, and those of the others are taken', async () => {
  const store = await storeAt(cluster.url);
  const worker = workerOver(store, new MemoryBooks());
  const [hanging, alive] = [await requestsOf(0, 5), await requestsOf(1, 5)];
  await until(async () => {
    const known = await Promise.all([...hanging, ...alive].map((one) => store.claim(one)));
    return known.every(({ kind }) => kind === 'own') || undefined;
  });
  nodes[0].signal('SIGSTOP');
  const startedAt = performance.now();
  const replies = await Promise.all([...hanging, ...alive].map((one) => store.claim(one)));
  expect(performance.now() - startedAt).toBeLessThan(500);
  expect(replies.map(({ kind }) => kind)).toEqual([...Array(5).fill('unavailable'), ...Array(5).fill('own')]);
  for (let index = 0; index < 20; index += 1) {
    const { words, tookMs } = await worker.submit(index * 10_000);
    expect(words).toBe(`committed ${index + 1}`);
    expect(tookMs).toBeLessThan(500);
  }
  nodes[0].signal('SIGCONT');
  await until(async () => (await store.claim(hanging[0] ?? request())).kind === 'own' || undefined);
});

test('while a master is gone no key is said to be free that it may hold; when it is back, claims go on', async () => {
  const store = await storeAt(cluster.url);
  const asked = await requestsOf(2, 5);
  await untilAnswering(store);
  await nodes[2].kill();
  const replies = await Promise.all(asked.map((one) => store.claim({ ...one, token: 'z' })));
  expect(replies.map(({ kind }) => kind)).toEqual(Array(5).fill('unavailable'));
  await nodes[2].restart();
  await until(async () => (await store.claim(asked[0] ?? request())).kind !== 'unavailable' || undefined, 30_000);
  await Promise.all([0, 1, 2].map(() => untilAnswering(store)));
});

test('one server of a cluster, asked as if it stood alone, says what it is', async () => {
  const store = await storeAt(nodes[0].url, patient);
  const [asked] = await requestsOf(1, 1);
  expect(await store.claim(asked ?? request())).toEqual({
    kind: 'unavailable',
    reason: 'Redis says MOVED: it belongs to a cluster: use a redis+cluster:// address.',
  });
});

test('a cluster that serves no key yet gives no claim; when it does, even on one server, it does', async () => {
  const announced = { 'cluster-enabled': 'yes', 'cluster-announce-ip': '127.0.0.1' };
  const single = await startRedis({ ...announced, 'cluster-port': `${await freePort()}` });
  const store = await storeAt(`redis+cluster://127.0.0.1:${single.port}`, patient);
  expect((await store.claim(request())).kind).toBe('unavailable');
  await single.operator.call('cluster', 'addslotsrange', 0, 16_383);
  await untilAnswering(store, 30_000);
  const together = Array.from({ length: 50 }, () => request());
  expect(await Promise.all(together.map((one) => store.claim(one)))).toEqual(Array(50).fill({ kind: 'first' }));
});

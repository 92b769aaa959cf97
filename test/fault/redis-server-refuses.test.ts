/** A server that answers, but not with a decision: each time the claim is unavailable, says why, and the ledger decides alone. */
import { expect, test } from 'vitest';
import { MemoryBooks } from '../../src/ledger/memory-ledger.ts';
import { noon } from '../../src/testing/wire-scans.ts';
import { request, untilAnswering, workerOver } from '../support/claim-worker.ts';
import { patient, startScene, storeAt, storeBehindProxy } from '../support/redis-scene.ts';
import { callsOf, operatorOf, startRedis } from '../support/redis-server.ts';
import { startReplicaOf } from '../support/redis-topologies.ts';
import { until } from '../support/server.ts';

test('a full memory refuses claims, no scan is suppressed or refused for it, and room makes claims work again', async () => {
  const { server, store } = await startScene({ maxmemory: '4mb', 'maxmemory-policy': 'noeviction' }, patient);
  const earlier = request({ token: 'a' });
  await store.claim(earlier);
  await server.operator.config('SET', 'maxmemory', '1');
  const full = { kind: 'unavailable', reason: 'Redis says OOM: its memory is full.' };
  expect(await store.claim(request())).toEqual(full);
  expect(await store.claim(earlier)).toEqual(full);
  expect(await store.settle(earlier.key, 'a', 'entry-1')).toBe('unavailable');
  const worker = workerOver(store, new MemoryBooks());
  expect((await worker.submit(0)).words).toBe('committed 1');
  expect((await worker.submit(100)).words).toBe('suppressed 1 same_content 100');
  await server.operator.config('SET', 'maxmemory', '0');
  expect(await store.claim(request())).toEqual({ kind: 'first' });
});

test('a replica takes no claims; the address behind which the master moves is followed without a restart', async () => {
  const { server, proxy, store } = await startScene({}, patient);
  const replica = await startReplicaOf(server);
  await store.claim(request());
  await server.operator.replicaof('127.0.0.1', replica.port);
  expect(await store.claim(request())).toEqual({
    kind: 'unavailable',
    reason: 'Redis says READONLY: it is a replica, which takes no claims.',
  });
  const worker = workerOver(store, new MemoryBooks());
  expect((await worker.submit(0)).words).toBe('committed 1');
  await replica.operator.replicaof('NO', 'ONE');
  proxy.target = replica.port;
  await untilAnswering(store);
  expect(await store.claim(request())).toEqual({ kind: 'first' });
  expect((await worker.submit(100)).words).toBe('suppressed 1 same_content 100');
});

test('a server that wants a password says so, and lets us in again once it does not', async () => {
  const { server, store } = await startScene({}, patient);
  await server.operator.config('SET', 'requirepass', 'secret');
  const [guest, wrong, known] = await Promise.all(
    ['', ':wrong@', ':secret@'].map((user) => storeAt(`redis://${user}127.0.0.1:${server.port}`, patient)),
  );
  expect((await guest?.claim(request()))?.kind).toBe('unavailable');
  expect((await wrong?.claim(request()))?.kind).toBe('unavailable');
  expect(await known?.claim(request())).toEqual({ kind: 'first' });
  await server.operator.config('SET', 'requirepass', '');
  if (guest !== undefined) await untilAnswering(guest);
  await untilAnswering(store);
});

test('a user of the access list who may do nothing but claim is enough', async () => {
  const { server } = await startScene({}, patient);
  const rights = ['on', '>pa:ss@word', '~scan:idem:*', '-@all', '+set', '+get', '+eval', '+evalsha', '+info'];
  await server.operator.call('acl', 'setuser', 'gate', ...rights);
  const store = await storeAt(`redis://gate:pa%3Ass%40word@127.0.0.1:${server.port}`, patient);
  const asked = request({ token: 'a' });
  expect(await store.claim(asked)).toEqual({ kind: 'first' });
  expect(await store.settle(asked.key, 'a', 'entry-1')).toBe('settled');
  expect(await store.claim(request({ key: 'other:key' }))).toEqual({
    kind: 'unavailable',
    reason: 'Redis says NOPERM: the user may not do this.',
  });
});

test('a script that does not end makes claims unavailable until it is ended', async () => {
  const { server, store } = await startScene({ 'busy-reply-threshold': '1' }, patient);
  const endless = operatorOf(server.port).eval('while true do end', 0);
  const ended = endless.catch((error: Error) => error.message);
  const told = await until(async () => {
    const reply = await store.claim(request());
    return reply.kind === 'unavailable' && reply.reason.includes('BUSY') ? reply.reason : undefined;
  });
  expect(told).toBe('Redis says BUSY: it runs a script that does not end.');
  await server.operator.call('script', 'kill');
  expect(await ended).toContain('Script killed');
  await untilAnswering(store);
});

test('a server that loads its data does not say that a key is free', async () => {
  const slowly = { 'loading-process-events-interval-bytes': '1024', 'enable-debug-command': 'yes' };
  const { server, store } = await startScene(slowly, patient);
  const held = request({ token: 'a' });
  await store.claim(held);
  await server.operator.call('debug', 'populate', '1000', 'filler', '100');
  await server.operator.config('SET', 'key-load-delay', '300');
  const loaded = server.operator.call('debug', 'reload');
  const told = new Set<string>();
  await until(async () => {
    const reply = await store.claim({ ...held, token: 'b' });
    if (reply.kind === 'unavailable') told.add(reply.reason);
    else if (told.size > 0) return reply.kind;
    return undefined;
  }).then((kind) => expect(kind).toBe('pending'));
  expect([...told]).toContain('Redis says LOADING: it is still loading its data.');
  await loaded;
});

test.each(['1', 'p|', 'p|x|token', 'c|1|token', 'q|1|token', '{"status":"done"}'])(
  'a key that holds %j, which is no claim, decides nothing',
  async (value) => {
    const { server, store } = await scene();
    const asked = request();
    await server.operator.set(asked.key, value);
    expect(await store.claim(asked)).toEqual({ kind: 'unavailable', reason: 'The key holds something that is not a claim.' });
    expect(await store.settle(asked.key, asked.token, 'entry-1')).toBe('stale');
    expect(await store.moveOn(asked, 'token')).toBe('stale');
    expect(await server.operator.get(asked.key)).toBe(value);
  },
);

test('a key of another type decides nothing', async () => {
  const { server, store } = await scene();
  const asked = request();
  await server.operator.hset(asked.key, 'field', 'value');
  expect(await store.claim(asked)).toEqual({
    kind: 'unavailable',
    reason: 'Redis says WRONGTYPE: the key holds something that is not a claim.',
  });
  expect(await store.settle(asked.key, asked.token, 'entry-1')).toBe('unavailable');
});

test.each([0, -1, Number.NaN, 0.5])('a claim of %d ms is never written, with or without an end', async (ttlMs) => {
  const { server, store } = await scene();
  const asked = request({ ttlMs });
  expect((await store.claim(asked)).kind).toBe('unavailable');
  expect(await server.operator.exists(asked.key)).toBe(0);
});

test('scripts that the server has forgotten are sent again, also for a hundred claims at once', async () => {
  const { server, store } = await scene();
  const asked = Array.from({ length: 100 }, (_, index) => request({ token: `t${index}` }));
  await Promise.all(asked.map((one) => store.claim(one)));
  await server.operator.script('FLUSH');
  await server.operator.config('RESETSTAT');
  const settled = await Promise.all(asked.map(({ key, token }) => store.settle(key, token, 'entry-1')));
  expect(settled).toEqual(Array(100).fill('settled'));
  expect(await callsOf(server, 'eval')).toBe(100);
  const again = await Promise.all(asked.map((one) => store.moveOn({ ...one, token: 'n', occurredAt: noon }, one.token)));
  expect(again).toEqual(Array(100).fill('moved'));
  expect(await callsOf(server, 'evalsha')).toBe(200);
});

let shared: ReturnType<typeof openScene> | undefined;

function scene() {
  shared ??= openScene();
  return shared;
}

async function openScene() {
  const server = await startRedis();
  return { server, ...(await storeBehindProxy(server, patient)) };
}

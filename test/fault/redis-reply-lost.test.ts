/** What a store knows again, and what it never takes for an answer, when a reply is lost between the server and us. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { noon } from '../../src/testing/wire-scans.ts';
import { answerOf, request, untilAnswering } from '../support/claim-worker.ts';
import { type ProxiedStore, storeAt, storeBehindProxy } from '../support/redis-scene.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { until } from '../support/server.ts';
import type { ProxyFault } from '../support/tcp-proxy.ts';

const faults: [string, ProxyFault][] = [
  ['its connection is reset', { kind: 'reset' }],
  ['nothing comes any more', { kind: 'swallow' }],
  ['it comes too late', { kind: 'delay', ms: 500 }],
];

let server: RedisServer;
let scene: ProxiedStore;

beforeAll(async () => {
  server = await startRedis();
});

beforeEach(async () => {
  await server.operator.flushall();
  scene = await storeBehindProxy(server, { deadlineMs: 200 });
  await haveScriptsKnown(scene);
});

/** So that what is lost is the reply to the script, and not the one that says that it is not known. */
async function haveScriptsKnown({ store }: ProxiedStore): Promise<void> {
  const asked = request();
  await until(async () => (await store.moveOn(asked, 'nobody')) === 'stale' || undefined);
  await until(async () => (await store.settle(asked.key, 'nobody', 'entry-0')) === 'stale' || undefined);
}

async function under<T>({ proxy, store }: ProxiedStore, fault: ProxyFault, run: () => Promise<T>): Promise<T> {
  proxy.fault = fault;
  const result = await run();
  proxy.fault = { kind: 'none' };
  await untilAnswering(store);
  return result;
}

test.each(faults)('an attempt whose reply was lost knows its own claim again when %s', async (_how, fault) => {
  const asked = request({ token: 'a' });
  expect(await under(scene, fault, () => scene.store.claim(asked))).toMatchObject({ kind: 'unavailable' });
  expect(await answerOf(scene.store, asked)).toEqual({ kind: 'own' });
  const rival = await storeAt(server.url);
  expect(await answerOf(rival, { ...asked, token: 'b' })).toEqual({ kind: 'pending', occurredAt: noon, token: 'a' });
});

test.each(faults)('a claim is settled though nobody heard of it when %s', async (_how, fault) => {
  const asked = request({ token: 'a' });
  await answerOf(scene.store, asked);
  expect(await under(scene, fault, () => scene.store.settle(asked.key, 'a', 'entry-1'))).toBe('unavailable');
  const committed = { kind: 'committed', occurredAt: noon, token: 'a', entryId: 'entry-1' };
  expect(await answerOf(scene.store, { ...asked, token: 'b' })).toEqual(committed);
  expect(await scene.store.settle(asked.key, 'a', 'entry-1')).toBe('settled');
});

test.each(faults)('a claim has moved on though nobody heard of it when %s, and its new owner knows it', async (_how, fault) => {
  const asked = request({ token: 'a' });
  await answerOf(scene.store, asked);
  const newcomer = { ...asked, token: 'b', occurredAt: noon + 9_000 };
  expect(await under(scene, fault, () => scene.store.moveOn(newcomer, 'a'))).toBe('unavailable');
  expect(await scene.store.moveOn(newcomer, 'a')).toBe('stale');
  expect(await answerOf(scene.store, newcomer)).toEqual({ kind: 'own' });
});

test('a late reply answers no later claim', async () => {
  const { proxy, store } = scene;
  const held = request({ token: 'a' });
  await answerOf(store, held);
  proxy.fault = { kind: 'delay', ms: 500 };
  expect(await store.claim({ ...held, token: 'b' })).toEqual({
    kind: 'unavailable',
    reason: 'Redis has not answered within 200 ms.',
  });
  proxy.fault = { kind: 'none' };
  const told = new Set<string>();
  const heldBackUntil = performance.now() + 1_000;
  while (performance.now() < heldBackUntil) {
    told.add((await store.claim(request())).kind);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([...told].sort()).toEqual(['first', 'unavailable']);
  expect(proxy.hits).toBeGreaterThan(0);
});

test('when one of many replies is lost, none of the others is taken for it', async () => {
  const { proxy, store } = scene;
  const held = [request({ token: 'a' }), request({ token: 'b' })];
  await Promise.all(held.map((asked) => answerOf(store, asked)));
  proxy.fault = { kind: 'swallow one' };
  const together = [request(), ...held.map((asked) => ({ ...asked, token: 'z' })), request()];
  const replies = await Promise.all(together.map((asked) => store.claim(asked)));
  expect(replies.map(({ kind }) => kind)).toEqual(['unavailable', 'unavailable', 'unavailable', 'unavailable']);
  expect(proxy.hits).toBe(1);
});

test('a server that never finishes the handshake costs a claim no time, and is used once it does', async () => {
  const { proxy, store } = scene;
  proxy.fault = { kind: 'swallow', handshakes: true };
  expect((await store.claim(request())).kind).toBe('unavailable');
  await new Promise((resolve) => setImmediate(resolve));
  const startedAt = performance.now();
  for (let count = 0; count < 100; count += 1) expect((await store.claim(request())).kind).toBe('unavailable');
  expect(performance.now() - startedAt).toBeLessThan(500);
  proxy.fault = { kind: 'none' };
  await untilAnswering(store);
});

test('a connection that is cut between two claims is made anew', async () => {
  const { proxy, store } = scene;
  for (let count = 0; count < 20; count += 1) {
    proxy.cut();
    await untilAnswering(store);
  }
});

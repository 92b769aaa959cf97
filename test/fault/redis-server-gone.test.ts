/** A server that forgets, hangs, dies or comes back: nothing is suppressed that is not in the ledger, and claims recover by themselves. */
import { expect, test } from 'vitest';
import type { ClaimStore } from '../../src/claim/claim-store.ts';
import { openRedisClaimStore } from '../../src/claim/redis-claims.ts';
import { MemoryBooks } from '../../src/ledger/memory-ledger.ts';
import { request, untilAnswering, workerOver } from '../support/claim-worker.ts';
import { closedLater, patient, startScene, storeAt } from '../support/redis-scene.ts';
import { freePort, startRedis } from '../support/redis-server.ts';

test('after a flush the retransmission is suppressed by the ledger, and never committed twice', async () => {
  const { server, store } = await startScene({}, patient);
  const books = new MemoryBooks();
  const worker = workerOver(store, books);
  expect((await worker.submit(0)).words).toBe('committed 1');
  await server.operator.flushall();
  expect((await worker.submit(200)).words).toBe('suppressed 1 same_content 200');
  expect(worker.replies.map(({ kind }) => kind)).toEqual(['first', 'first']);
  expect(books.lines).toHaveLength(1);
});

test('after its claims were evicted the retransmission and the double are suppressed by the ledger', async () => {
  const { server, store } = await startScene({ maxmemory: '5mb', 'maxmemory-policy': 'allkeys-lru' }, patient);
  const books = new MemoryBooks();
  const worker = workerOver(store, books);
  expect((await worker.submit(0, { scan_uuid: 'pull-1' })).words).toBe('committed 1');
  for (let filler = 0; (await server.operator.keys('scan:idem:*')).length > 0; filler += 1) {
    await server.operator.set(`filler-${filler}`, 'x'.repeat(100_000));
  }
  expect((await worker.submit(0, { scan_uuid: 'pull-1' })).words).toBe('suppressed 1 same_scan_id 0');
  expect((await worker.submit(200, { scan_uuid: 'pull-2' })).words).toBe('suppressed 1 same_content 200');
  expect(books.lines).toHaveLength(1);
});

test('no key of a claim is without an end, whether it was just taken, settled or moved on', async () => {
  const { server, store } = await startScene({}, patient);
  const [taken, settled, moved] = [request({ token: 'a' }), request({ token: 'a' }), request({ token: 'a' })];
  for (const claim of [taken, settled, moved]) await store.claim(claim);
  expect(await store.settle(settled.key, 'a', 'entry-1')).toBe('settled');
  expect(await store.moveOn({ ...moved, token: 'b' }, 'a')).toBe('moved');
  const keys = await server.operator.keys('*');
  expect(keys.toSorted()).toEqual([taken.key, settled.key, moved.key].toSorted());
  const lives = await Promise.all(keys.map((key) => server.operator.pttl(key)));
  expect(lives.filter((ms) => ms <= 0 || ms > 60_000)).toEqual([]);
});

test('a claim whose owner died before its commit suppresses nothing', async () => {
  const { store } = await startScene({}, patient);
  const books = new MemoryBooks();
  const worker = workerOver(store, books);
  await worker.submit(0, { lot_number: 'A' });
  const dead = workerOver(neverSettling(store), new MemoryBooks());
  await dead.submit(60_000, { lot_number: 'B' });
  expect((await worker.submit(60_100, { lot_number: 'B' })).words).toBe('committed 2');
  expect(worker.replies.map(({ kind }) => kind)).toEqual(['first', 'pending']);
  expect((await worker.submit(60_200, { lot_number: 'B' })).words).toBe('suppressed 2 same_content 100');
});

/** A store whose owner dies before it tells it what became of its claim. */
function neverSettling(store: ClaimStore): ClaimStore {
  const never = () => new Promise<never>(() => undefined);
  return {
    keyedBy: store.keyedBy,
    claim: (asked) => store.claim(asked),
    settle: never,
    moveOn: never,
    close: () => store.close(),
  };
}

test('a server that is stopped costs the first batch one deadline and later ones nothing; continued, it is used again', async () => {
  const { server, store } = await startScene();
  const books = new MemoryBooks();
  const worker = workerOver(store, books);
  server.signal('SIGSTOP');
  const answers = [];
  for (let index = 0; index < 100; index += 1) answers.push(await worker.submit(index * 10_000));
  expect(answers.map(({ words }) => words)).toEqual(Array.from({ length: 100 }, (_, index) => `committed ${index + 1}`));
  expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(500);
  expect(answers.reduce((sum, { tookMs }) => sum + tookMs, 0)).toBeLessThan(1_500);
  expect(worker.degraded).toHaveLength(100);
  server.signal('SIGCONT');
  await untilAnswering(store);
  expect((await worker.submit(990_100)).words).toBe('suppressed 100 same_content 100');
});

test('a server that is killed and comes back empty is used again, without a restart of ours', async () => {
  const { server, store } = await startScene();
  const books = new MemoryBooks();
  const worker = workerOver(store, books);
  expect((await worker.submit(0)).words).toBe('committed 1');
  await server.kill();
  for (let index = 1; index <= 100; index += 1) {
    const { words, tookMs } = await worker.submit(index * 10_000);
    expect(words).toBe(`committed ${index + 1}`);
    expect(tookMs).toBeLessThan(500);
  }
  expect(worker.degraded.length).toBeGreaterThanOrEqual(100);
  await server.restart();
  await untilAnswering(store);
  expect((await worker.submit(100)).words).toBe('suppressed 1 same_content 100');
});

test('where no server listens, a store opens all the same, and answers as soon as there is one', async () => {
  const port = await freePort();
  const store = await storeAt(`redis://127.0.0.1:${port}`);
  const reply = await store.claim(request());
  expect(reply).toEqual({ kind: 'unavailable', reason: `Redis cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}` });
  await startRedis({ port: `${port}` });
  await untilAnswering(store);
});

test('a connection that an operator kills is made anew', async () => {
  const { server, store } = await startScene({}, patient);
  for (let count = 0; count < 10; count += 1) {
    await server.operator.call('client', 'kill', 'type', 'normal', 'skipme', 'yes');
    await untilAnswering(store);
    expect(await store.claim(request())).toEqual({ kind: 'first' });
  }
});

test('a store that is closed decides nothing, whether it was connected or not', async () => {
  const server = await startRedis();
  const connected = await openRedisClaimStore(server.url);
  const unconnected = closedLater(await openRedisClaimStore(`redis://127.0.0.1:${await freePort()}`));
  for (const store of [connected, unconnected]) {
    await store.close();
    await store.close();
    expect((await store.claim(request())).kind).toBe('unavailable');
    expect(await store.settle('scan:idem:test', 'a', 'entry-1')).toBe('unavailable');
  }
});

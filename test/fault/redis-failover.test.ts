/** Another server takes the place of the one that granted a claim. Replication is asynchronous, so it may not know the claim. */
import { beforeAll, expect, test } from 'vitest';
import { MemoryBooks } from '../../src/ledger/memory-ledger.ts';
import { request, untilAnswering, workerOver } from '../support/claim-worker.ts';
import { storeAt } from '../support/redis-scene.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type Sentinel, startReplicaOf, startSentinelOf, untilReplicaIsKnown } from '../support/redis-topologies.ts';

let master: RedisServer;
let replica: RedisServer;
let sentinel: Sentinel;

beforeAll(async () => {
  master = await startRedis();
  replica = await startReplicaOf(master);
  sentinel = await startSentinelOf(master);
  await untilReplicaIsKnown(sentinel);
});

test('the Sentinels are followed to the promoted replica; a claim it never saw is decided by the ledger, once', async () => {
  const url = `redis+sentinel://127.0.0.1:${sentinel.port}/claims`;
  const store = await storeAt(url, { deadlineMs: 1_000, waitReplicas: { count: 1, withinMs: 500 } });
  const books = new MemoryBooks();
  const worker = workerOver(store, books);
  const seen = request({ token: 'a' });
  expect(await store.claim(seen)).toEqual({ kind: 'first', replicas: 1 });

  // The replica copies nothing more, as when the network between the two is cut; then the master dies.
  replica.signal('SIGSTOP');
  await master.operator.call('client', 'kill', 'type', 'replica');
  expect((await worker.submit(0)).words).toBe('committed 1');
  expect(worker.replies).toEqual([{ kind: 'first', replicas: 0 }]);
  await master.kill();
  replica.signal('SIGCONT');
  const during = await worker.submit(10_000);
  expect(during.words).toBe('committed 2');
  expect(during.tookMs).toBeLessThan(500);

  await untilAnswering(store, 30_000);
  expect(await replica.operator.info('replication')).toContain('role:master');
  expect(await store.claim({ ...seen, token: 'b' })).toMatchObject({ kind: 'pending', token: 'a' });
  expect((await worker.submit(100)).words).toBe('suppressed 1 same_content 100');
  expect(worker.replies.map(({ kind }) => kind)).toEqual(['first', 'unavailable', 'first']);
  expect(books.lines).toHaveLength(2);
});

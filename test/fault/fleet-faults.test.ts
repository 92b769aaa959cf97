/** Four workers, a thousand picks, while the servers behind them fail, one after the other. */
import { beforeAll, expect, test } from 'vitest';
import { contradictoryPicks, sendPicks, startWorkers } from '../support/fleet.ts';
import { getJson, ledgerLines } from '../support/http-client.ts';
import { breaksIn } from '../support/postgres-audit.ts';
import { type Books, startBooks } from '../support/postgres-books.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type Sentinel, startReplicaOf, startSentinelOf, untilReplicaIsKnown } from '../support/redis-topologies.ts';
import { until } from '../support/server.ts';
import { seeded } from '../support/server-seed.ts';

let books: Books;
let master: RedisServer;
let replica: RedisServer;
let sentinel: Sentinel;

beforeAll(async () => {
  const { newBooks } = await startBooks();
  books = await newBooks();
  master = await startRedis();
  replica = await startReplicaOf(master);
  sentinel = await startSentinelOf(master);
  await untilReplicaIsKnown(sentinel);
}, 60_000);

test('are a thousand lines while Redis is flushed, paused, read-only, restarted and failed over, and PostgreSQL crashes', async () => {
  const workers = await startWorkers(4, books.server, {
    SCANGATE_REDIS: `redis+sentinel://127.0.0.1:${sentinel.port}/claims`,
  });
  const sending = sendPicks({ picks: 1_000, spreadMs: 14_000, below: seeded().below, workers });
  const [worker] = workers;
  if (worker === undefined) throw new Error('There is no worker.');
  const reached = (count: number) =>
    until(async () => {
      const [row] = await books.query('SELECT count(*)::int AS lines FROM scangate.ledger_lines');
      return Number(row?.['lines']) >= count || undefined;
    }, 60_000);

  await reached(100);
  await master.operator.flushall();
  await reached(200);
  master.signal('SIGSTOP');
  await reached(300);
  master.signal('SIGCONT');
  await reached(400);
  await master.operator.config('SET', 'min-replicas-to-write', '5');
  await reached(500);
  await master.operator.config('SET', 'min-replicas-to-write', '0');
  await reached(600);
  await books.server.stop('SIGKILL');
  await books.server.start();
  await reached(700);
  await master.kill();
  const picks = await sending;

  expect(picks).toHaveLength(1_000);
  expect(contradictoryPicks(picks)).toEqual([]);
  const lines = await ledgerLines(worker);
  expect(new Set(lines.map(({ serial_number }) => serial_number)).size).toBe(1_000);
  expect(lines).toHaveLength(1_000);
  expect(await breaksIn(books)).toEqual([]);
  // The Sentinel has promoted the replica: claims are back without a restart.
  await until(async () => /role:master/.test(await replica.operator.info('replication')) || undefined, 30_000);
  await sendPicks({ picks: 4, spreadMs: 100, below: seeded().below, workers: [worker] });
  const { claims } = await until(async () => {
    const health = await getJson<{ claims: { state: string } }>(worker, '/v1/health');
    return health.claims.state === 'ok' ? health : undefined;
  }, 30_000);
  expect(claims).toMatchObject({ state: 'ok' });
  await Promise.all(workers.map((one) => one.stop()));
});

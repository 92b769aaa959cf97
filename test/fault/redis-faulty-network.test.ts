/** Ten workers, each behind a network of its own that fails every claim in one way: the ledger decides alone, and in time. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { RedisOptions } from '../../src/claim/redis-claims.ts';
import { MemoryBooks } from '../../src/ledger/memory-ledger.ts';
import { type Answered, type ClaimWorker, untilAnswering, workerOver } from '../support/claim-worker.ts';
import { type ProxiedStore, patient, storeBehindProxy } from '../support/redis-scene.ts';
import { callsOf, type RedisServer, startRedis } from '../support/redis-server.ts';
import type { ProxyFault } from '../support/tcp-proxy.ts';

const scansEach = 10;

interface Worker extends ProxiedStore, ClaimWorker {}

let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
});

beforeEach(() => server.operator.flushall());

async function openWorkers(books: MemoryBooks, options?: RedisOptions): Promise<Worker[]> {
  const proxied = await Promise.all(Array.from({ length: 10 }, () => storeBehindProxy(server, options)));
  return proxied.map(({ proxy, store }) => ({ proxy, store, ...workerOver(store, books) }));
}

/** One scan after the other, each on a connection that works until the claim is sent. */
async function submitEach(worker: Worker, fault: ProxyFault, lotOf: (index: number) => string): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (let index = 0; index < scansEach; index += 1) {
    worker.proxy.fault = { kind: 'none' };
    await untilAnswering(worker.store);
    worker.proxy.fault = fault;
    answers.push(await worker.submit(index * 10_000, { lot_number: lotOf(index) }));
  }
  worker.proxy.fault = { kind: 'none' };
  return answers;
}

async function submitThroughAll(workers: readonly Worker[], fault: ProxyFault): Promise<Answered[]> {
  const each = workers.map((worker, number) => submitEach(worker, fault, (index) => `L${number}-${index}`));
  return (await Promise.all(each)).flat();
}

const hitsOf = (workers: readonly Worker[]): number => workers.reduce((sum, { proxy }) => sum + proxy.hits, 0);
const outcomeOf = ({ words }: Answered): string | undefined => words.split(' ')[0];
const slowestOf = (answers: readonly Answered[]): number => Math.max(...answers.map(({ tookMs }) => tookMs));

test.each<[string, ProxyFault]>([
  ['the claim is applied and its reply is lost with the connection', { kind: 'reset' }],
  ['the reply never comes', { kind: 'swallow' }],
  ['the reply comes after the deadline', { kind: 'delay', ms: 400 }],
  ['one reply is lost and all later ones come', { kind: 'swallow one' }],
])('a hundred scans are each committed within half a second when %s', async (_how, fault) => {
  const books = new MemoryBooks();
  const workers = await openWorkers(books);
  const answers = await submitThroughAll(workers, fault);
  expect(answers.map(outcomeOf)).toEqual(Array(100).fill('committed'));
  expect(slowestOf(answers)).toBeLessThan(500);
  expect(books.lines).toHaveLength(100);
  expect(workers.flatMap(({ replies }) => replies.map(({ kind }) => kind))).toEqual(Array(100).fill('unavailable'));
  expect(workers.map(({ degraded }) => degraded.length)).toEqual(Array(10).fill(10));
  expect(hitsOf(workers)).toBeGreaterThanOrEqual(100);

  const again = await submitThroughAll(workers, { kind: 'none' });
  expect(again.map(outcomeOf)).toEqual(Array(100).fill('suppressed'));
  expect(books.lines).toHaveLength(100);
});

test('a hundred scans are each committed with a claim when replies come late but within the deadline', async () => {
  const workers = await openWorkers(new MemoryBooks(), patient);
  const answers = await submitThroughAll(workers, { kind: 'delay', ms: 50 });
  expect(answers.map(outcomeOf)).toEqual(Array(100).fill('committed'));
  expect(workers.flatMap(({ replies }) => replies)).toEqual(Array(100).fill({ kind: 'first' }));
  expect(hitsOf(workers)).toBeGreaterThanOrEqual(100);
});

test('no claim is sent twice by the client, whose connection is lost before each reply', async () => {
  const [worker] = await openWorkers(new MemoryBooks());
  if (worker === undefined) throw new Error('There is no worker.');
  await server.operator.config('RESETSTAT');
  const before = worker.replies.length;
  worker.proxy.fault = { kind: 'reset' };
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => worker.submit(index, { lot_number: `T-${index}` })),
  );
  expect(answers.map(outcomeOf)).toEqual(Array(100).fill('committed'));
  expect(worker.replies.slice(before).map(({ kind }) => kind)).toEqual(Array(100).fill('unavailable'));
  worker.proxy.fault = { kind: 'none' };
  const keys = await server.operator.keys('scan:idem:*');
  const sent = await callsOf(server, 'set');
  expect(sent).toBe(100);
  expect(keys).toHaveLength(100);
  await untilAnswering(worker.store);
  expect(await callsOf(server, 'set')).toBeLessThanOrEqual(sent + 1);
});

/** Two workers while PostgreSQL lets nobody write to a facility: what is told meanwhile, and what is in the ledger in the end. */
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startWorkers } from '../support/fleet.ts';
import { journalRecords, ledgerLines, post } from '../support/http-client.ts';
import { dispense, recently } from '../support/http-client-scans.ts';
import { breaksIn } from '../support/postgres-audit.ts';
import { type Books, database, startBooks } from '../support/postgres-books.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type ServerProcess, until } from '../support/server.ts';

const windowMs = 400;

let redis: RedisServer;
let books: Books;
let first: ServerProcess;
let second: ServerProcess;

beforeAll(async () => {
  const { newBooks } = await startBooks();
  redis = await startRedis();
  books = await newBooks();
  await startFleet(windowMs + 1);
}, 120_000);

/** Each test has a facility of its own. */
let facility: string;
let facilities = 0;

/** Two workers whose claims live no longer than this, ms. */
async function startFleet(claimMs: number): Promise<void> {
  const guardMs = claimMs - windowMs;
  const env = { SCANGATE_REDIS: redis.url, SCANGATE_WINDOW_MS: `${windowMs}`, SCANGATE_GUARD_MS: `${guardMs}` };
  [first, second] = (await startWorkers(2, books.server, env)) as [ServerProcess, ServerProcess];
}

beforeEach(() => {
  facilities += 1;
  facility = `slow-${facilities}`;
});

/** The facility has a head, and nobody a claim. */
async function begin(): Promise<void> {
  expect((await post(second, dispense(facility, { lot_number: 'EARLIER' }))).status).toBe(201);
  await redis.operator.flushall();
}

/** Holds the head of the facility, as another program does that writes to its books for long. */
async function holdFacility(): Promise<() => Promise<void>> {
  const other = new pg.Client(books.server.url(database));
  await other.connect();
  let released = false;
  const release = async (): Promise<void> => {
    if (!released) await other.end();
    released = true;
  };
  onTestFinished(release);
  await other.query(`BEGIN; SELECT FROM scangate.facilities WHERE facility_uuid = '${facility}' FOR UPDATE`);
  return release;
}

const untilClaims = (count: number) => until(async () => (await redis.operator.dbsize()) === count || undefined);

/** How many of our transactions wait for the head. */
const untilWaiting = (count: number) =>
  until(async () => {
    const [row] = await books.query("SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
    return row?.['waiting'] === count || undefined;
  });

const scan = (changes: object = {}): Record<string, unknown> => dispense(facility, { scan_uuid: 'trigger-1', ...changes });

describe('while the first transmission waits for the ledger', () => {
  test('its retry, its double and other content under its id wait at another worker, and hear of its entry', async () => {
    await begin();
    const release = await holdFacility();
    const original = post(first, scan());
    await untilWaiting(1);
    const others = [scan(), scan({ scan_uuid: 'trigger-2', captured_at: recently + 300 }), scan({ quantity: 20 })].map((other) =>
      post(second, other),
    );
    await untilWaiting(2);
    await release();
    const [committed, retry, double, otherContent] = await Promise.all([original, ...others]);
    expect([committed, retry, double, otherContent].map((answered) => answered?.status)).toEqual([201, 200, 200, 422]);
    const of = committed.answer.entry;
    expect(retry?.answer).toMatchObject({ of, reason: 'same_scan_id' });
    expect(double?.answer).toMatchObject({ of, reason: 'same_content', gap_ms: 300 });
    expect(otherContent?.answer).toMatchObject({ of, outcome: 'conflict', differs: ['quantity'] });
    expect(await ledgerLines(second, facility)).toHaveLength(2);
    expect(await journalRecords(second, facility)).toHaveLength(5);
    expect(await breaksIn(books)).toEqual([]);
  });

  test('a double whose claim has run out meanwhile is judged by the times of the scans, not by how slow the ledger was', async () => {
    await begin();
    const release = await holdFacility();
    const original = post(first, scan());
    await untilWaiting(1);
    await untilClaims(0);
    const double = post(second, scan({ scan_uuid: 'trigger-2', captured_at: recently + 300 }));
    await untilWaiting(2);
    await release();
    expect((await original).status).toBe(201);
    expect((await double).answer).toMatchObject({ outcome: 'suppressed', of: (await original).answer.entry, gap_ms: 300 });
    expect(await ledgerLines(second, facility)).toHaveLength(2);
  });
});

test('a batch of which some scans cannot be decided in time is answered item by item, and the rest is committed', async () => {
  await begin();
  const release = await holdFacility();
  const batch = Array.from({ length: 20 }, (_, index) =>
    dispense(index % 5 === 3 ? facility : `free-${index % 3}`, { scan_uuid: `trigger-${index}`, lot_number: `LOT-${index}` }),
  );
  const answered = await post(first, batch);
  expect(answered.status).toBe(207);
  const words = answered.answers.map(({ outcome, code, scan_uuid }) => `${scan_uuid} ${code ?? outcome}`);
  expect(words).toEqual(batch.map((_, index) => `trigger-${index} ${index % 5 === 3 ? 'SG_LEDGER_BUSY' : 'committed'}`));
  await release();
  const again = await post(second, batch);
  expect(again.answers.map(({ outcome }) => outcome)).toEqual(
    batch.map((_, index) => (index % 5 === 3 ? 'committed' : 'suppressed')),
  );
  expect(await ledgerLines(second, facility)).toHaveLength(5);
});

describe('a worker', () => {
  test('that is stopped after its claim until another has committed reports a duplicate when it goes on', async () => {
    await begin();
    const release = await holdFacility();
    const slow = post(first, scan());
    await untilWaiting(1);
    first.kill('SIGSTOP');
    await untilClaims(0);
    const double = post(second, scan({ scan_uuid: 'trigger-2', captured_at: recently + 300 }));
    await untilWaiting(2);
    // What the stopped worker began is ended, as the server does by itself after a while.
    await books.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' ORDER BY query_start LIMIT 1",
    );
    await release();
    expect((await double).status).toBe(201);
    first.kill('SIGCONT');
    expect((await slow).answer).toMatchObject({ outcome: 'suppressed', of: (await double).answer.entry, gap_ms: 300 });
    expect(await ledgerLines(second, facility)).toHaveLength(2);
    expect(await breaksIn(books)).toEqual([]);
  });

  test('that is killed between its claim and its commit leaves nobody a duplicate of nothing', async () => {
    await startFleet(60_000);
    await begin();
    const release = await holdFacility();
    const lost = post(first, scan()).catch((error: Error) => error.message);
    await untilWaiting(1);
    expect(await redis.operator.dbsize()).toBe(1);
    first.kill('SIGKILL');
    await first.ended;
    expect(await lost).toMatch(/socket hang up|ECONNRESET/);
    const retry = post(second, scan());
    await untilWaiting(2);
    await release();
    expect((await retry).status).toBe(201);
    expect((await post(second, scan())).answer).toMatchObject({ outcome: 'suppressed', of: (await retry).answer.entry });
    expect(await ledgerLines(second, facility)).toHaveLength(2);
    expect(await breaksIn(books)).toEqual([]);
  });
});

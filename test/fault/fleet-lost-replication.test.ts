/**
 * A fleet over a Redis whose last claims are lost at its failover: the master goes on granting claims that its replica never hears of, dies,
 * and the replica is promoted. So claims are granted twice. Lines are not.
 */
import { beforeAll, expect, test } from 'vitest';
import type { JournalRecord } from '../../src/ledger/journal-record.ts';
import { type Pick, sendPicks, startWorkers, untilLines, wrongPicks } from '../support/fleet.ts';
import { journalRecords, ledgerLines, post } from '../support/http-client.ts';
import { breaksIn } from '../support/postgres-audit.ts';
import { type Books, startBooks } from '../support/postgres-books.ts';
import { type RedisServer, startRedis, untilInfo } from '../support/redis-server.ts';
import { startReplicaOf, startSentinelOf, untilReplicaIsKnown } from '../support/redis-topologies.ts';
import { startReplicationProxy } from '../support/replication-proxy.ts';
import { type ServerProcess, until } from '../support/server.ts';
import { seeded } from '../support/server-seed.ts';

let newBooks: () => Promise<Books>;

beforeAll(async () => {
  ({ newBooks } = await startBooks());
});

const picks = 600;
/** So long that no claim ends while a test runs. */
const windowMs = '120000';

/** Which token holds each key. */
type Tokens = ReadonlyMap<string, string>;

async function claimsOn({ operator }: RedisServer): Promise<Tokens> {
  const keys = (await operator.keys('scan:idem:*')).toSorted();
  const values = keys.length === 0 ? [] : await operator.mget(...keys);
  return new Map(keys.map((key, index) => [key, values[index]?.split('|')[2] ?? '']));
}

/** Each pick once more, now that the replica is asked. */
async function sendAgain(worker: ServerProcess, sent: readonly Pick[]): Promise<string[]> {
  const { answers } = await post(
    worker,
    sent.map(({ scan }) => scan),
  );
  return answers.map(({ outcome }) => outcome);
}

interface Told {
  /** What the replica knew, and what the master had granted, when the master died. */
  readonly known: Tokens;
  readonly granted: Tokens;
  /** What was granted in the end. */
  readonly promoted: Tokens;
  readonly records: readonly JournalRecord[];
}

/** Picks under way while the failover happens; each is one line, and everybody was told of it. */
async function failOver(settings: Readonly<Record<string, string>>): Promise<Told> {
  const books = await newBooks();
  const master = await startRedis();
  const proxy = await startReplicationProxy(master.port);
  const replica = await startReplicaOf({ ...master, port: proxy.port });
  const sentinel = await startSentinelOf(master);
  // It would lead the replica around the proxy, after this time.
  await sentinel.operator.call('sentinel', 'set', 'claims', 'failover-timeout', 600_000);
  // A busy machine is no dead master.
  await sentinel.operator.call('sentinel', 'set', 'claims', 'down-after-milliseconds', 600_000);
  await untilReplicaIsKnown(sentinel);
  const claims = {
    SCANGATE_REDIS: `redis+sentinel://127.0.0.1:${sentinel.port}/claims`,
    SCANGATE_WINDOW_MS: windowMs,
    SCANGATE_REDIS_DEADLINE_MS: '3000',
  };
  const workers = await startWorkers(4, books.server, { ...claims, ...settings });
  const [worker] = workers as [ServerProcess];
  const sending = sendPicks({ picks, spreadMs: 9_000, below: seeded().below, workers });

  await untilLines(books, 100);
  expect(await replica.operator.info('replication')).toContain(`master_port:${proxy.port}`);
  proxy.lose();
  const { known, granted } = await until(async () => {
    const [there, here] = await Promise.all([claimsOn(replica), claimsOn(master)]);
    const unknown = [...here.keys()].filter((key) => !there.has(key));
    return unknown.length >= 40 ? { known: there, granted: here } : undefined;
  }, 30_000);
  await sentinel.operator.call('sentinel', 'set', 'claims', 'down-after-milliseconds', 500);
  await master.kill();
  await untilInfo(replica, 'replication', 'role:master');
  const sent = await sending;
  const again = await sendAgain(worker, sent);
  expect(again).toEqual(Array(picks).fill('suppressed'));

  expect(proxy.lostBytes).toBeGreaterThan(0);
  expect(sent).toHaveLength(picks);
  expect(wrongPicks(sent)).toEqual([]);
  const lines = await ledgerLines(worker);
  expect(new Set(lines.map(({ serial_number }) => serial_number)).size).toBe(picks);
  expect(lines).toHaveLength(picks);
  expect(await breaksIn(books)).toEqual([]);
  const told = { known, granted, promoted: await claimsOn(replica), records: await journalRecords(worker) };
  await Promise.all(workers.map((one) => one.stop()));
  return told;
}

/** Keys that the dead master had granted to one worker, and the promoted replica, which did not know them, to another. */
function grantedTwice({ known, granted, promoted }: Told): string[] {
  return [...granted].flatMap(([key, token]) => {
    const later = promoted.get(key);
    return !known.has(key) && later !== undefined && later !== token ? [key] : [];
  });
}

function keysWithReplicas({ records }: Told, replicas: number): string[] {
  return records.flatMap(({ claim_replicas, identity }) => (claim_replicas === replicas ? [`scan:idem:${identity}`] : []));
}

test('claims are granted twice when the last of them never reached the replica, and each pick is one line', async () => {
  const told = await failOver({});
  expect(told.known.size).toBeGreaterThan(20);
  expect(grantedTwice(told).length).toBeGreaterThan(10);
});

test('who waits for the replica knows which claims it has, the others are granted twice, and each pick is one line', async () => {
  const told = await failOver({
    SCANGATE_REDIS_REPLICAS: '1',
    SCANGATE_REDIS_REPLICAS_MS: '500',
  });
  expect(grantedTwice(told).length).toBeGreaterThan(10);
  const acknowledged = keysWithReplicas(told, 1);
  expect(acknowledged.length).toBeGreaterThan(20);
  expect(acknowledged.filter((key) => !told.known.has(key))).toEqual([]);
  const unacknowledged = new Set(keysWithReplicas(told, 0));
  expect(grantedTwice(told).filter((key) => !unacknowledged.has(key))).toEqual([]);
});

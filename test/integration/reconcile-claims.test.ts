import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openClaimInspector } from '../../src/claim/redis-claim-inspector.ts';
import { createGuard } from '../../src/gate/guard.ts';
import { defaultScannerClass } from '../../src/identity/scanner-class.ts';
import type { LedgerLine } from '../../src/ledger/ledger-line.ts';
import type { PostgresLedger } from '../../src/ledger/postgres-ledger.ts';
import { noon, scanAt } from '../../src/testing/wire-scans.ts';
import { OwnLedger } from '../support/own-ledger.ts';
import { type Books, startBooks } from '../support/postgres-books.ts';
import { closedLater, patient, storeAt } from '../support/redis-scene.ts';
import { freePort, type RedisServer, startRedis } from '../support/redis-server.ts';
import { startCluster } from '../support/redis-topologies.ts';
import { type Ended, scangate } from '../support/server.ts';

/** So long that nothing ends while a test runs. */
const hour = 3_600_000;
const scannerClass = { ...defaultScannerClass, windowMs: hour };

let newBooks: () => Promise<Books>;
let redis: RedisServer;
let books: Books;
let ledger: PostgresLedger;

beforeAll(async () => {
  ({ newBooks } = await startBooks());
  redis = await startRedis();
});

beforeEach(async () => {
  await redis.operator.flushall();
  books = await newBooks();
  ledger = await books.open();
});

/** Scans of these lots that came just now, and one that came two hours ago. */
async function commit(...lots: readonly string[]): Promise<readonly LedgerLine[]> {
  const now = Date.now() - noon;
  await ledger.append([
    scanAt(now - 2 * hour, { lot_number: 'old' }, { scannerClass }),
    ...lots.map((lot_number) => scanAt(now, { lot_number }, { scannerClass })),
  ]);
  return (await ledger.lines({ limit: 100 })).items.slice(1);
}

function keyOf(line: LedgerLine | undefined): string {
  return `scan:idem:${line?.identity}`;
}

function reconcile(...args: readonly string[]): Promise<Ended> {
  return scangate(['reconcile', '--json', '--postgres', books.url, '--redis', redis.url, ...args]);
}

test('claims are written again after a loss of Redis, beside who has claimed meanwhile', async () => {
  const [first, second, third] = await commit('L1', 'L2', 'L3');
  const theirs = `p|${second?.occurred_at}|their-token`;
  await redis.operator.set(keyOf(second), theirs, 'PX', hour);

  const { code, stdout, stderr } = await reconcile('--rebuild-claims');
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual({ rebuilt: { lines: 3, written: 2, held: 1, ended: 0 } });
  expect(await redis.operator.get(keyOf(second))).toBe(theirs);
  expect(await redis.operator.dbsize()).toBe(3);
  const livesMs = await redis.operator.pttl(keyOf(third));
  expect(livesMs).toBeGreaterThan(hour - 120_000);
  expect(livesMs).toBeLessThanOrEqual(hour + 500);

  const store = await storeAt(redis.url);
  const request = { key: keyOf(first), occurredAt: first?.occurred_at ?? 0, token: 'again', ttlMs: 3_500 };
  expect(await store.claim(request)).toMatchObject({ kind: 'committed', entryId: first?.entry_id });
});

test('claims without an entry, entries without a claim and claims that hang are told, with exit code 2', async () => {
  const [first, second] = await commit('L1', 'L2');
  const set = (key: string, value: string, livesMs: number) => redis.operator.set(key, value, 'PX', livesMs);
  await set(keyOf(first), `c|${first?.occurred_at}|t|${first?.entry_id}`, hour);
  await set('scan:idem:gone', 'c|1|t|no-such-entry', hour);
  await set('scan:idem:hangs', 'p|1|t', 50_000);
  await set('scan:idem:waits', 'p|1|t', 500_000);
  await set('scan:idem:recipe', '1', hour);
  await redis.operator.set('scan:idem:ever', `p|1|t`);
  await redis.operator.set('of:somebody:else', 'x');

  const { code, stdout, stderr } = await reconcile('--guard-ms', '60000');
  expect([code, stderr]).toEqual([2, '']);
  const { claims, journal } = JSON.parse(stdout) as {
    claims: { differences: readonly { kind: string; key: string }[] };
    journal: object;
  };
  expect(journal).toEqual({ records: 3, lines: 3, unreadable: 0, differences: [] });
  expect(claims).toMatchObject({ claims: 6, pending: 3, foreign: 1, recent_lines: 2 });
  const found = claims.differences.map(({ kind, key }) => `${kind} ${key}`).toSorted();
  expect(found).toEqual([
    `claim_missing ${keyOf(second)}`,
    'entry_missing scan:idem:gone',
    'never_ends scan:idem:ever',
    'pending_too_long scan:idem:hangs',
  ]);
});

test('claims of a guard of the library in the same Redis are named, and are no difference', async () => {
  const guard = createGuard({ claims: await storeAt(redis.url, patient), leaseMs: 600_000 });
  const now = Date.now() - noon;
  const own = new OwnLedger();
  expect((await guard(scanAt(now, { lot_number: 'own' }).scan, own.commit)).outcome).toBe('committed');
  await guard(scanAt(now, { lot_number: 'hangs' }).scan, () => Promise.reject(new Error('The database is away.')));

  const report = (...args: readonly string[]) => scangate(['reconcile', '--postgres', books.url, '--redis', redis.url, ...args]);
  const { code, stdout, stderr } = await report('--json');
  expect([code, stderr]).toEqual([0, '']);
  const { claims } = JSON.parse(stdout) as { claims: object };
  expect(claims).toEqual({ claims: 2, pending: 0, foreign: 0, guarded: 2, recent_lines: 0, differences: [] });
  expect((await report()).stdout).toContain('Claims: 2, 0 of them pending, 2 with a lease, of guards of the library');
});

describe('the inspector', () => {
  test('says that Redis cannot be reached, and does not take it for empty', async () => {
    const inspector = closedLater(await openClaimInspector(`redis://127.0.0.1:${await freePort()}`));
    await expect(inspector.held(['scan:idem:0'])).rejects.toMatchObject({ code: 'SG_REDIS' });
  });

  test('finds the claims of every master of a cluster, and brings them back there', async () => {
    const { nodes } = await startCluster();
    const inspector = closedLater(await openClaimInspector(`redis+cluster://127.0.0.1:${nodes[0]?.port}`));
    const claims = Array.from({ length: 60 }, (_, index) => ({
      key: `scan:idem:${index}`,
      value: `p|${index}|t`,
      remainingMs: hour,
    }));
    expect([await inspector.restore(claims), await inspector.restore(claims)]).toEqual([60, 0]);
    const sizes = await Promise.all(nodes.map(({ operator }) => operator.dbsize()));
    expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(1);
    const found: string[] = [];
    for await (const { key, value } of inspector.claims()) found.push(`${key} ${value}`);
    expect(found.toSorted()).toEqual(claims.map(({ key, value }) => `${key} ${value}`).toSorted());
  });
});

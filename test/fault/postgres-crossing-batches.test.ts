import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import type { Decision, Transmission } from '../../src/ledger/ledger.ts';
import type * as LedgerModules from '../../src/ledger/postgres-ledger.ts';
import type { PostgresLedger } from '../../src/ledger/postgres-ledger.ts';
import { inWords } from '../../src/testing/decision-words.ts';
import { scanAt } from '../../src/testing/wire-scans.ts';
import { changed, copiedPackage } from '../support/changed-package.ts';
import { breaksIn } from '../support/postgres-audit.ts';
import { type Books, database, startBooks } from '../support/postgres-books.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/server.ts';

let server: PostgresServer;
let newBooks: () => Promise<Books>;

beforeAll(async () => {
  ({ server, newBooks } = await startBooks());
});

const facilities = Array.from({ length: 12 }, (_, index) => `F${String(index).padStart(2, '0')}`);
const rounds = 15;

/** One scan in every facility, in this order. Every round is one content in each facility, whoever sends it. */
const crossing = (names: readonly string[], round: number): Transmission[] =>
  names.map((facility_uuid) => scanAt(round * 60_000, { facility_uuid, scanner_id: 'SCN-1' }));

/** What became of the rounds, of two processes, each with batches in both orders under way. */
async function crossed(forwards: PostgresLedger, backwards: PostgresLedger): Promise<readonly Decision[]> {
  const sends = Array.from({ length: rounds }, (_, round) => [
    forwards.append(crossing(facilities, round)),
    backwards.append(crossing(facilities.toReversed(), round)),
    forwards.append(crossing(facilities.slice(4, 8), round)),
    backwards.append(crossing([...facilities.slice(6), ...facilities.slice(0, 6)], round)),
  ]);
  return (await Promise.all(sends.flat())).flat();
}

test('two processes whose batches meet many facilities in opposite order never deadlock', async () => {
  const books = await newBooks();
  const [forwards, backwards] = await Promise.all([books.open({ lockMs: 60_000 }), books.open({ lockMs: 60_000 })]);
  const decisions = await crossed(forwards, backwards);
  const committed = decisions.filter(({ outcome }) => outcome === 'committed');
  expect(committed).toHaveLength(facilities.length * rounds);
  expect(decisions.filter(({ outcome }) => outcome !== 'committed' && outcome !== 'suppressed')).toEqual([]);
  expect(await server.loggedCount('deadlock detected')).toBe(0);
  await Promise.all([forwards.close(), backwards.close()]);
  expect(await breaksIn(books)).toEqual([]);
});

test('the same batches deadlock where a batch locks its facilities in its own order: the sorting is what forbids it', async () => {
  const folder = copiedPackage();
  changed(folder, {
    file: 'ledger/postgres-statements.js',
    snippet: 'ORDER BY facility_uuid FOR UPDATE',
    instead: 'ORDER BY array_position($1::text[], facility_uuid) FOR UPDATE',
  });
  const { PostgresLedger: Unsorted } = (await import(join(folder, 'dist/ledger/postgres-ledger.js'))) as typeof LedgerModules;
  const books = await newBooks();
  await books.query("ALTER ROLE gate SET deadlock_timeout = '10ms'");
  const [forwards, backwards] = await Promise.all([Unsorted.open(books.url), Unsorted.open(books.url)]);
  await Promise.allSettled([crossed(forwards, backwards)]);
  await Promise.all([forwards.close(), backwards.close(), books.query('ALTER ROLE gate RESET deadlock_timeout')]);
  expect(await server.loggedCount('deadlock detected')).toBeGreaterThan(0);
});

test('a batch that is the victim of a deadlock with another program is decided again, and its sender does not see it', async () => {
  const books = await newBooks();
  await books.query("ALTER ROLE gate SET deadlock_timeout = '500ms'");
  const ledger = await books.open({ lockMs: 60_000 });
  await ledger.append(crossing(['F00', 'F11'], 0));

  const before = await server.loggedCount('deadlock detected');
  const other = new pg.Client({ connectionString: server.url(database) });
  await other.connect();
  await other.query("SET deadlock_timeout = '60s'");
  await other.query(`BEGIN; ${lockOf('F11')}`);
  const sent = ledger.append(crossing(['F00', 'F11'], 1));
  const waits = "SELECT 1 FROM pg_stat_activity WHERE usename = 'gate' AND wait_event_type = 'Lock'";
  await until(async () => (await books.query(waits)).length > 0 || undefined);
  await other.query(lockOf('F00'));
  await other.query('COMMIT');
  await other.end();

  expect((await sent).map(inWords)).toEqual(['committed 2', 'committed 2']);
  expect(await server.loggedCount('deadlock detected')).toBe(before + 1);
  expect(await breaksIn(books)).toEqual([]);
});

const lockOf = (facility: string): string => `SELECT 1 FROM scangate.facilities WHERE facility_uuid = '${facility}' FOR UPDATE`;

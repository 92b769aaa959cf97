import { beforeAll, expect, test } from 'vitest';
import { randomIds } from '../../src/base/ids.ts';
import { PostgresLedger } from '../../src/ledger/postgres-ledger.ts';
import { inWords } from '../../src/testing/decision-words.ts';
import { scanAt } from '../../src/testing/wire-scans.ts';
import { type Books, database, startBooks } from '../support/postgres-books.ts';
import type { PostgresServer } from '../support/postgres-server.ts';

let server: PostgresServer;
let newBooks: () => Promise<Books>;

beforeAll(async () => {
  ({ server, newBooks } = await startBooks());
});

const gateSessions = `FROM pg_stat_activity WHERE datname = '${database}' AND usename = 'gate'`;

/** Scans of facilities of their own, all at once, so that each takes a connection. */
const scattered = (round: number) => [1, 2, 3, 4].map((index) => [scanAt(round, { facility_uuid: `F${round}.${index}` })]);

test('connections that are terminated while nobody uses them are replaced without an error', async () => {
  const books = await newBooks();
  const ledger = await books.open();
  for (const round of [1, 2, 3]) {
    await Promise.all(scattered(round).map((batch) => ledger.append(batch)));
    const rows = await books.query(`SELECT count(pg_terminate_backend(pid)) AS ended ${gateSessions}`);
    expect(Number(rows[0]?.['ended'])).toBeGreaterThan(0);
    const decisions = await Promise.all(scattered(round).map((batch) => ledger.append(batch)));
    expect(decisions.flat().map(inWords)).toEqual([1, 2, 3, 4].map(() => 'suppressed 1 same_content 0'));
  }
});

test('a server that was restarted three times while the ledger was idle is used again without an error', async () => {
  const books = await newBooks();
  const ledger = await books.open();
  for (const round of [1, 2, 3]) {
    expect((await ledger.append([scanAt(round * 10_000)])).map(inWords)).toEqual([`committed ${round}`]);
    await server.stop();
    await server.start();
    expect((await ledger.status()).kind).toBe('postgres');
  }
});

test('while the server is down every question and every scan is unavailable, and afterwards the same scan is committed', async () => {
  const books = await newBooks();
  const ledger = await books.open();
  await server.stop();
  const down = { code: 'SG_LEDGER_FAILED', retryable: true };
  await expect(ledger.append([scanAt(0)])).rejects.toMatchObject(down);
  await expect(ledger.lines({ limit: 1 })).rejects.toMatchObject(down);
  await expect(ledger.status()).rejects.toMatchObject(down);
  await server.start();
  expect((await ledger.append([scanAt(0)])).map(inWords)).toEqual(['committed 1']);
});

test('two hundred batches, half of which cannot be written, leave no connection in use', async () => {
  const books = await newBooks();
  const ledger = await books.open({ connectionsMax: 2, connectMs: 60_000 });
  const poisoned = scanAt(0);
  const broken = { ...poisoned, scan: { ...poisoned.scan, asSent: { lot_number: Number.NaN } } };
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, (_, index) => ledger.append([index % 2 === 0 ? scanAt(0) : broken])),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
  const [sessions] = await books.query(
    `SELECT count(*) AS count, count(*) FILTER (WHERE state <> 'idle') AS busy ${gateSessions}`,
  );
  expect(sessions).toEqual({ count: '2', busy: '0' });
  expect((await ledger.lines({ limit: 10 })).items).toHaveLength(1);
});

test('a process that freezes in the middle of a batch loses its transaction, and decides the batch anew when it goes on', async () => {
  const books = await newBooks();
  let frozen = 0;
  const uuid = (): string => {
    frozen += 1;
    if (frozen === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    return randomIds.uuid();
  };
  const ledger = await PostgresLedger.open(books.url, { silentMs: 50 }, { ids: { uuid } });
  expect((await ledger.append([scanAt(0)])).map(inWords)).toEqual(['committed 1']);
  expect(frozen).toBe(2);
  expect((await ledger.records({ limit: 10 })).items).toHaveLength(1);
  await ledger.close();
});

test('a ledger whose database was emptied under it begins its facilities anew', async () => {
  const books = await newBooks();
  const ledger = await books.open();
  expect((await ledger.append([scanAt(0)])).map(inWords)).toEqual(['committed 1']);
  await newBooks();
  expect((await ledger.append([scanAt(0)])).map(inWords)).toEqual(['committed 1']);
});

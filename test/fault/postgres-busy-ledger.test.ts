import { beforeAll, expect, test } from 'vitest';
import type { PoolUse } from '../../src/ledger/postgres-ledger.ts';
import { inWords } from '../../src/testing/decision-words.ts';
import { facilityB, scanAt } from '../../src/testing/wire-scans.ts';
import { type Books, startBooks } from '../support/postgres-books.ts';
import { holdHead, releaseHeads } from '../support/postgres-held-heads.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/server.ts';

let server: PostgresServer;
let newBooks: () => Promise<Books>;

beforeAll(async () => {
  ({ server, newBooks } = await startBooks());
});

const busy = expect.objectContaining({
  code: 'SG_LEDGER_BUSY',
  message: expect.stringContaining('Another process holds the ledger'),
});

test('a facility that another writer holds is busy after the wait that was set, and the others are not', async () => {
  const books = await newBooks();
  const ledger = await books.open({ lockMs: 50 });
  await ledger.append([scanAt(0)]);
  await holdHead(server);
  await expect(ledger.append([scanAt(0, { lot_number: 'L2' })], { key: 'a.csv', value: '1' })).rejects.toEqual(busy);
  expect((await ledger.append([scanAt(0, { facility_uuid: facilityB })])).map(inWords)).toEqual(['committed 1']);
  await releaseHeads();
  expect(await ledger.checkpoint('a.csv')).toBeUndefined();
  expect((await ledger.append([scanAt(0, { lot_number: 'L2' })])).map(inWords)).toEqual(['committed 2']);
});

test('a ledger that waits for another writer goes on as soon as it is done', async () => {
  const books = await newBooks();
  const ledger = await books.open({ lockMs: 60_000 });
  await ledger.append([scanAt(0)]);
  await holdHead(server);
  const waiting = ledger.append([scanAt(0, { lot_number: 'L2' })]);
  await releaseHeads();
  expect((await waiting).map(inWords)).toEqual(['committed 2']);
});

test('a question or a scan for which no connection becomes free in time is busy', async () => {
  const books = await newBooks();
  const ledger = await books.open({ connectionsMax: 1, connectMs: 1_000, lockMs: 60_000 });
  await ledger.append([scanAt(0)]);
  await holdHead(server);
  const waiting = ledger.append([scanAt(0, { lot_number: 'L2' })]);
  const second = expect(ledger.append([scanAt(0, { facility_uuid: facilityB })])).rejects.toEqual(busy);
  const seen: PoolUse[] = [];
  await until(() => seen.push(ledger.connections) > 0 && seen.at(-1)?.waiting === 1);
  expect(seen.at(-1)).toEqual({ max: 1, used: 1, idle: 0, waiting: 1 });
  await second;
  await expect(ledger.status()).rejects.toEqual(busy);
  await releaseHeads();
  expect((await waiting).map(inWords)).toEqual(['committed 2']);
  expect(ledger.connections).toEqual({ max: 1, used: 0, idle: 1, waiting: 0 });
});

test('what was sent before the ledger is closed is decided, and what is sent afterwards is refused', async () => {
  const books = await newBooks();
  const ledger = await books.open({ connectionsMax: 1 });
  const sent = [0, 3_000, 6_000].map((ms) => ledger.append([scanAt(ms)]));
  await ledger.close();
  expect((await Promise.all(sent)).flat().map(inWords)).toEqual(['committed 1', 'committed 2', 'committed 3']);
  const closed = expect.objectContaining({ code: 'SG_LEDGER_FAILED', message: 'The ledger is closed. Restart the server.' });
  await expect(ledger.append([scanAt(9_000)])).rejects.toEqual(closed);
  await expect(ledger.lines({ limit: 1 })).rejects.toEqual(closed);
  await expect(ledger.close()).resolves.toBeUndefined();
});

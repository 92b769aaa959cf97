import { beforeAll, describe, expect, test } from 'vitest';
import type { ScanTransmission } from '../../src/ledger/ledger.ts';
import { PostgresLedger } from '../../src/ledger/postgres-ledger.ts';
import { inWords } from '../../src/testing/decision-words.ts';
import { scanAt } from '../../src/testing/wire-scans.ts';
import { breaksIn } from '../support/postgres-audit.ts';
import { type Books, database, gateRole, startBooks } from '../support/postgres-books.ts';
import { type CommitProxy, startCommitProxy } from '../support/postgres-proxy.ts';

let newBooks: () => Promise<Books>;
let proxy: CommitProxy;

beforeAll(async () => {
  const started = await startBooks();
  newBooks = started.newBooks;
  proxy = await startCommitProxy(started.server.port);
});

/** A ledger that reaches its books through the proxy, and has a connection already. */
async function openBehindProxy(): Promise<{ ledger: PostgresLedger; books: Books }> {
  proxy.heal();
  const books = await newBooks();
  const ledger = await PostgresLedger.open(`postgres://${gateRole}@127.0.0.1:${proxy.port}/${database}`);
  return { ledger, books };
}

const unavailable = expect.objectContaining({
  code: 'SG_LEDGER_FAILED',
  message: expect.stringContaining('Whether the ledger keeps what it was given is not known'),
});

const kinds: readonly (readonly [string, ScanTransmission, string])[] = [
  ['with an id', scanAt(0, { scan_uuid: 'A' }), 'suppressed 1 same_scan_id 0'],
  ['without an id', scanAt(0), 'suppressed 1 same_content 0'],
];

describe.each(kinds)('a scan %s', (_kind, scan, again) => {
  test('whose COMMIT was applied and whose answer was lost is looked up, answered as committed, and is one line', async () => {
    const { ledger, books } = await openBehindProxy();
    const lostBefore = proxy.lostCount;
    proxy.loseCommit('answer');
    expect((await ledger.append([scan])).map(inWords)).toEqual(['committed 1']);
    expect(proxy.lostCount).toBe(lostBefore + 1);
    expect((await ledger.append([scan])).map(inWords)).toEqual([again]);
    expect((await ledger.records({ limit: 10 })).items).toHaveLength(2);
    expect(await breaksIn(books)).toEqual([]);
    await ledger.close();
  });

  test('whose COMMIT never reached the server is decided again, and has one record', async () => {
    const { ledger, books } = await openBehindProxy();
    proxy.loseCommit('request');
    expect((await ledger.append([scan])).map(inWords)).toEqual(['committed 1']);
    expect((await ledger.records({ limit: 10 })).items).toHaveLength(1);
    expect(await breaksIn(books)).toEqual([]);
    await ledger.close();
  });

  test('whose COMMIT cannot be looked up either is unavailable, and one line when it is sent again', async () => {
    const { ledger, books } = await openBehindProxy();
    proxy.loseCommit('answer and way');
    await expect(ledger.append([scan])).rejects.toEqual(unavailable);
    proxy.heal();
    expect((await ledger.append([scan])).map(inWords)).toEqual([again]);
    expect((await ledger.lines({ limit: 10 })).items).toHaveLength(1);
    expect(await breaksIn(books)).toEqual([]);
    await ledger.close();
  });
});

test('a batch of many facilities whose answer was lost is answered in full', async () => {
  const { ledger, books } = await openBehindProxy();
  const batch = Array.from({ length: 50 }, (_, index) => scanAt(0, { facility_uuid: `F${index % 5}`, lot_number: `L${index}` }));
  proxy.loseCommit('answer');
  const decisions = await ledger.append(batch, { key: 'a.csv', value: '50' });
  expect(decisions.map(({ outcome }) => outcome)).toEqual(batch.map(() => 'committed'));
  expect(await ledger.checkpoint('a.csv')).toBe('50');
  expect((await ledger.lines({ limit: 100 })).items).toHaveLength(50);
  expect(await breaksIn(books)).toEqual([]);
  await ledger.close();
});

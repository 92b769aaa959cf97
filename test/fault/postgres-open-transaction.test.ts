import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { JournalRecord } from '../../src/ledger/journal-record.ts';
import type { Page, PageQuery, Transmission } from '../../src/ledger/ledger.ts';
import type { LedgerLine } from '../../src/ledger/ledger-line.ts';
import type { PostgresLedger } from '../../src/ledger/postgres-ledger.ts';
import type { QuarantineEntry } from '../../src/ledger/quarantine-entry.ts';
import { facilityA, facilityB, rejectionAt, scanAt } from '../../src/testing/wire-scans.ts';
import { type Books, startBooks } from '../support/postgres-books.ts';
import { type HeldCommits, heldCommitsOf } from '../support/postgres-held-commits.ts';

let newBooks: () => Promise<Books>;
let commits: HeldCommits;

beforeAll(async () => {
  const started = await startBooks();
  newBooks = started.newBooks;
  commits = await heldCommitsOf(started.server, facilityB);
});

afterEach(() => commits.release());

/** What is sent under a scan id of its own, and is a content of its own. */
type Send = (id: string, facility_uuid: string) => Transmission;
const scan: Send = (id, facility_uuid) => scanAt(0, { scan_uuid: id, lot_number: id, facility_uuid });
const rejection: Send = (id, facility_uuid) => rejectionAt(0, { scan_uuid: id, quantity: 'one', facility_uuid });

type Read = (ledger: PostgresLedger, query: PageQuery) => Promise<Page<unknown>>;

const feeds: readonly (readonly [string, Read, Send])[] = [
  ['lines', (ledger, query) => ledger.lines(query), scan],
  ['records', (ledger, query) => ledger.records(query), scan],
  ['the quarantine', (ledger, query) => ledger.quarantine(query), rejection],
];

/** The scan id of a line, a record or an input in quarantine. */
function idOf(item: unknown): string | null | undefined {
  const { scan_uuid, scan, record } = item as Partial<LedgerLine & JournalRecord & QuarantineEntry>;
  return scan_uuid ?? scan?.scan_uuid ?? record?.rejection?.scan_uuid;
}

describe.each(feeds)('who reads %s while a transaction is open', (_feed, read, send) => {
  const inA = (index: number): Transmission => send(`A${index}`, facilityA);
  const inB = (index: number): Transmission => send(`B${index}`, facilityB);

  test('gets nothing after it until it ends, and then everything once, in the order of the positions', async () => {
    const books = await newBooks();
    const ledger = await books.open({ lockMs: 60_000 });
    await ledger.append([inA(1)]);
    await ledger.append([inB(1)]);
    const first = await read(ledger, { limit: 10 });
    expect(first.items.map(idOf)).toEqual(['A1', 'B1']);

    await commits.hold();
    const open = ledger.append([inB(2), inB(3)]);
    await commits.untilHeld();
    await ledger.append([inA(2)]);
    const meanwhile = await read(ledger, { limit: 10, after: first.next });
    expect(meanwhile).toEqual({ items: [], next: first.next, isHeldUp: true });
    expect((await read(ledger, { limit: 10, facilityUuid: facilityA })).items.map(idOf)).toEqual(['A1', 'A2']);

    await commits.release();
    await open;
    const afterwards = await read(ledger, { limit: 10, after: first.next });
    expect(afterwards.items.map(idOf)).toEqual(['B2', 'B3', 'A2']);
    expect(await read(ledger, { limit: 10, after: afterwards.next })).toEqual({ items: [], next: afterwards.next });
  });

  test('is not held up by one that began later than what is read, nor by one that is rolled back', async () => {
    const books = await newBooks();
    const ledger = await books.open({ lockMs: 60_000 });
    await ledger.append([inB(1)]);
    await ledger.append([inA(1)]);
    await commits.hold();
    const open = expect(ledger.append([inB(2)])).rejects.toMatchObject({ code: 'SG_LEDGER_BUSY' });
    await commits.untilHeld();
    expect((await read(ledger, { limit: 10 })).items.map(idOf)).toEqual(['B1', 'A1']);
    await ledger.append([inA(2)]);
    await books.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'gate' AND wait_event = 'advisory'");
    await open;
    expect((await read(ledger, { limit: 10 })).items.map(idOf)).toEqual(['B1', 'A1', 'A2']);
  });
});

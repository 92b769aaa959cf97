import pg from 'pg';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { JournalRecord } from '../../src/ledger/journal-record.ts';
import type { Page, PageQuery, Transmission } from '../../src/ledger/ledger.ts';
import type { LedgerLine } from '../../src/ledger/ledger-line.ts';
import type { PostgresLedger } from '../../src/ledger/postgres-ledger.ts';
import type { QuarantineEntry } from '../../src/ledger/quarantine-entry.ts';
import { facilityA, facilityB, rejectionAt, scanAt } from '../../src/testing/wire-scans.ts';
import { type Books, database, startBooks } from '../support/postgres-books.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/server.ts';

/**
 * A transaction that has its positions and is not committed: the COMMIT of a gate's batch is held up by a trigger that waits for a lock.
 */
const holdUp = `
  CREATE FUNCTION public.hold_up() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(1) WHERE NEW.facility_uuid = '${facilityB}';
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER hold_up AFTER UPDATE ON scangate.facilities DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION public.hold_up()`;

let server: PostgresServer;
let newBooks: () => Promise<Books>;

beforeAll(async () => {
  ({ server, newBooks } = await startBooks());
  await server.query(database, holdUp);
});

const holders: pg.Client[] = [];

afterEach(releaseCommits);

/** Holds up every commit of facility B from now on. */
async function holdCommits(): Promise<void> {
  const client = new pg.Client({ connectionString: server.url(database) });
  await client.connect();
  holders.push(client);
  await client.query('SELECT pg_advisory_lock(1)');
}

async function releaseCommits(): Promise<void> {
  await Promise.all(holders.splice(0).map((client) => client.end()));
}

async function whenHeld(books: Books): Promise<void> {
  const held = "SELECT 1 FROM pg_stat_activity WHERE usename = 'gate' AND wait_event = 'advisory'";
  await until(async () => (await books.query(held)).length > 0 || undefined);
}

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

    await holdCommits();
    const open = ledger.append([inB(2), inB(3)]);
    await whenHeld(books);
    await ledger.append([inA(2)]);
    const meanwhile = await read(ledger, { limit: 10, after: first.next });
    expect(meanwhile).toEqual({ items: [], next: first.next });
    expect((await read(ledger, { limit: 10, facilityUuid: facilityA })).items.map(idOf)).toEqual(['A1', 'A2']);

    await releaseCommits();
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
    await holdCommits();
    const open = expect(ledger.append([inB(2)])).rejects.toMatchObject({ code: 'SG_LEDGER_BUSY' });
    await whenHeld(books);
    expect((await read(ledger, { limit: 10 })).items.map(idOf)).toEqual(['B1', 'A1']);
    await ledger.append([inA(2)]);
    await books.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'gate' AND wait_event = 'advisory'");
    await open;
    expect((await read(ledger, { limit: 10 })).items.map(idOf)).toEqual(['B1', 'A1', 'A2']);
  });
});

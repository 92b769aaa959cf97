import { createConnection } from 'node:net';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { PostgresLedger } from '../../src/ledger/postgres-ledger.ts';
import { inWords } from '../../src/testing/decision-words.ts';
import { FaultyLink } from '../../src/testing/servers/faulty-link.ts';
import { until } from '../../src/testing/servers/until.ts';
import { facilityB, scanAt } from '../../src/testing/wire-scans.ts';
import { lifetime } from '../support/lifetime.ts';
import { type Books, database, gateRole, startBooks } from '../support/postgres-books.ts';
import { type HeldCommits, heldCommitsOf } from '../support/postgres-held-commits.ts';
import { holdHead, releaseHeads } from '../support/postgres-held-heads.ts';

let newBooks: () => Promise<Books>;
let commits: HeldCommits;

beforeAll(async () => {
  const started = await startBooks({ log_statement: 'all' });
  newBooks = started.newBooks;
  commits = await heldCommitsOf(started.server, facilityB);
});

afterEach(() => commits.release());

/** Longer than a test may take: what ends is ended by nothing else than that the server was asked. */
const endlessMs = 600_000;
const bounds = { lockMs: endlessMs, statementMs: endlessMs, commitMs: endlessMs, silentMs: endlessMs };

/** A ledger whose first connection, and no other, is met by what is wrong with half of the link's connections. */
async function openOver({ server }: Books): Promise<{ ledger: PostgresLedger; link: FaultyLink }> {
  const link = new FaultyLink('postgres', server.port);
  await link.listen();
  lifetime.onEnd(() => link.close());
  const odd = createConnection(link.port, '127.0.0.1');
  lifetime.onEnd(() => odd.destroy());
  const url = server.url(database, gateRole).replace(String(server.port), String(link.port));
  const ledger = await PostgresLedger.open(url, bounds);
  lifetime.onEnd(() => ledger.close());
  return { ledger, link };
}

const waitingForLock = "SELECT 1 FROM pg_stat_activity WHERE usename = 'gate' AND wait_event_type = 'Lock'";
const asked = 'SELECT state FROM pg_stat_activity';

test.each(['request', 'reply'] as const)(
  'a transaction whose %s is lost without a word holds its facility no longer than it takes to ask, and is done again',
  async (direction) => {
    const books = await newBooks();
    const { ledger, link } = await openOver(books);
    expect((await ledger.append([scanAt(0)])).map(inWords)).toEqual(['committed 1']);
    await holdHead(books.server);
    const answer = ledger.append([scanAt(10_000)]);
    await until(async () => (await books.query(waitingForLock)).length > 0 || undefined);
    const heal = link.begin({ kind: 'silent', direction, ends: 'reset' }, { isHalf: true });
    await releaseHeads();
    expect((await answer).map(inWords)).toEqual(['committed 2']);
    heal();
  },
);

test('a COMMIT whose answer is lost without a word is looked up as soon as the server says that it is done', async () => {
  const books = await newBooks();
  const { ledger, link } = await openOver(books);
  await commits.hold();
  const answer = ledger.append([scanAt(0, { facility_uuid: facilityB })]);
  await commits.untilHeld();
  const heal = link.begin({ kind: 'silent', direction: 'reply', ends: 'reset' }, { isHalf: true });
  await commits.release();
  expect((await answer).map(inWords)).toEqual(['committed 1']);
  heal();
  expect((await ledger.lines({ limit: 10 })).items).toHaveLength(1);
});

test('a COMMIT that takes long is waited for, however often the server is asked', async () => {
  const books = await newBooks();
  const { ledger } = await openOver(books);
  const before = await books.server.loggedCount(asked);
  await commits.hold();
  const answer = ledger.append([scanAt(0, { facility_uuid: facilityB })]);
  await until(async () => (await books.server.loggedCount(asked)) >= before + 4 || undefined);
  await commits.release();
  expect((await answer).map(inWords)).toEqual(['committed 1']);
  expect(await books.query('SELECT seq FROM scangate.journal_records')).toHaveLength(1);
});

test('a batch that takes seconds to be carried is not taken for one that was lost', async () => {
  const books = await newBooks();
  const { ledger, link } = await openOver(books);
  // Its statements are prepared: from now on a server that is sent a large one does nothing until it has come whole.
  expect((await ledger.append([scanAt(0, { lot_number: 'first' })])).map(inWords)).toEqual(['committed 1']);
  const ended = 'terminating connection due to administrator command';
  const before = await books.server.loggedCount(ended);
  const heal = link.begin({ kind: 'slow', delayMs: 1, bytesPerS: 100_000 });
  const batch = Array.from({ length: 400 }, (_, index) => scanAt(0, { lot_number: `L${index}`, reference: 'R'.repeat(64) }));
  const decisions = await ledger.append(batch);
  expect(decisions.map(inWords)).toEqual(batch.map((_, index) => `committed ${index + 2}`));
  expect(await books.server.loggedCount(ended)).toBe(before);
  heal();
});

import { beforeAll, expect, test } from 'vitest';
import { PostgresLedger } from '../../src/ledger/postgres-ledger.ts';
import { inWords } from '../../src/testing/decision-words.ts';
import { facilityB, scanAt } from '../../src/testing/wire-scans.ts';
import { breaksIn } from '../support/postgres-audit.ts';
import type { Books } from '../support/postgres-books.ts';
import { startPair, untilStandbyIs } from '../support/postgres-pair.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/server.ts';

let books: Books;
let standby: PostgresServer;

beforeAll(async () => {
  ({ books, standby } = await startPair('near'));
});

const waitingCommit = "FROM pg_stat_activity WHERE usename = 'gate' AND wait_event = 'SyncRep'";

/** The process that waits for the standby in its COMMIT, as soon as there is one. */
async function whenWaiting(): Promise<number> {
  return until(async () => (await books.query(`SELECT pid ${waitingCommit}`))[0]?.['pid'] as number | undefined);
}

/** Sends a scan while the standby is down, does something to the COMMIT that waits for it, and gives what was answered. */
async function sendInterrupted(ledger: PostgresLedger, scan: ReturnType<typeof scanAt>, interrupt: string): Promise<unknown> {
  const answer = ledger.append([scan]).then(
    (decisions) => decisions.map(inWords),
    (error: unknown) => error,
  );
  const pid = await whenWaiting();
  await books.query(`SELECT ${interrupt}(${pid})`);
  return answer;
}

const notKnown = expect.objectContaining({
  code: 'SG_LEDGER_FAILED',
  message: expect.stringContaining('Whether the ledger keeps what it was given is not known'),
});

test('a commit that waits for a standby which is down is answered unavailable when it is cancelled, and is one line later', async () => {
  const ledger = await books.open({ commitMs: 500, lockMs: 200 });
  expect((await ledger.append([scanAt(0)])).map(inWords)).toEqual(['committed 1']);
  await standby.stop();

  const scan = scanAt(10_000, { scan_uuid: 'A' });
  expect(await sendInterrupted(ledger, scan, 'pg_cancel_backend')).toEqual(notKnown);
  // The line can be seen now, and would be lost with this server: whoever meets it is no better off.
  expect((await ledger.lines({ limit: 10 })).items).toHaveLength(2);
  expect(await sendInterrupted(ledger, scan, 'pg_cancel_backend')).toEqual(notKnown);
  // Its look-up waits for the standby as well, and in vain.
  const other = scanAt(0, { scan_uuid: 'B', facility_uuid: facilityB });
  expect(await sendInterrupted(ledger, other, 'pg_terminate_backend')).toEqual(notKnown);

  await standby.start();
  await untilStandbyIs('sync', books);
  expect((await ledger.append([scan])).map(inWords)).toEqual(['suppressed 2 same_scan_id 0']);
  expect((await ledger.append([other])).map(inWords)).toEqual(['suppressed 1 same_scan_id 0']);
  const onStandby = await standby.query('ledger', 'SELECT facility_uuid, line FROM scangate.ledger_lines ORDER BY 1, 2');
  expect(onStandby.map(({ line }) => line)).toEqual(['1', '2', '1']);
  expect(await breaksIn(books)).toEqual([]);
});

test('a commit whose standby stays away is given up after the time that was set, and is never cancelled', async () => {
  const ledger = await books.open({ commitMs: 300, lockMs: 100 });
  await standby.stop();
  const scan = scanAt(20_000, { scan_uuid: 'C' });
  await expect(ledger.append([scan])).rejects.toEqual(notKnown);
  expect(await books.query(`SELECT count(*) ${waitingCommit}`)).toEqual([{ count: '1' }]);
  await expect(ledger.append([scan])).rejects.toMatchObject({ code: 'SG_LEDGER_BUSY' });
  await standby.start();
  await until(async () => (await books.query(`SELECT 1 ${waitingCommit}`)).length === 0 || undefined);
  expect((await ledger.append([scan])).map(inWords)).toEqual(['suppressed 3 same_scan_id 0']);
});

test('a ledger does not start on a standby', async () => {
  await expect(PostgresLedger.open(standby.url('ledger', 'gate'))).rejects.toMatchObject({
    code: 'SG_DATABASE',
    message: expect.stringMatching(/^The database ledger at 127\.0\.0\.1:\d+ is a standby, which cannot be written to\.$/),
  });
});

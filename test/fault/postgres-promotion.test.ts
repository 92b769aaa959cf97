import { expect, test } from 'vitest';
import { PostgresLedger } from '../../src/ledger/postgres-ledger.ts';
import { inWords } from '../../src/testing/decision-words.ts';
import { database, gateRole } from '../support/postgres-books.ts';
import { startPair } from '../support/postgres-pair.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { randomFrom, seed } from './kill-moments.ts';
import { batchScans, scanOf, sendUntilRefused } from './send-until-refused.ts';

const senders = 3;

/** The ledger where the standby was, which nobody stands behind. */
async function promoted(standby: PostgresServer): Promise<PostgresLedger> {
  await standby.query('postgres', 'SELECT pg_promote()');
  return PostgresLedger.open(standby.url(database, gateRole));
}

test(`what was acknowledged before the primary was killed is in the ledger of its promoted synchronous standby, and nothing twice (seed ${seed})`, async () => {
  const { books, primary, standby } = await startPair('near');
  const ledger = await books.open();
  const killAt = 1 + randomFrom(seed)(20) * batchScans;
  let count = 0;
  let killed: Promise<void> | undefined;
  const acknowledge = (more: number): void => {
    count += more;
    if (count >= killAt) killed ??= primary.stop('SIGKILL');
  };
  const sent = await Promise.all(
    Array.from({ length: senders }, (_, sender) => sendUntilRefused(ledger, String(sender), acknowledge)),
  );
  await killed;
  const acknowledged = sent.flatMap((one) => one.acknowledged);
  expect(acknowledged.length).toBeGreaterThanOrEqual(killAt);

  const after = await promoted(standby);
  const lineOf = new Map((await after.lines({ limit: 100_000 })).items.map((line) => [line.scan_uuid ?? '', line.line]));
  const again = (await after.append(acknowledged.map(scanOf))).map(inWords);
  expect(again).toEqual(acknowledged.map((id) => `suppressed ${lineOf.get(id)} same_scan_id 0`));
  const refused = sent.flatMap((one) => one.refused);
  await after.append(refused.map(scanOf));
  const kept = (await after.lines({ limit: 100_000 })).items.map((line) => line.scan_uuid);
  expect(kept.toSorted()).toEqual([...acknowledged, ...refused].sort());
  expect((await after.audit()).breaks).toEqual([]);
  await after.close();
});

test('what an asynchronous standby had not got when its primary was killed is lost, though it was acknowledged', async () => {
  const { books, primary, standby } = await startPair('');
  const ledger = await books.open();
  await standby.stop();
  expect((await ledger.append([scanOf('A')])).map(inWords)).toEqual(['committed 1']);
  await primary.stop('SIGKILL');
  await standby.start();
  const after = await promoted(standby);
  expect((await after.lines({ limit: 10 })).items).toEqual([]);
  expect((await after.append([scanOf('A')])).map(inWords)).toEqual(['committed 1']);
  await after.close();
});

import { expect, test } from 'vitest';
import { facilityA } from '../../src/testing/wire-scans.ts';
import { breaksIn } from '../support/postgres-audit.ts';
import { startBooks } from '../support/postgres-books.ts';
import { randomFrom, seed } from './kill-moments.ts';
import { batchScans, scanOf, sendUntilRefused } from './send-until-refused.ts';

const senders = 3;

test(`what was acknowledged before the server was killed is in the ledger, and nothing is in it twice (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  const { server, newBooks } = await startBooks();
  const books = await newBooks();
  const ledger = await books.open();
  const acknowledged: string[] = [];
  const refused: string[] = [];
  for (let round = 1; round <= 3; round += 1) {
    const killAt = 1 + random(8) * batchScans;
    let count = 0;
    let killed: Promise<void> | undefined;
    const acknowledge = (more: number): void => {
      count += more;
      if (count >= killAt) killed ??= server.stop('SIGKILL');
    };
    const sent = await Promise.all(
      Array.from({ length: senders }, (_, sender) => sendUntilRefused(ledger, `${round}.${sender}`, acknowledge)),
    );
    for (const one of sent) expect(one.error).toMatchObject({ code: 'SG_LEDGER_FAILED' });
    acknowledged.push(...sent.flatMap((one) => one.acknowledged));
    refused.push(...sent.flatMap((one) => one.refused));
    await killed;
    await server.start();
    expect(await breaksIn(books)).toEqual([]);
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(3 * batchScans);
  const kept = (await ledger.lines({ limit: 100_000 })).items.map((line) => line.scan_uuid ?? '');
  expect(acknowledged.filter((id) => !new Set(kept).has(id))).toEqual([]);
  expect(new Set(kept).size).toBe(kept.length);
  const again = await ledger.append(acknowledged.map(scanOf));
  expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['suppressed']));
  await ledger.append(refused.map(scanOf));
  const all = (await ledger.lines({ limit: 100_000, facilityUuid: facilityA })).items.map((line) => line.scan_uuid);
  expect([...all].sort()).toEqual([...acknowledged, ...refused].sort());
  expect(await breaksIn(books)).toEqual([]);
});

import { expect, test } from 'vitest';
import { journalRecords, post } from '../support/http-client.ts';
import { dispense, recently } from '../support/http-client-scans.ts';
import { type Ended, startServer } from '../support/server.ts';

/** The decisions that a server logged, as they stand in its stdout. */
function decisionLines({ stdout }: Ended): string[] {
  return stdout.split('\n').filter((line) => line.includes('"event":"scan_claim"'));
}

test('each decision is one line of JSON with sorted keys, and names digests and entries only', async () => {
  const server = await startServer();
  const texts = { scanner_id: 'SCANNER-X', lot_number: 'LOT-X', serial_number: 'SERIAL-X', reference: 'RX-X', actor: 'ACTOR-X' };
  const ids = { scan_uuid: 'TRIGGER-X' };
  const first = await post(server, dispense('SITE-X', { ...texts, ...ids }));
  await post(server, dispense('SITE-X', { ...texts, scan_uuid: 'OTHER-X', captured_at: recently + 700 }));
  await post(server, dispense('SITE-X', { ...texts, ...ids, quantity: 2 }));
  const rejected = await post(server, dispense('SITE-X', { ...texts, quantity: 'REASON-X' }));
  const ended = await server.stop();
  expect(ended.code).toBe(0);

  const lines = decisionLines(ended).map((line) => JSON.parse(line) as Record<string, unknown>);
  const at = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  const [key, of] = [first.answer.claim_key, first.answer.entry?.id];
  const common = { at, event: 'scan_claim', ttl_ms: 3_500, arbiter: 'ledger', key };
  expect(lines).toEqual([
    { ...common, outcome: 'committed', entry: of },
    { ...common, outcome: 'suppressed', of, gap_ms: 700, reason: 'same_content' },
    { ...common, outcome: 'conflict', of },
    {
      ...common,
      key: null,
      ttl_ms: null,
      outcome: 'rejected',
      code: 'SG_QUANTITY_INVALID',
      quarantine_id: rejected.answer.quarantine_id,
    },
  ]);
  for (const line of decisionLines(ended)) {
    const keys = Object.keys(JSON.parse(line) as object);
    expect(keys).toEqual(keys.toSorted());
  }
  expect(ended.stdout).not.toMatch(/(SITE|SCANNER|LOT|SERIAL|RX|ACTOR|TRIGGER|OTHER|REASON)-X/);
  expect(ended.stderr).not.toMatch(/(SITE|SCANNER|LOT|SERIAL|RX|ACTOR|TRIGGER|OTHER|REASON)-X/);
});

test('there are as many lines in the log as records in the journal, and every line of stdout is JSON', async () => {
  const server = await startServer();
  const scans = Array.from({ length: 500 }, (_, index) =>
    dispense('many', { lot_number: `L${index % 200}`, quantity: index % 7 }),
  );
  await post(server, scans);
  await Promise.all(scans.slice(0, 50).map((scan) => post(server, scan)));
  await post(server, 'not JSON');
  const records = [...(await journalRecords(server, 'many')), ...(await journalRecords(server, '-'))];
  expect(records).toHaveLength(551);
  const ended = await server.stop();
  expect(decisionLines(ended)).toHaveLength(551);
  for (const line of ended.stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('event');
});

test('a server whose log nobody reads any more goes on taking scans', async () => {
  const server = await startServer();
  server.stopReadingStdout();
  const scans = Array.from({ length: 2_000 }, (_, index) => dispense('unread', { serial_number: `S${index}` }));
  expect((await post(server, scans)).status).toBe(201);
  expect((await post(server, scans)).status).toBe(200);
  expect((await server.stop()).code).toBe(0);
});

test('a log reader that hangs holds up neither the scans nor the end of the server', async () => {
  const server = await startServer();
  server.pauseReadingStdout();
  const scans = Array.from({ length: 2_000 }, (_, index) => dispense('hanging', { serial_number: `S${index}` }));
  expect((await post(server, scans)).status).toBe(201);
  const begunAt = performance.now();
  expect(await server.stop()).toMatchObject({ code: 0, signal: null });
  expect(performance.now() - begunAt).toBeLessThan(10_000);
});

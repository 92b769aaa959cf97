import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { get, getJson, journalRecords, ledgerLines, post, postLines } from '../support/http-client.ts';
import { dispense, recently } from '../support/http-client-scans.ts';
import { type ServerProcess, scangate, startServer, until } from '../support/server.ts';
import { ledgerFile } from '../support/server-ledger.ts';

/** Holds the write lock of a ledger, as another process that writes to it for long. */
function holdLedger({ data }: ServerProcess): () => void {
  const other = new Database(ledgerFile(data));
  other.exec('BEGIN IMMEDIATE');
  const release = (): void => void other.close();
  onTestFinished(release);
  return release;
}

function scans(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => dispense('held', { serial_number: `S${index}` }));
}

test('while another process holds the ledger, the queue fills, more is told to come back, and nothing is lost', async () => {
  const server = await startServer({ args: ['--queue-items-max', '100'] });
  const release = holdLedger(server);
  const statuses: number[] = [];
  const posting = scans(400).map(async (scan) => {
    const answered = await post(server, scan);
    statuses.push(answered.status);
    return answered;
  });
  await until(() => (statuses.length >= 300 ? true : undefined), 4_000);
  expect(statuses).toEqual(Array.from({ length: 300 }, () => 503));
  release();
  const answered = await Promise.all(posting);
  expect(answered.filter(({ status }) => status === 201)).toHaveLength(100);
  for (const { headers, answer } of answered.filter(({ status }) => status === 503)) {
    expect(headers).toMatchObject({ 'retry-after': '1', 'content-type': 'application/problem+json; charset=utf-8' });
    expect(answer).toMatchObject({
      type: 'urn:scangate:problem:SG_QUEUE_FULL',
      outcome: 'unavailable',
      code: 'SG_QUEUE_FULL',
      message: 'Too many scans wait for the ledger. Send it again.',
      retry_after_s: 1,
    });
  }
  expect(await ledgerLines(server)).toHaveLength(100);

  const again = await post(server, scans(400));
  expect(again.status).toBe(207);
  expect(again.answers.filter(({ outcome }) => outcome === 'committed')).toHaveLength(300);
  expect(again.answers.filter(({ outcome }) => outcome === 'suppressed')).toHaveLength(100);
  const counted = /^scangate_scans_total\{outcome="unavailable",reason="SG_QUEUE_FULL"\} (\d+)$/m.exec(
    (await get(server, '/metrics')).text,
  );
  expect(counted?.[1]).toBe('300');
  expect(await journalRecords(server)).toHaveLength(500);
  expect((await server.stop()).code).toBe(0);
  expect(await scangate(['verify', '--data', server.data])).toMatchObject({ code: 0, stderr: '' });
});

test('an array and NDJSON that are larger than the queue are taken whole, a part at a time', async () => {
  const server = await startServer({ args: ['--queue-items-max', '10'] });
  expect((await post(server, scans(300))).status).toBe(201);
  expect((await postLines(server, scans(600))).answers.filter(({ outcome }) => outcome === 'committed')).toHaveLength(300);
  expect(await ledgerLines(server)).toHaveLength(600);
});

test('while a scan waits for the ledger, its retry waits too and hears the same entry, and other content is a conflict', async () => {
  const server = await startServer();
  const release = holdLedger(server);
  const scan = (changes: object): Record<string, unknown> => dispense('slow', { scan_uuid: 'trigger-1', ...changes });
  const first = post(server, scan({}));
  await until(async () => ((await queueDepth(server)) === 1 ? true : undefined));
  const retry = post(server, scan({}));
  const doubleFire = post(server, scan({ scan_uuid: 'trigger-2', captured_at: recently + 300 }));
  const otherContent = post(server, scan({ quantity: 20 }));
  await until(async () => ((await queueDepth(server)) === 4 ? true : undefined));
  release();
  const [a, b, c, d] = await Promise.all([first, retry, doubleFire, otherContent]);
  expect([a.status, b.status, c.status, d.status]).toEqual([201, 200, 200, 422]);
  expect(b.answer).toMatchObject({ of: a.answer.entry, reason: 'same_scan_id' });
  expect(c.answer).toMatchObject({ of: a.answer.entry, reason: 'same_content', gap_ms: 300 });
  expect(d.answer).toMatchObject({ of: a.answer.entry, outcome: 'conflict', differs: ['quantity'] });
  expect(await ledgerLines(server)).toHaveLength(1);
});

test('a ledger that is held for long makes the server unready, not dead, and it recovers by itself', async () => {
  const server = await startServer({ args: ['--answer-ms-max', '1000'] });
  const release = holdLedger(server);
  const slow = await post(server, dispense('long', { scan_uuid: 'trigger-1' }));
  expect(slow.status).toBe(503);
  expect(slow.answer).toMatchObject({
    outcome: 'unavailable',
    code: 'SG_LEDGER_SLOW',
    message: 'The ledger has not answered within 1000 ms. Send it again.',
  });
  const askedAt = performance.now();
  const health = await get(server, '/v1/health');
  expect(performance.now() - askedAt).toBeLessThan(3_000);
  expect([health.status, health.answer['live'], health.answer['ready']]).toEqual([503, true, false]);
  expect((await get(server, '/metrics')).text).toContain('scangate_queue_depth 1');
  const failure = await until(
    async () => (await getJson<{ last_failure: unknown }>(server, '/v1/health')).last_failure ?? undefined,
  );
  expect(failure).toMatchObject({ code: 'SG_LEDGER_BUSY' });
  release();
  const retry = await post(server, dispense('long', { scan_uuid: 'trigger-1' }));
  expect(retry.status).toBe(201);
  expect((await get(server, '/v1/health')).status).toBe(200);
  expect(await ledgerLines(server)).toHaveLength(1);
});

async function queueDepth(server: ServerProcess): Promise<number> {
  return Number(/^scangate_queue_depth (\d+)$/m.exec((await get(server, '/metrics')).text)?.[1]);
}

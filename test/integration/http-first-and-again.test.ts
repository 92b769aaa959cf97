import { beforeAll, expect, test } from 'vitest';
import { journalRecords, ledgerLines, post } from '../support/http-client.ts';
import { type ServerProcess, scangate, startServer } from '../support/server.ts';

let server: ServerProcess;

/** The first instant of window 587402113, which is 2025-11-03T21:45:39Z. */
const captured = 1_762_206_339_000;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A dispense of the content of the design's test vector, in a facility of the test's own. */
function dispense(facility: string, changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    facility_uuid: facility,
    scanner_id: 'SCN-04',
    scan_type: 'dispense',
    ndc: '00093721410',
    lot_number: 'A1207',
    captured_at: captured,
    ...changes,
  };
}

beforeAll(async () => {
  server = await startServer({ args: ['--captured-age-ms-max', '9000000000000'] });
});

test('the first transmission is answered 201 with its entry, its claim key and the scan as it was understood', async () => {
  const before = Date.now();
  const { status, headers, answer } = await post(
    server,
    dispense('F'.repeat(36), { scan_uuid: 'trigger-1', quantity: '1.0', sent_at: '2025-11-03T21:45:39.250Z', actor: 'rph-7' }),
  );
  expect(status).toBe(201);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer).toEqual({
    outcome: 'committed',
    scan_uuid: 'trigger-1',
    entry: { id: expect.stringMatching(uuid), facility_uuid: 'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF', line: 1 },
    claim_key: 'scan:idem:fc903c16bc08bcdbfbcc79c7d1ab181a19617bca675ecd8adc447d37e1231021',
    occurred_at: 1_762_206_339_000,
    scan: {
      facility_uuid: 'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF',
      scanner_id: 'SCN-04',
      scan_type: 'dispense',
      ndc: '00093721410',
      lot_number: 'A1207',
      quantity: '1',
      unit: 'EA',
      scan_uuid: 'trigger-1',
      actor: 'rph-7',
      captured_at: 1_762_206_339_000,
      sent_at: 1_762_206_339_250,
      received_at: expect.any(Number),
      skew_ms: expect.any(Number),
      occurred_at: 1_762_206_339_000,
      time_basis: 'device',
    },
    flags: ['late'],
  });
  const { received_at, skew_ms } = answer['scan'] as { received_at: number; skew_ms: number };
  expect(received_at).toBeGreaterThanOrEqual(before);
  expect(skew_ms).toBe(received_at - 1_762_206_339_250);
});

test('a retransmission is answered 200 with the first entry and its claim key, an hour of device time later too', async () => {
  const first = await post(server, dispense('again', { scan_uuid: 'trigger-1' }));
  expect(first.status).toBe(201);
  const again = await post(server, dispense('again', { scan_uuid: 'trigger-1' }));
  expect(again.status).toBe(200);
  expect(again.answer).toEqual({
    outcome: 'suppressed',
    scan_uuid: 'trigger-1',
    of: first.answer.entry,
    claim_key: first.answer.claim_key,
    gap_ms: 0,
    window_ms: 3000,
    arbiter: 'ledger',
    reason: 'same_scan_id',
    flags: ['late'],
  });
  const hourLater = await post(server, dispense('again', { scan_uuid: 'trigger-1', captured_at: captured + 3_600_000 }));
  expect(hourLater.status).toBe(200);
  expect(hourLater.answer).toMatchObject({ of: first.answer.entry, gap_ms: 3_600_000, reason: 'same_scan_id' });
  expect(await ledgerLines(server, 'again')).toHaveLength(1);
  expect((await journalRecords(server, 'again')).map(({ outcome }) => outcome)).toEqual([
    'committed',
    'suppressed',
    'suppressed',
  ]);
});

test('another scan id 2999 ms after the first is suppressed, and is sticky; at exactly 3000 ms it is committed', async () => {
  const first = await post(server, dispense('edge', { scan_uuid: 'trigger-1' }));
  const inside = await post(server, dispense('edge', { scan_uuid: 'trigger-2', captured_at: captured + 2_999 }));
  expect(inside.status).toBe(200);
  expect(inside.answer).toMatchObject({
    outcome: 'suppressed',
    of: first.answer.entry,
    claim_key: first.answer.claim_key,
    gap_ms: 2_999,
    window_ms: 3_000,
    reason: 'same_content',
    flags: ['late', 'possible_under_count'],
  });
  const outside = await post(server, dispense('edge', { scan_uuid: 'trigger-3', captured_at: captured + 3_000 }));
  expect(outside.status).toBe(201);
  expect(outside.answer).toMatchObject({ entry: { line: 2 }, flags: ['late', 'possible_double_count'] });

  const insideAgain = await post(server, dispense('edge', { scan_uuid: 'trigger-2', captured_at: captured + 9_000 }));
  expect(insideAgain.status).toBe(200);
  expect(insideAgain.answer).toMatchObject({ of: first.answer.entry, reason: 'same_scan_id', gap_ms: 9_000 });
  expect((await ledgerLines(server, 'edge')).map(({ scan_uuid }) => scan_uuid)).toEqual(['trigger-1', 'trigger-3']);
});

test('without a scan id the device time decides: the same instant is suppressed, 3000 ms later is committed', async () => {
  const first = await post(server, dispense('no-id'));
  expect(first.status).toBe(201);
  expect(first.answer).not.toHaveProperty('scan_uuid');
  const again = await post(server, dispense('no-id'));
  expect(again.status).toBe(200);
  expect(again.answer).toMatchObject({ of: first.answer.entry, gap_ms: 0, reason: 'same_content' });
  expect((await post(server, dispense('no-id', { captured_at: captured + 3_000 }))).status).toBe(201);
});

test('a scan without a device time is dated by its receipt, and a retry of its id is suppressed', async () => {
  const scan = dispense('receipt', { scan_uuid: 'trigger-1', captured_at: undefined });
  const before = Date.now();
  const { status, answer } = await post(server, scan);
  expect(status).toBe(201);
  expect(answer['occurred_at']).toBe((answer['scan'] as { received_at: number }).received_at);
  expect(Number(answer['occurred_at']) - before).toBeLessThan(10_000);
  expect((await post(server, scan)).answer).toMatchObject({ outcome: 'suppressed', of: answer.entry, reason: 'same_scan_id' });
});

test('a scan whose scanner clock is wrong is committed at the time of its receipt, and flagged', async () => {
  const { answer } = await post(server, dispense('2036', { captured_at: '2036-02-07T06:28:16Z' }));
  expect(answer).toMatchObject({ outcome: 'committed', flags: ['clock_suspect'], scan: { time_basis: 'receipt' } });
});

test('a retransmission that is spelled otherwise is the same scan', async () => {
  const facility = 'spelling';
  const first = await post(server, dispense(facility, { scan_uuid: 'trigger-1', quantity: 2, reference: 'RX-é' }));
  expect(first.status).toBe(201);
  const spellings = [
    `{"scan_uuid":"trigger-1","reference":"RX-é","quantity":2,"captured_at":${captured},"lot_number":"A1207","ndc":"00093721410","scan_type":"dispense","scanner_id":"SCN-04","facility_uuid":"${facility}"}`,
    ` \n{ "facility_uuid" : "${facility}",\t"scanner_id":"SCN-04","scan_type":"dispense","ndc":"00093721410","lot_number":"A1207","quantity":2.0,"captured_at":${captured},"scan_uuid":"trigger-1","reference":"RX-\\u00e9" } \r\n`,
    `{"facility_uuid":"\\u0073pelling","scanner_id":"SCN-04","scan_type":"dispense","ndc":"0093-7214-10","lot_number":"A1207","quantity":"2.000","captured_at":"2025-11-03T16:45:39-05:00","scan_uuid":"trigger-1","reference":"RX-e\\u0301"}`,
    `\uFEFF{"facility_uuid":"${facility}","scanner_id":"SCN-04\\u200b","scan_type":"dispense","ndc":"00093-7214-10","lot_number":" A1207\\r\\n","quantity":2e0,"unit":"EA","captured_at":${captured},"scan_uuid":"trigger-1","reference":"RX-é","actor":"rph-8"}`,
  ];
  for (const text of spellings) {
    const again = await post(server, text);
    expect(again.status, text).toBe(200);
    expect(again.answer).toMatchObject({ of: first.answer.entry, reason: 'same_scan_id' });
  }
});

test('one scan id in two facilities names two scans, and on another scanner a third', async () => {
  const { status, answer } = await post(server, dispense('site-a', { scan_uuid: 'shared' }));
  expect(status).toBe(201);
  const elsewhere = await post(server, dispense('site-b', { scan_uuid: 'shared' }));
  expect(elsewhere.status).toBe(201);
  expect(elsewhere.answer).toMatchObject({ entry: { facility_uuid: 'site-b', line: 1 } });
  expect(elsewhere.answer.entry?.id).not.toBe(answer.entry?.id);
  expect((await post(server, dispense('site-a', { scan_uuid: 'shared', scanner_id: 'SCN-05' }))).status).toBe(201);
});

test('scans that differ in any one dimension are different scans, in the same millisecond', async () => {
  const facility = 'dimensions';
  const changes = [
    {},
    { scanner_id: 'SCN-05' },
    { scan_type: 'waste' },
    { ndc: '00093721411' },
    { lot_number: 'a1207' },
    { serial_number: 'S01' },
    { quantity: 2 },
    { unit: 'ML' },
    { reference: 'RX-1' },
    { reference: 'RX-2' },
  ];
  const { status, answers } = await post(
    server,
    changes.map((change) => dispense(facility, change)),
  );
  expect(status).toBe(201);
  expect(answers.map(({ entry }) => entry?.line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('what these tests have written is a ledger in which everything holds', async () => {
  expect(await scangate(['verify', '--data', server.data])).toMatchObject({ code: 0, stderr: '' });
});

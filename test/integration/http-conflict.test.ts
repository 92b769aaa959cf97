import { beforeAll, expect, test } from 'vitest';
import { journalRecords, ledgerLines, post } from '../support/http-client.ts';
import { dispense, recently } from '../support/http-client-scans.ts';
import { type ServerProcess, scangate, startServer } from '../support/server.ts';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
});

test('a scan id that is sent again with other content is a conflict that names what differs', async () => {
  const first = await post(server, dispense('differs', { scan_uuid: 'trigger-1', quantity: 30, reference: 'RX-1' }));
  expect(first.status).toBe(201);
  const [line] = await ledgerLines(server, 'differs');
  const other = await post(server, dispense('differs', { scan_uuid: 'trigger-1', quantity: 20, lot_number: 'B77' }));
  expect(other.status).toBe(422);
  expect(other.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(other.answer).toEqual({
    type: 'urn:scangate:problem:SG_CONFLICT',
    title: 'The scan id was used before with other content. The first entry stands.',
    status: 422,
    detail:
      'This scan id was used before with other content: lot_number, quantity, reference. The first entry stands; nothing was added.',
    outcome: 'conflict',
    scan_uuid: 'trigger-1',
    code: 'SG_CONFLICT',
    of: first.answer.entry,
    claim_key: first.answer.claim_key,
    differs: ['lot_number', 'quantity', 'reference'],
    message:
      'This scan id was used before with other content: lot_number, quantity, reference. The first entry stands; nothing was added.',
    flags: ['late'],
  });
  expect(await ledgerLines(server, 'differs')).toEqual([line]);
  expect(line).toMatchObject({ quantity: '30', delta: '-30', lot_number: 'A1207', reference: 'RX-1' });
  expect((await journalRecords(server, 'differs')).map(({ outcome }) => outcome)).toEqual(['committed', 'conflict']);
});

test('after a conflict the first content is still a retransmission, and the other one still a conflict', async () => {
  const first = await post(server, dispense('sticky', { scan_uuid: 'trigger-1', quantity: 1 }));
  for (const _ of [1, 2]) {
    expect((await post(server, dispense('sticky', { scan_uuid: 'trigger-1', quantity: 2 }))).status).toBe(422);
    const again = await post(server, dispense('sticky', { scan_uuid: 'trigger-1', quantity: 1 }));
    expect(again.status).toBe(200);
    expect(again.answer).toMatchObject({ of: first.answer.entry, reason: 'same_scan_id' });
  }
});

test('a conflict is told while the first scan of the id is still under way', async () => {
  for (let round = 0; round < 20; round += 1) {
    const ids = { scan_uuid: `trigger-${round}`, captured_at: recently - round * 10_000 };
    const both = await Promise.all([30, 20].map((quantity) => post(server, dispense('racing', { ...ids, quantity }))));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
    const committed = both.find(({ status }) => status === 201);
    const conflict = both.find(({ status }) => status === 422);
    expect(conflict?.answer).toMatchObject({ outcome: 'conflict', of: committed?.answer.entry, differs: ['quantity'] });
  }
  expect(await ledgerLines(server, 'racing')).toHaveLength(20);
});

test('a scan id that was suppressed by content is as sticky: other content under it is a conflict', async () => {
  const first = await post(server, dispense('suppressed', { scan_uuid: 'trigger-1' }));
  const twin = await post(server, dispense('suppressed', { scan_uuid: 'trigger-2', captured_at: recently + 100 }));
  expect(twin.answer).toMatchObject({ outcome: 'suppressed', of: first.answer.entry });
  const other = await post(server, dispense('suppressed', { scan_uuid: 'trigger-2', quantity: 5 }));
  expect(other.status).toBe(422);
  expect(other.answer).toMatchObject({ of: first.answer.entry, differs: ['quantity'] });
});

test('Idempotency-Key is the scan id, bare or in quotation marks, alone or beside the same scan_uuid', async () => {
  const first = await post(server, dispense('header'), { headers: { 'idempotency-key': 'trigger-1' } });
  expect(first.status).toBe(201);
  expect(first.answer).toMatchObject({ scan_uuid: 'trigger-1', scan: { scan_uuid: 'trigger-1' } });
  for (const key of ['trigger-1', '"trigger-1"']) {
    for (const scan_uuid of ['trigger-1', undefined]) {
      const later = { scan_uuid, captured_at: recently + 10_000 };
      const again = await post(server, dispense('header', later), { headers: { 'idempotency-key': key } });
      expect(again.status).toBe(200);
      expect(again.answer).toMatchObject({ of: first.answer.entry, reason: 'same_scan_id' });
    }
  }
});

test('an Idempotency-Key that disagrees with scan_uuid is refused, and so is an empty one', async () => {
  const disagreeing = await post(server, dispense('disagree', { scan_uuid: 'trigger-1' }), {
    headers: { 'idempotency-key': 'trigger-2' },
  });
  expect(disagreeing.status).toBe(422);
  expect(disagreeing.answer).toMatchObject({
    outcome: 'rejected',
    code: 'SG_FIELDS_DISAGREE',
    field: 'scan_uuid',
    message:
      'scan_uuid is "trigger-1" and Idempotency-Key is "trigger-2". They name one scan: send one of them, or both the same.',
  });
  const empty = await post(server, dispense('disagree'), { headers: { 'idempotency-key': '' } });
  expect(empty.answer).toMatchObject({ status: 400, code: 'SG_REQUEST_INVALID', field: 'Idempotency-Key' });
  expect(await ledgerLines(server, 'disagree')).toEqual([]);
  expect((await journalRecords(server, 'disagree')).map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected']);
});

test('what these tests have written is a ledger in which everything holds', async () => {
  expect(await scangate(['verify', '--data', server.data])).toMatchObject({ code: 0, stderr: '' });
});

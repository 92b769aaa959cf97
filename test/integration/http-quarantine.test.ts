/** What was rejected, over HTTP: listed, shown, released and discarded. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { JournalRecord } from '../../src/ledger/journal-record.ts';
import { type Answered, get, getJson, journalRecords, ledgerLines, post, postLines, send } from '../support/http-client.ts';
import { dispense, recently, uuid } from '../support/http-client-scans.ts';
import { type ServerProcess, startServer } from '../support/server.ts';
import { breaksIn } from '../support/server-ledger.ts';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer({ args: ['--item-bytes-max', '2048'] });
});

const because = { actor: 'R. Ph. 0412', reason: 'label misread' };

function act(what: 'release' | 'discard', id: string, body: unknown, headers: Record<string, string> = {}): Promise<Answered> {
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return send(server, `/v1/quarantine/${id}/${what}`, text, { headers: { 'content-type': 'application/json', ...headers } });
}

function release(id: string, corrections?: unknown): Promise<Answered> {
  return act('release', id, { ...because, corrections });
}

/** Sends what is rejected; its id in quarantine. */
async function rejected(body: unknown, headers: Record<string, string> = {}): Promise<string> {
  const { answer } = await post(server, body, { headers });
  expect([answer.outcome, answer.quarantine_id]).toEqual(['rejected', expect.stringMatching(uuid)]);
  return answer.quarantine_id ?? '';
}

interface Item {
  readonly quarantine_id: string;
  readonly status: string;
  readonly raw_base64?: string;
  readonly resolution?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

function shown(id: string): Promise<Item> {
  return getJson<Item>(server, `/v1/quarantine/${id}`);
}

async function listed(query: string): Promise<Item[]> {
  return (await getJson<{ items: Item[] }>(server, `/v1/quarantine?${query}`)).items;
}

test('what was rejected is listed with the record that says why, and shown with its bytes', async () => {
  const scan = dispense('listed', { scan_uuid: 'A', quantity: 'many' });
  const ids = [await rejected(scan), await rejected(scan)];
  const items = await listed('facility_uuid=listed');
  expect(items.map(({ quarantine_id }) => quarantine_id)).toEqual(ids);
  const [record] = (await journalRecords(server, 'listed')) as [JournalRecord];
  const bytes = Buffer.from(JSON.stringify(scan));
  expect(items[0]).toEqual({
    quarantine_id: ids[0],
    status: 'open',
    facility_uuid: 'listed',
    journal_seq: 1,
    transport: 'http',
    code: 'SG_QUANTITY_INVALID',
    field: 'quantity',
    message: 'quantity is "many", which is not a decimal number such as 1 or 0.5.',
    scanner_id: 'SCN-04',
    scan_uuid: 'A',
    received_at: record.rejection?.received_at,
    raw_sha256: createHash('sha256').update(bytes).digest('hex'),
    raw_bytes: bytes.byteLength,
  });
  expect(await shown(ids[0] ?? '')).toEqual({ ...items[0], raw_base64: bytes.toString('base64') });
});

describe('a release', () => {
  it('is answered as a scan is, with the time and the id that it came with', async () => {
    const id = await rejected(dispense('release', { scan_uuid: 'A', quantity: 'many', note: 'x' }));
    const { received_at } = await shown(id);
    const { status, answer } = await release(id, { quantity: 2, note: null });
    expect([status, answer.outcome, answer.scan_uuid, answer['occurred_at']]).toEqual([201, 'committed', 'A', recently]);
    expect(await ledgerLines(server, 'release')).toMatchObject([
      { line: 1, scan_uuid: 'A', quantity: '2', delta: '-2', occurred_at: recently, received_at, journal_seq: 2 },
    ]);
    const resolves = { quarantine_id: id, ...because, corrected: ['note', 'quantity'] };
    expect((await journalRecords(server, 'release'))[1]).toMatchObject({
      transport: 'quarantine',
      outcome: 'committed',
      resolves,
    });
    expect(await shown(id)).toMatchObject({
      status: 'released',
      resolution: { outcome: 'committed', ...because, corrected: ['note', 'quantity'], journal_seq: 2, entry: answer.entry },
    });
  });

  it('is done once: later ones, and a discard, are told what the first one did', async () => {
    const id = await rejected(dispense('once', { quantity: 'many' }));
    const first = await release(id, { quantity: 1 });
    const later = [await release(id, { quantity: 1 }), await release(id, { quantity: 5 }), await act('discard', id, because)];
    expect(later.map(({ status, answer }) => [status, answer.code])).toEqual(Array(3).fill([409, 'SG_QUARANTINE_RESOLVED']));
    expect(later[0]?.answer['quarantine']).toMatchObject({ status: 'released', resolution: { entry: first.answer.entry } });
    expect(await ledgerLines(server, 'once')).toHaveLength(1);
    expect(await journalRecords(server, 'once')).toHaveLength(2);
  });

  it('of one input fifty times at once commits one line', async () => {
    const id = await rejected(dispense('race', { quantity: 'many' }));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, lot) => release(id, { quantity: 1, lot_number: `L${lot}` })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(49).fill(409)]);
    const winner = answers.find(({ status }) => status === 201);
    expect((await ledgerLines(server, 'race')).map(({ entry_id }) => entry_id)).toEqual([winner?.answer.entry?.id]);
  });

  it('that is no scan still, or in conflict, leaves it open; one that is suppressed does not', async () => {
    await post(server, dispense('open', { scan_uuid: 'A' }));
    const id = await rejected(dispense('open', { scan_uuid: 'A', quantity: 'many' }));
    const told = [await release(id), await release(id, { quantity: 3 }), await release(id, { quantity: 1 })];
    expect(told.map(({ status, answer }) => [status, answer.outcome, answer.code])).toEqual([
      [422, 'rejected', 'SG_QUANTITY_INVALID'],
      [422, 'conflict', 'SG_CONFLICT'],
      [200, 'suppressed', undefined],
    ]);
    expect(told[0]?.answer.quarantine_id).toBe(id);
    expect(await listed('facility_uuid=open')).toEqual([]);
    const outcomes = (await journalRecords(server, 'open')).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['committed', 'rejected', 'conflict', 'suppressed']);
  });

  it('of one scan of many is that scan alone', async () => {
    const many = ['good', 'bad', 'other'].map((lot_number) =>
      dispense('many', { lot_number, scan_uuid: lot_number, quantity: lot_number === 'bad' ? 'many' : 1 }),
    );
    const { answers } = await post(server, many);
    const id = answers[1]?.quarantine_id ?? '';
    expect(Buffer.from((await shown(id)).raw_base64 ?? '', 'base64').toString()).toBe(JSON.stringify(many[1]));
    expect((await release(id, { quantity: 1 })).answer).toMatchObject({
      outcome: 'committed',
      scan_uuid: 'bad',
      entry: { line: 3 },
    });
  });

  it('does not change what was said at the trigger, nor the id that the transport carried', async () => {
    const id = await rejected(dispense('trigger', { quantity: 'many' }), { 'idempotency-key': 'KEY-1' });
    const changes = [{ captured_at: recently + 1 }, { captured_at: null }, { scan_uuid: 'B' }, { sent_at: recently }];
    const refused = await Promise.all(changes.map((change) => release(id, { quantity: 1, ...change })));
    expect(refused.map(({ status, answer }) => [status, answer.code, answer.field])).toEqual([
      [422, 'SG_FIELDS_DISAGREE', 'captured_at'],
      [422, 'SG_FIELDS_DISAGREE', 'captured_at'],
      [422, 'SG_FIELDS_DISAGREE', 'scan_uuid'],
      [422, 'SG_FIELDS_DISAGREE', 'sent_at'],
    ]);
    expect((await release(id, { quantity: 1 })).answer).toMatchObject({ outcome: 'committed', scan_uuid: 'KEY-1' });
  });

  it.each<[string, () => Promise<Answered>, number, string]>([
    ['without an actor', () => act('release', 'x', { reason: 'x' }), 400, 'SG_REQUEST_INVALID'],
    ['with an actor that is no text', () => act('release', 'x', { ...because, actor: 7 }), 400, 'SG_REQUEST_INVALID'],
    ['with something more', () => act('release', 'x', { ...because, note: 'x' }), 400, 'SG_REQUEST_INVALID'],
    ['with corrections that are a list', () => act('release', 'x', { ...because, corrections: [] }), 400, 'SG_REQUEST_INVALID'],
    ['that is no JSON', () => act('release', 'x', '{"actor":'), 400, 'SG_REQUEST_INVALID'],
    ['with a key twice', () => act('release', 'x', '{"actor":"a","actor":"b","reason":"c"}'), 400, 'SG_REQUEST_INVALID'],
    ['of another content type', () => act('release', 'x', because, { 'content-type': 'text/plain' }), 400, 'SG_REQUEST_INVALID'],
    ['with nothing', () => act('release', 'x', ''), 400, 'SG_REQUEST_INVALID'],
    ['larger than it can be', () => release('x', { lot_number: 'x'.repeat(70_000) }), 400, 'SG_REQUEST_INVALID'],
    ['in an encoding that is none', () => act('release', 'x', because, { 'content-encoding': 'br' }), 400, 'SG_REQUEST_INVALID'],
    ['of what is not there', () => release('00000000-0000-7000-8000-000000000000', { quantity: 1 }), 404, 'SG_NOT_FOUND'],
    [
      'of what is not there, inflated',
      () => act('release', 'x', gzipSync(JSON.stringify(because)), { 'content-encoding': 'gzip' }),
      404,
      'SG_NOT_FOUND',
    ],
  ])('%s is answered so', async (_how, ask, status, code) => {
    const { status: found, answer, headers } = await ask();
    expect([found, answer.code, headers['content-type']]).toEqual([status, code, expect.stringContaining('problem+json')]);
  });
});

describe('a discard', () => {
  it('is on record, keeps the bytes, and is never released', async () => {
    const id = await rejected(dispense('discard', { quantity: 'many' }));
    const { status, answer } = await act('discard', id, because);
    expect([status, answer]).toMatchObject([
      200,
      { quarantine_id: id, status: 'discarded', resolution: { outcome: 'discarded', ...because } },
    ]);
    expect((await release(id, { quantity: 1 })).status).toBe(409);
    expect((await act('discard', id, because)).status).toBe(409);
    expect(await ledgerLines(server, 'discard')).toEqual([]);
    expect((await shown(id)).raw_base64).not.toBe('');
    expect(await listed('facility_uuid=discard')).toEqual([]);
    expect((await listed('facility_uuid=discard&status=all')).map((item) => item.status)).toEqual(['discarded']);
  });

  it.each<[string, () => Promise<Answered>, number]>([
    ['with corrections', () => act('discard', 'x', { ...because, corrections: {} }), 400],
    ['without a reason', () => act('discard', 'x', { actor: 'x' }), 400],
    ['of what is not there', () => act('discard', 'x', because), 404],
  ])('%s is answered so', async (_how, ask, status) => {
    expect((await ask()).status).toBe(status);
  });
});

describe('what could not be read', () => {
  const whole = () => dispense('unread', { scan_uuid: 'A', quantity: 2 });

  it.each<[string, () => Promise<Answered>, Buffer]>([
    ['text that is no JSON', () => post(server, '{"facility_uuid":"unread",'), Buffer.from('{"facility_uuid":"unread",')],
    ['bytes that are no text', () => post(server, Buffer.of(0xff, 0x00, 0x80)), Buffer.of(0xff, 0x00, 0x80)],
    ['a list in a line', () => postLines(server, ['[1,2]']), Buffer.from('[1,2]')],
    ['a line that is too long', () => postLines(server, [`"${'x'.repeat(3_000)}"`]), Buffer.from(`"${'x'.repeat(2_047)}`)],
  ])('is under "-" with its bytes, and is released with all fields by correction: %s', async (what, sent, bytes) => {
    const { answers } = await sent();
    const id = String([answers].flat()[0]?.quarantine_id);
    const item = await shown(id);
    expect([item['facility_uuid'], Buffer.from(item.raw_base64 ?? '', 'base64')]).toEqual(['-', bytes]);
    expect((await listed('facility_uuid=-')).map(({ quarantine_id }) => quarantine_id)).toContain(id);
    expect((await release(id, { quantity: 1 })).answer).toMatchObject({ code: 'SG_FIELD_MISSING', field: 'facility_uuid' });
    const { answer } = await release(id, { ...whole(), facility_uuid: `unread: ${what}` });
    expect(answer).toMatchObject({ outcome: 'committed', scan_uuid: 'A', occurred_at: recently });
  });

  it('because of a key that stands twice, is not guessed', async () => {
    const id = await rejected(JSON.stringify(whole()).replace('"quantity":2', '"quantity":2,"quantity":3'));
    expect((await release(id)).answer).toMatchObject({ outcome: 'rejected', code: 'SG_FIELD_MISSING', field: 'scan_type' });
    const { scan_uuid: _, ...rest } = whole();
    expect((await release(id, rest)).answer).toMatchObject({ outcome: 'committed', scan_uuid: 'A', scan: { quantity: '2' } });
  });
});

test('patient data is not in quarantine, and does not come in by a release', async () => {
  const id = await rejected(dispense('patient', { patient_name: 'Jane Roe' }));
  const item = await shown(id);
  expect([item['redacted'], Buffer.from(item.raw_base64 ?? '', 'base64').toString()]).toEqual([
    true,
    expect.not.stringContaining('Jane'),
  ]);
  expect((await release(id)).answer.code).toBe('SG_PATIENT_DATA');
  const refused = await release(id, { patient_name: null, patient_id: 'Jane Roe' });
  expect([refused.answer.code, refused.text]).toEqual(['SG_PATIENT_DATA', expect.not.stringContaining('Jane')]);
  expect((await release(id, { patient_name: null })).status).toBe(201);
  const everything = [
    await get(server, '/v1/journal?facility_uuid=patient'),
    await get(server, '/v1/ledger?facility_uuid=patient'),
  ];
  expect(everything.map(({ text }) => text.includes('Jane'))).toEqual([false, false]);
  expect(server.stdoutLines.join('\n')).not.toContain('Jane');
});

test('who pages through what is open, and discards on the way, meets everything once', async () => {
  for (let index = 0; index < 7; index += 1) await rejected(dispense('pages', { quantity: 'many', lot_number: `L${index}` }));
  const met: unknown[] = [];
  for (let after = '0'; met.length < 8; ) {
    const page = await getJson<{ items: Item[]; next: string }>(
      server,
      `/v1/quarantine?facility_uuid=pages&limit=2&after=${after}`,
    );
    if (page.items.length === 0) break;
    for (const { quarantine_id } of page.items) await act('discard', quarantine_id, because);
    met.push(...page.items.map((item) => item['journal_seq']));
    after = page.next;
  }
  expect(met).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('what is not there is 404, and a status that is none is 400', async () => {
  expect((await get(server, '/v1/quarantine/00000000-0000-7000-8000-000000000000')).status).toBe(404);
  expect((await get(server, '/v1/quarantine?status=closed')).status).toBe(400);
});

test('the books hold all of it', () => {
  expect(breaksIn(server.data)).toEqual([]);
});

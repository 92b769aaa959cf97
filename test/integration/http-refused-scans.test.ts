import { beforeAll, expect, test } from 'vitest';
import { journalRecords, ledgerLines, post } from '../support/http-client.ts';
import { dispense, recently, uuid } from '../support/http-client-scans.ts';
import { type ServerProcess, scangate, startServer } from '../support/server.ts';
import { quarantinedBytes } from '../support/server-ledger.ts';

let server: ServerProcess;
let names = 0;

beforeAll(async () => {
  server = await startServer();
});

/** The JSON text of a dispense with one more member, as it stands. */
function withMember(facility: string, member: string): string {
  return JSON.stringify(dispense(facility)).replace(/\}$/, `,${member}}`);
}

/** Fields that make a dispense something that is none, and how it is refused. */
const refused: readonly [fields: Readonly<Record<string, unknown>>, code: string, field: string][] = [
  [{ quantity: true }, 'SG_FIELD_TYPE', 'quantity'],
  [{ quantity: [1] }, 'SG_FIELD_TYPE', 'quantity'],
  [{ quantity: null }, 'SG_FIELD_NULL', 'quantity'],
  [{ quantity: '' }, 'SG_FIELD_EMPTY', 'quantity'],
  [{ quantity: 0 }, 'SG_QUANTITY_RANGE', 'quantity'],
  [{ quantity: -5 }, 'SG_QUANTITY_RANGE', 'quantity'],
  [{ quantity: 1e9 }, 'SG_QUANTITY_RANGE', 'quantity'],
  [{ quantity: 312_345_678_906 }, 'SG_QUANTITY_RANGE', 'quantity'],
  [{ quantity: 0.000_000_1 }, 'SG_QUANTITY_INVALID', 'quantity'],
  [{ quantity: 'NaN' }, 'SG_QUANTITY_INVALID', 'quantity'],
  [{ quantity: '1,5' }, 'SG_QUANTITY_INVALID', 'quantity'],
  [{ quantity: '0x1F' }, 'SG_QUANTITY_INVALID', 'quantity'],
  [{ lot_number: 1207 }, 'SG_FIELD_TYPE', 'lot_number'],
  [{ serial_number: 12 }, 'SG_FIELD_TYPE', 'serial_number'],
  [{ scan_uuid: 1 }, 'SG_FIELD_TYPE', 'scan_uuid'],
  [{ scan_type: 'Dispense' }, 'SG_FIELD_VALUE', 'scan_type'],
  [{ unit: 'ea' }, 'SG_FIELD_VALUE', 'unit'],
  [{ direction: 'out' }, 'SG_DIRECTION', 'direction'],
  [{ scan_type: 'transfer' }, 'SG_DIRECTION', 'direction'],
  [{ scan_type: 'adjust' }, 'SG_REASON_MISSING', 'reason'],
  [{ scan_uuid: undefined, scanner_id: undefined }, 'SG_FIELD_MISSING', 'scanner_id'],
  [{ ndc: undefined }, 'SG_PRODUCT_MISSING', 'ndc'],
  [{ ndc: '6050526713' }, 'SG_NDC_AMBIGUOUS', 'ndc'],
  [{ ndc: '5.91E+10' }, 'SG_SPREADSHEET_DAMAGE', 'ndc'],
  [{ lot_number: '\u200b ' }, 'SG_FIELD_EMPTY', 'lot_number'],
  [{ lot_number: 'A|B' }, 'SG_FIELD_CHARACTER', 'lot_number'],
  [{ lot_number: 'A\0B' }, 'SG_FIELD_CHARACTER', 'lot_number'],
  [{ lot_number: '\ud800' }, 'SG_FIELD_CHARACTER', 'lot_number'],
  [{ lot_number: 'x'.repeat(65) }, 'SG_FIELD_LONG', 'lot_number'],
  [{ barcode: '1021072911172405310100693570007182' }, 'SG_BARCODE_INVALID', 'barcode'],
  [{ event_id: '1' }, 'SG_FIELD_UNKNOWN', 'event_id'],
  [{ Quantity: 1 }, 'SG_FIELD_UNKNOWN', 'Quantity'],
  [{ captured_at: '2026-03-05T14:05:09' }, 'SG_TIME_ZONE_MISSING', 'captured_at'],
  [{ captured_at: '2026-03-05' }, 'SG_TIME_ZONE_MISSING', 'captured_at'],
  [{ captured_at: '49.02-' }, 'SG_TIME_INVALID', 'captured_at'],
  [{ captured_at: '2026' }, 'SG_TIME_INVALID', 'captured_at'],
  [{ captured_at: 177_271_920_012 }, 'SG_TIME_INVALID', 'captured_at'],
  [{ sent_at: false }, 'SG_FIELD_TYPE', 'sent_at'],
  [{ expiration_date: '2026-02-30' }, 'SG_DATE_INVALID', 'expiration_date'],
];

test.each(refused)('%j is refused with 422 and its field, and what was sent is kept', async (fields, code, field) => {
  names += 1;
  const facility = `refused-${names}`;
  const body = JSON.stringify(dispense(facility, { scan_uuid: 'trigger-1', ...fields }));
  const { status, answer } = await post(server, body);
  expect([status, answer.outcome, answer.code, answer.field]).toEqual([422, 'rejected', code, field]);
  expect(answer.message).toMatch(/[.?]$/);
  const records = await journalRecords(server, facility);
  expect(records.map(({ outcome }) => outcome)).toEqual(['rejected']);
  expect(records[0]?.rejection).toMatchObject({ code, field, quarantine_id: answer.quarantine_id, message: answer.message });
  expect(quarantinedBytes(server.data, answer.quarantine_id ?? '').toString()).toBe(body);
  expect(await ledgerLines(server, facility)).toEqual([]);

  const again = await post(server, body);
  expect([again.status, again.answer.code, again.answer.message]).toEqual([422, code, answer.message]);
});

/** JSON that the engine's own parser would read as something else than it says. */
const misread: readonly [member: string, code: string, field: string | undefined, message: string][] = [
  ['"quantity":1,"quantity":-1', 'SG_KEY_REPEATED', 'quantity', 'The key "quantity" stands twice in one object. Send it once.'],
  [
    '"scan_uuid":"A","scan\\u005fuuid":"B"',
    'SG_KEY_REPEATED',
    'scan_uuid',
    'The key "scan_uuid" stands twice in one object. Send it once.',
  ],
  [
    '"serial_number":9007199254740993',
    'SG_NUMBER_INEXACT',
    'serial_number',
    'The number "9007199254740993" in "serial_number" would be rounded. Send it as text, in quotation marks.',
  ],
  [
    '"quantity":0.1234567890123456789',
    'SG_NUMBER_INEXACT',
    'quantity',
    'The number "0.1234567890123456789" in "quantity" would be rounded. Send it as text, in quotation marks.',
  ],
  [
    '"quantity":1e400',
    'SG_NUMBER_INEXACT',
    'quantity',
    'The number "1e400" in "quantity" would be rounded. Send it as text, in quotation marks.',
  ],
  [
    `"extra":${'['.repeat(9)}${']'.repeat(9)}`,
    'SG_ITEM_TOO_DEEP',
    undefined,
    'JSON is nested deeper than 8 levels; a scan is flat.',
  ],
];

test.each(misread)('a scan with %s is refused with 400, alone and beside a good one', async (member, code, field, message) => {
  names += 1;
  const facility = `misread-${names}`;
  const alone = await post(server, withMember(facility, member));
  expect([alone.status, alone.answer.code, alone.answer.field, alone.answer.message]).toEqual([400, code, field, message]);
  const good = JSON.stringify(dispense(facility));
  const { status, answers } = await post(server, `[${good},${withMember(facility, member)}]`);
  expect([status, answers.map(({ outcome }) => outcome)]).toEqual([207, ['committed', 'rejected']]);
  expect((await journalRecords(server, facility)).map(({ outcome }) => outcome)).toEqual(['rejected', 'committed', 'rejected']);
});

test('serial numbers of 19 digits stay apart when they are sent as text', async () => {
  const [one, other] = ['9007199254740992', '9007199254740993'].map((serial) => dispense('digits', { serial_number: serial }));
  const { answers } = await post(server, [one, other]);
  expect(answers.map(({ outcome }) => outcome)).toEqual(['committed', 'committed']);
});

test('keys and values that mean something to JavaScript are text like any other', async () => {
  for (const member of ['"__proto__":{"quantity":99}', '"constructor":{"prototype":{"quantity":99}}', '"toString":"x"']) {
    const { status, answer } = await post(server, withMember('prototype', member));
    expect([status, answer.code]).toEqual([422, 'SG_FIELD_UNKNOWN']);
  }
  const lots = ['__proto__', 'constructor', 'toString', '219E01', '1E5', '100000', '0x1F', 'Infinity', 'NaN', 'null', 'true'];
  const { status, answers } = await post(
    server,
    lots.map((lot_number) => dispense('prototype', { lot_number })),
  );
  expect(status).toBe(201);
  expect(answers.map(({ scan }) => scan)).toEqual(
    lots.map((lot_number) => expect.objectContaining({ lot_number, quantity: '1' })),
  );
  expect((await ledgerLines(server, 'prototype')).map(({ lot_number }) => lot_number)).toEqual(lots);
});

test('text around a quantity or a lot is taken off, and kept as it was sent', async () => {
  const { status, answer } = await post(server, dispense('trimmed', { quantity: '1 ', lot_number: '\ufeffA1207\u00a0' }));
  expect([status, answer['scan']]).toMatchObject([201, { quantity: '1', lot_number: 'A1207' }]);
  const [record] = await journalRecords(server, 'trimmed');
  expect(record?.as_sent).toMatchObject({ quantity: '1 ', lot_number: '\ufeffA1207\u00a0' });
});

test('a scan of 5 MB is refused with 413 and kept to its last byte, and its neighbours are not touched', async () => {
  const large = JSON.stringify(dispense('large', { reason: 'x'.repeat(5_000_000) }));
  const { status, answers } = await post(server, `[${JSON.stringify(dispense('large'))},${large}]`);
  expect([status, answers.map(({ outcome, code }) => code ?? outcome)]).toEqual([207, ['committed', 'SG_ITEM_TOO_LARGE']]);
  expect(answers[1]).toMatchObject({
    message: 'The scan is larger than 65536 bytes.',
    quarantine_id: expect.stringMatching(uuid),
  });
  expect(quarantinedBytes(server.data, answers[1]?.quarantine_id ?? '').toString()).toBe(large);
  const alone = await post(server, large);
  expect([alone.status, alone.answer.code]).toEqual([413, 'SG_ITEM_TOO_LARGE']);
  const ofNdjson = await post(server, large, { headers: { 'content-type': 'application/x-ndjson' } });
  expect([ofNdjson.status, ofNdjson.answer.code]).toEqual([413, 'SG_ITEM_TOO_LARGE']);
});

test('the same instant in seconds, milliseconds, microseconds and nanoseconds is one time', async () => {
  const seconds = Math.floor(recently / 1_000);
  const times = [seconds, `${seconds}000`, `${seconds}000000`, `${seconds}000000000`, `${seconds}.25`];
  const { answers } = await post(
    server,
    times.map((captured_at, index) => dispense('epochs', { captured_at, lot_number: `L${index}` })),
  );
  expect(answers.map(({ occurred_at }) => Number(occurred_at) - seconds * 1_000)).toEqual([0, 0, 0, 0, 250]);
});

test('what these tests have written is a ledger in which everything holds', async () => {
  expect(await scangate(['verify', '--data', server.data])).toMatchObject({ code: 0, stderr: '' });
});

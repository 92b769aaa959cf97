import { beforeAll, expect, test } from 'vitest';
import { journalRecords, ledgerLines, post } from '../support/http-client.ts';
import { recently } from '../support/http-client-scans.ts';
import { type ServerProcess, scangate, startServer } from '../support/server.ts';

let server: ServerProcess;
const payload = ']d2010030406051201621SN12345\u001d1726123110AB12';

beforeAll(async () => {
  const wedges = { wedges: { scanners: ['WEDGE-*'], profile: { separator_aliases: ['|'], suffix: '#' } } };
  server = await startServer({ args: ['--scanner-classes', JSON.stringify(wedges)] });
});

function barcode(facility: string, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { facility_uuid: facility, scanner_id: 'SCN-04', scan_type: 'dispense', captured_at: recently, ...changes };
}

test('a DataMatrix is committed with the NDC, lot, serial and expiry that it holds', async () => {
  const { status, answer } = await post(server, barcode('matrix', { barcode: payload }));
  expect([status, answer.outcome]).toEqual([201, 'committed']);
  expect(await ledgerLines(server, 'matrix')).toMatchObject([
    {
      ndc11: '00406051201',
      gtin14: '00304060512016',
      lot_number: 'AB12',
      serial_number: 'SN12345',
      expiration_date: '2026-12-31',
    },
  ]);
  expect(await journalRecords(server, 'matrix')).toMatchObject([
    { scan: { carrier: 'gs1_element_string', symbology: ']d2' }, as_sent: { barcode: payload } },
  ]);
});

test.each([
  ['as GS1-128', { barcode: payload.replace(']d2', ']C1') }],
  ['as a Digital Link', { barcode: 'https://id.gs1.org/01/00304060512016/10/AB12/21/SN12345?17=261231' }],
  ['with its elements in another order', { barcode: ']d21726123110AB12\u001d21SN12345\u001d0100304060512016' }],
  ['as printed', { barcode: '(01)00304060512016(17)261231(10)AB12(21)SN12345' }],
  ['as bytes', { barcode_base64: Buffer.from(payload).toString('base64') }],
  ['in fields', { ndc: '0406-0512-01', lot_number: 'AB12', serial_number: 'SN12345', expiration_date: '2026-12-31' }],
])('the same package %s within the window is suppressed', async (way, fields) => {
  const first = await post(server, barcode(way, { barcode: payload }));
  const { status, answer } = await post(server, barcode(way, { ...fields, captured_at: recently + 2_999 }));
  expect([status, answer.outcome, answer.of]).toEqual([200, 'suppressed', first.answer.entry]);
});

test('ten serials of one lot in one second are ten lines', async () => {
  const scans = Array.from({ length: 10 }, (_, index) =>
    barcode('serials', { barcode: `]d2010030406051201621S${index}\u001d1726123110AB12`, captured_at: recently + index * 100 }),
  );
  const { status, answers } = await post(server, scans);
  expect([status, answers.map(({ entry }) => entry?.line)]).toEqual([201, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]);
});

test('a serial that is dispensed again a week later is committed and flagged, unless it was returned in between', async () => {
  const dayMs = 86_400_000;
  const at = (day: number, changes = {}) =>
    barcode('again', { barcode: payload, captured_at: recently + (day - 20) * dayMs, ...changes });
  const flagged = async (scan: Record<string, unknown>) => {
    const { answer } = await post(server, scan);
    return [answer.outcome, (answer['flags'] as string[]).includes('serial_already_out')];
  };
  expect(await flagged(at(0))).toEqual(['committed', false]);
  expect(await flagged(at(7))).toEqual(['committed', true]);
  expect(await flagged(at(8, { scan_type: 'return', direction: 'in' }))).toEqual(['committed', false]);
  expect(await flagged(at(9))).toEqual(['committed', false]);
});

test('a barcode that is refused says why, each time, and is kept', async () => {
  const glued = { barcode: '1021072911172405310100693570007182' };
  for (const _time of [1, 2]) {
    const { status, answer } = await post(server, barcode('glued', glued));
    expect(status).toBe(422);
    expect(answer).toMatchObject({ outcome: 'rejected', code: 'SG_BARCODE_INVALID', reason: 'ai_too_long', field: 'barcode' });
  }
  expect(await journalRecords(server, 'glued')).toMatchObject([
    { rejection: { reason: 'ai_too_long' } },
    { rejection: { reason: 'ai_too_long' } },
  ]);
});

test('a barcode and a field that disagree are refused', async () => {
  const { answer } = await post(server, barcode('disagree', { barcode: payload, lot_number: 'AB13' }));
  expect(answer).toMatchObject({ code: 'SG_FIELDS_DISAGREE', field: 'lot_number' });
});

test('the profile of a scanner is for that scanner alone', async () => {
  const piped = { barcode: '010030406051201621SN12345|1726123110AB12#' };
  const repaired = await post(server, barcode('profile', { ...piped, scanner_id: 'WEDGE-1' }));
  expect(repaired.answer).toMatchObject({ outcome: 'committed', scan: { serial_number: 'SN12345', lot_number: 'AB12' } });
  const other = await post(server, barcode('profile', piped));
  expect(other.answer).toMatchObject({ outcome: 'rejected', code: 'SG_BARCODE_INVALID' });
});

test('decode shows the parts and the identity of what is given, or why it is refused', async () => {
  const { code, stdout } = await scangate(['decode', payload, '--facility', 'F', '--scanner', 'S']);
  expect(code).toBe(0);
  expect(stdout).toContain('identity: F|S|00406051201|AB12|1|dispense|serial=SN12345');
  const refused = await scangate(['decode', '--json', '+A123BJC5D6E71H']);
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({ fault: { reason: 'bad_check_character' } });
});

test('the books hold all of it', async () => {
  expect((await scangate(['verify', '--data', server.data])).code).toBe(0);
});

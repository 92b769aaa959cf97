import { describe, expect, test } from 'vitest';
import { Days } from '../../../src/records/days.ts';
import { readOtherLine } from '../../../src/records/other-line.ts';

const days = new Days('America/New_York');
const row = { facility_uuid: 'site-1', ndc: '0093-7214-10', lot_number: ' A1207 ', delta: '-1.50', date: '2026-03-05' };

function movement(changes: Readonly<Record<string, string | undefined>> = {}) {
  const fields = Object.entries({ ...row, ...changes }).filter(([, value]) => value !== undefined);
  return readOtherLine(Object.fromEntries(fields) as Record<string, string>, days);
}

test('a row is a movement of its cell, with text and quantities as the ledger has them', () => {
  expect(movement({ reference: 'RX-1' })).toEqual({
    ok: true,
    value: {
      cell: { facility_uuid: 'site-1', product: '00093721410', lot_number: 'A1207', unit: 'EA', day: '2026-03-05' },
      delta: '-1.5',
      name: 'RX-1',
    },
  });
});

test.each([
  ['dispense', undefined, '-2'],
  ['receive', undefined, '2'],
  ['waste', undefined, '-2'],
  ['transfer', 'in', '2'],
  ['transfer', 'out', '-2'],
  ['count', undefined, '0'],
])('a quantity of 2 in a %s %s adds %s', (scan_type, direction, delta) => {
  expect(movement({ delta: undefined, quantity: '2', scan_type, direction })).toMatchObject({ value: { delta } });
});

test.each([
  ['2026-03-06T04:59:00Z', '2026-03-05'],
  ['2026-03-06T05:00:00Z', '2026-03-06'],
  ['2026-03-05 23:59:00', '2026-03-05'],
  ['1772712000000', '2026-03-05'],
])('the time %s is on the day %s of the zone', (occurred_at, day) => {
  expect(movement({ date: undefined, occurred_at })).toMatchObject({ value: { cell: { day } } });
});

describe('a row is refused', () => {
  test.each([
    ['facility_uuid', { facility_uuid: undefined }],
    ['ndc', { ndc: undefined }],
    ['quantity', { delta: undefined }],
    ['delta', { delta: 'two' }],
    ['scan_type', { delta: undefined, quantity: '2' }],
    ['direction', { delta: undefined, quantity: '2', scan_type: 'transfer' }],
    ['unit', { unit: 'BOX' }],
    ['date', { date: '2026-02-30' }],
    ['occurred_at', { date: undefined }],
    ['occurred_at', { date: undefined, occurred_at: 'NaN' }],
  ])('for its %s', (field, changes) => {
    expect(movement(changes)).toMatchObject({ ok: false, error: { field } });
  });
});

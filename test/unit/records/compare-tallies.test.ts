import { expect, test } from 'vitest';
import { compareTallies } from '../../../src/records/compare-tallies.ts';
import { Days } from '../../../src/records/days.ts';
import { type Cell, Tallies } from '../../../src/records/tallies.ts';

const days = new Days('UTC');
const cell: Cell = { facility_uuid: 'site-1', product: '00093721410', lot_number: 'A1207', unit: 'EA', day: '2026-03-05' };

function tallies(...movements: readonly (readonly [string, Partial<Cell>?, string?])[]): Tallies {
  const made = new Tallies();
  for (const [delta, changes = {}, name] of movements) {
    made.add({ cell: { ...cell, ...changes }, delta, ...(name !== undefined && { name }) });
  }
  return made;
}

const compare = (here: Tallies, there: Tallies) => compareTallies(here, there, days, 'the other');

test('the same sums differ in nothing, whatever the lines are', () => {
  expect(compare(tallies(['-1'], ['-2']), tallies(['-3']))).toEqual([]);
});

test('tenths that no binary float can hold add up exactly', () => {
  const tenths = Array.from({ length: 10 }, () => ['0.1'] as const);
  expect(compare(tallies(...tenths), tallies(['1']))).toEqual([]);
  const [found] = compare(tallies(['999999.999999'], ['0.000001']), tallies(['1000000.000001']));
  expect(found).toMatchObject({ here: { delta: '1000000', lines: 2 }, difference: '0.000001' });
});

test('what only the other side has is dispensed or received, on its day', () => {
  const found = compare(tallies(), tallies(['-2'], ['5', { lot_number: '' }], ['3', { product: '00312345678906', unit: 'ML' }]));
  expect(found).toMatchObject([{ kind: 'only_there' }, { kind: 'only_there' }, { kind: 'only_there' }]);
  expect(found.map(({ correction }) => correction)).toEqual([
    {
      facility_uuid: 'site-1',
      scanner_id: 'reconcile',
      scan_type: 'receive',
      ndc: '00093721410',
      quantity: '5',
      scan_uuid: expect.stringMatching(/^reconcile-[0-9a-f]{32}$/),
      captured_at: '2026-03-05T12:00:00+00:00',
    },
    expect.objectContaining({ scan_type: 'dispense', lot_number: 'A1207', quantity: '2' }),
    expect.objectContaining({ scan_type: 'receive', gtin: '00312345678906', quantity: '3', unit: 'ML' }),
  ]);
});

test('what only the ledger has, and what has another quantity, is adjusted with a reason', () => {
  const [onlyHere] = compare(tallies(['-2']), tallies());
  expect(onlyHere).toMatchObject({ kind: 'only_here', here: { delta: '-2', lines: 1 }, there: null, difference: '2' });
  expect(onlyHere?.correction).toMatchObject({ scan_type: 'adjust', quantity: '2' });
  const [quantity] = compare(tallies(['-2']), tallies(['-3']));
  expect(quantity).toMatchObject({ kind: 'quantity', difference: '-1' });
  expect(quantity?.correction).toMatchObject({
    scan_type: 'adjust',
    quantity: '-1',
    reason: 'Reconciled with the other: 2026-03-05 had -2, not -3.',
  });
});

test('a movement and its reversal, of which the other side has neither, differ in nothing', () => {
  expect(compare(tallies(['-2'], ['2']), tallies())).toEqual([]);
});

test('counts, which move nothing, are left out', () => {
  expect(compare(tallies(['0']), tallies())).toEqual([]);
});

test('the same difference has the same scan id, and another has another', () => {
  const idOf = (there: string): unknown => compare(tallies(['-2']), tallies([there]))[0]?.correction['scan_uuid'];
  expect(idOf('-3')).toBe(idOf('-3'));
  expect(idOf('-3')).not.toBe(idOf('-4'));
});

test('references of one side alone are named', () => {
  const [found] = compare(tallies(['-1', {}, 'RX-1']), tallies(['-1', {}, 'RX-1'], ['-1', {}, 'RX-2']));
  expect(found).toMatchObject({ names_only_here: [], names_only_there: ['RX-2'] });
});

test('facility, day, product, lot and unit each are a cell of their own, in that order', () => {
  const changes = [{ unit: 'ML' }, { lot_number: 'B' }, { product: '1' }, { day: '2026-03-04' }, { facility_uuid: 'site-0' }];
  const found = compare(tallies(), tallies(...changes.map((change) => ['1', change] as const)));
  expect(
    found.map(({ facility_uuid, day, product, lot_number, unit }) => [facility_uuid, day, product, lot_number, unit]),
  ).toEqual([
    ['site-0', '2026-03-05', '00093721410', 'A1207', 'EA'],
    ['site-1', '2026-03-04', '00093721410', 'A1207', 'EA'],
    ['site-1', '2026-03-05', '00093721410', 'A1207', 'ML'],
    ['site-1', '2026-03-05', '00093721410', 'B', 'EA'],
    ['site-1', '2026-03-05', '1', 'A1207', 'EA'],
  ]);
});

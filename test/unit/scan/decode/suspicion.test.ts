import { describe, expect, it } from 'vitest';
import { decodeBarcode } from '../../../../src/scan/decode/decode.ts';

function flagsOf(text: string): readonly string[] {
  const reading = decodeBarcode(text, { scanYear: 2026 });
  if (!reading.ok) throw new Error(reading.error.message);
  return reading.value.flags;
}

describe('a lot or serial that ends in what looks like one more element', () => {
  it.each([
    ['a lot with an expiry', '010030406051201610AB1217261231'],
    ['a lot with a production date', '010030406051201610AB1211260101'],
    ['a lot with a best-before date', '010030406051201610AB1215260400'],
    ['a serial with an expiry', '010030406051201621SN117261231'],
    ['a lot with a variant', '010030406051201610AB122023'],
  ])('is flagged, and not split: %s', (_, text) => {
    expect(flagsOf(text)).toEqual(['possible_missing_separator']);
    expect(decodeBarcode(text, { scanYear: 2026 })).toMatchObject({ value: { expirationDate: undefined } });
  });

  it.each([
    ['there is an expiry already', '01003040605120161726123110AB1217261231'],
    ['the digits are no date', '010030406051201610AB1217261331'],
    ['there is nothing before them', '01003040605120161017261231'],
    ['they do not stand at the end', '010030406051201610AB1217261231X'],
    ['the value ends in other digits', '010030406051201610AB12345678'],
    ['there is no lot', '0100304060512016'],
  ])('is not suspected where %s', (_, text) => {
    expect(flagsOf(text)).toEqual([]);
  });
});

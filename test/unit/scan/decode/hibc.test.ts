import { describe, expect, it } from 'vitest';
import { decodeBarcode } from '../../../../src/scan/decode/decode.ts';
import { hibcCheckCharacter } from '../../../../src/scan/decode/hibc.ts';

function read(text: string): Readonly<Record<string, unknown>> {
  const reading = decodeBarcode(text, { scanYear: 2026 });
  return reading.ok ? { ...reading.value } : { reason: reading.error.reason, message: reading.error.message };
}

/** Text with its check character. */
function closed(text: string): string {
  return text + hibcCheckCharacter(text);
}

/** What a primary symbol says together with this. */
function withSecondary(secondary: string): Readonly<Record<string, unknown>> {
  return read(closed(`+A99912345/${secondary}`));
}

describe('the check character of HIBC', () => {
  // Published labels.
  it.each([
    ['+A123BJC5D6E71', 'G'],
    ['+E308T800206X0/$230513/14D20260413', 'C'],
    ['+$$8053290331260301104+', '$'],
    ['+A99912345/$$52025010X3/16D20111212/S77DEFG45', '8'],
    ['+J123AQ3451/$$1125BC34567/S4012', 'L'],
    ['+A99912349/$10X3/16D20111231/14D20200131/Q500', 'Z'],
  ])('of %s is %s', (text, character) => {
    expect(hibcCheckCharacter(text)).toBe(character);
  });

  it('is noticed when it is any other', () => {
    const others = [...'0123456789ABCDEFHIJKLMNOPQRSTUVWXYZ-.$/+%'];

    expect(others).toHaveLength(41);
    for (const other of others) expect(read(`+A123BJC5D6E71${other}`)).toMatchObject({ reason: 'bad_check_character' });
  });

  it('may be a space, which is data then and not what the scanner adds', () => {
    const text = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ']
      .map((product) => `+A123${product}1`)
      .find((candidate) => hibcCheckCharacter(candidate) === ' ');

    expect(text).toBeDefined();
    expect(read(`${text} `)).toMatchObject({ hibc: { lic: 'A123', unitOfMeasure: 1 } });
    expect(read(`${text} \r\n`)).toMatchObject({ hibc: { lic: 'A123', unitOfMeasure: 1 } });
    expect(read(`${text}`)).toMatchObject({ reason: 'bad_check_character' });
    expect(read('+A123BJC5D6E71G ')).toMatchObject({ hibc: { pcn: 'BJC5D6E7' } });
  });
});

describe('the date of a HIBC', () => {
  it.each([
    ['$$0926LOT1', '2026-09-30', 'LOT1'],
    ['$$0228LOT1', '2028-02-29', 'LOT1'],
    ['$$2093026LOT1', '2026-09-30', 'LOT1'],
    ['$$3260930LOT1', '2026-09-30', 'LOT1'],
    ['$$426093023LOT1', '2026-09-30', 'LOT1'],
    ['$$526250LOT1', '2026-09-07', 'LOT1'],
    ['$$528366LOT1', '2028-12-31', 'LOT1'],
    ['$$62625012LOT1', '2026-09-07', 'LOT1'],
    ['$$7LOT1', undefined, 'LOT1'],
    ['$$3260930', '2026-09-30', undefined],
    ['26250LOT1', '2026-09-07', 'LOT1'],
    ['14D20260930', '2026-09-30', undefined],
    ['$$8123260930LOT1', '2026-09-30', 'LOT1'],
    ['$$9001203260930LOT1', '2026-09-30', 'LOT1'],
  ])('in %s is %s', (secondary, expirationDate, lotNumber) => {
    const reading = withSecondary(secondary);

    expect(reading['expirationDate']).toBe(expirationDate);
    expect(reading['lotNumber']).toBe(lotNumber);
  });

  it.each([
    '$$1326LOT1',
    '$$2133126L',
    '$$3260231L',
    '$$426093024L',
    '$$526366L',
    '$$526000L',
    '14D20260231',
    '14D2026',
    '$$326',
  ])('is refused in %s', (secondary) => {
    expect(withSecondary(secondary)).toMatchObject({ reason: 'bad_date' });
  });
});

describe('the parts of a HIBC', () => {
  it('are labeler, product, unit, lot, serial, dates and quantity, each with its place', () => {
    const text = '+A99912345/$$52025010X3/16D20111212/S77DEFG458';
    const reading = read(text);
    const parts = reading['parts'] as readonly { source: string; text: string; at: number }[];

    expect(parts.map(({ source, text: value }) => [source, value])).toEqual([
      ['HIBC labeler', 'A999'],
      ['HIBC product', '1234'],
      ['HIBC unit of measure', '5'],
      ['HIBC expiration', '20250'],
      ['HIBC lot', '10X3'],
      ['HIBC production', '20111212'],
      ['HIBC serial', '77DEFG45'],
    ]);
    for (const { text: value, at } of parts) expect(text.slice(at, at + value.length)).toBe(value);
  });

  it('may be a serial in the place of the lot', () => {
    expect(withSecondary('$+SN1')).toMatchObject({ serialNumber: 'SN1', lotNumber: undefined });
    expect(withSecondary('$$+3260930SN1')).toMatchObject({ serialNumber: 'SN1', expirationDate: '2026-09-30' });
  });

  it('have a count, which is flagged', () => {
    expect(withSecondary('$$8123260930LOT1')).toMatchObject({ count: 12, flags: ['count_in_symbol'] });
    expect(withSecondary('$$9001203260930LOT1')).toMatchObject({ count: 120 });
    expect(withSecondary('Q1')).toMatchObject({ count: 1, flags: [] });
  });

  it('may say a thing twice, if it is the same', () => {
    expect(withSecondary('$LOT1/$LOT1')).toMatchObject({ lotNumber: 'LOT1' });
    expect(withSecondary('$LOT1/$LOT2')).toMatchObject({ reason: 'bad_hibc' });
    expect(withSecondary('$$3260930L/14D20261001')).toMatchObject({ reason: 'bad_hibc' });
    expect(withSecondary('S1/S2')).toMatchObject({ reason: 'bad_hibc' });
    expect(withSecondary('Q1/Q2')).toMatchObject({ reason: 'bad_hibc' });
  });

  it('are those of a secondary symbol alone, whose last character but one belongs to its primary', () => {
    expect(read('+$$8053290331260301104+$')).toMatchObject({
      count: 5,
      expirationDate: '2029-03-31',
      lotNumber: '260301104',
      hibc: undefined,
    });
  });

  it('are read from Code 39 whose stars were sent', () => {
    expect(read('*+A123BJC5D6E71G*')).toMatchObject({ hibc: { lic: 'A123', pcn: 'BJC5D6E7', unitOfMeasure: 1 } });
  });

  it.each([
    '+A12',
    '+1',
    '+A123',
    closed('+A123X'),
    closed('+A1231234567890123456789AB1'),
    closed('+A12/3451'),
    closed('+A99912345/XYZ'),
    closed('+A99912345/Q'),
    closed('+A99912345/$'),
  ])('are refused in %s', (text) => {
    expect(read(text)['reason']).toMatch(/^(bad_hibc|truncated|bad_check_character|empty_element)$/);
  });
});

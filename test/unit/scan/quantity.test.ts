import { describe, expect, it } from 'vitest';
import { negateQuantity, parseQuantity, sumQuantities } from '../../../src/scan/quantity.ts';

function quantityOf(raw: string | number): string {
  const result = parseQuantity('quantity', raw);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe('parseQuantity', () => {
  it.each<[string | number, string]>([
    [1, '1'],
    ['1', '1'],
    ['1.0', '1'],
    ['1.00', '1'],
    ['01', '1'],
    ['+1', '1'],
    ['1 ', '1'],
    ['\uFEFF1\r\n', '1'],
    ['1.000000000', '1'],
    [0.5, '0.5'],
    ['0.50', '0.5'],
    ['00.5', '0.5'],
    [0, '0'],
    ['0', '0'],
    ['0.000', '0'],
    ['-0', '0'],
    [-0, '0'],
    ['-0.000', '0'],
    [-2.5, '-2.5'],
    ['-02.50', '-2.5'],
    [0.000001, '0.000001'],
    ['0.000001', '0.000001'],
    ['0.1000000', '0.1'],
    [999_999, '999999'],
    ['999999', '999999'],
    ['-999999', '-999999'],
    ['999998.999999', '999998.999999'],
    ['10', '10'],
    ['100', '100'],
  ])('reads %j as %s', (raw, normal) => {
    expect(parseQuantity('quantity', raw)).toEqual({ ok: true, value: normal });
  });

  it('reads the spellings of one JSON number as one quantity', () => {
    const spellings = ['{"quantity":1}', '{"quantity":1.0}', '{"quantity":1e0}', '{"quantity":10e-1}', '{"quantity":"1.000"}'];

    expect(new Set(spellings.map((json) => quantityOf(JSON.parse(json).quantity)))).toEqual(new Set(['1']));
  });

  it.each<[string | number]>([
    ['one'],
    ['1,5'],
    ['0,5'],
    ['1.234,5'],
    ['1 000'],
    ['.5'],
    ['5.'],
    ['1.2.3'],
    ['--1'],
    ['+-1'],
    ['0x10'],
    ['1_000'],
    ['1/7'],
    ['½'],
    ['١'],
    ['－1'],
    ['NaN'],
    ['Infinity'],
    ['null'],
    ['true'],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [1e21],
    [1e-7],
    ['0.0000001'],
    ['0.1234567'],
    [0.1 + 0.2],
  ])('refuses %j as no quantity', (raw) => {
    expect(parseQuantity('quantity', raw)).toMatchObject({
      ok: false,
      error: { code: 'SG_QUANTITY_INVALID', field: 'quantity' },
    });
  });

  it('says that it keeps six digits after the point, instead of rounding', () => {
    expect(parseQuantity('quantity', '0.1428571')).toEqual({
      ok: false,
      error: {
        code: 'SG_QUANTITY_INVALID',
        field: 'quantity',
        message: 'quantity is "0.1428571": at most 6 digits after the point are kept.',
      },
    });
  });

  it('refuses a million digits as quickly as a few', () => {
    const digits = '0'.repeat(1_000_000);

    expect(parseQuantity('quantity', `0.${digits}1`)).toMatchObject({ ok: false, error: { code: 'SG_QUANTITY_INVALID' } });
    expect(parseQuantity('quantity', `1${digits}`)).toMatchObject({ ok: false, error: { code: 'SG_QUANTITY_RANGE' } });
  });

  it.each(['1E9', '1e+06', '3.12E+11', '3,12E+11', '-1E0', '5e-1'])('refuses %s as damaged by a spreadsheet', (raw) => {
    expect(parseQuantity('quantity', raw)).toMatchObject({
      ok: false,
      error: { code: 'SG_SPREADSHEET_DAMAGE', field: 'quantity' },
    });
  });

  it.each<[string | number]>([
    [1_000_000],
    ['1000000'],
    ['-1000000'],
    ['999999.000001'],
    [999_999.5],
    [1e9],
    [312345678906],
    ['312345678906'],
    ['00312345678906'],
  ])('refuses %j, which is a barcode rather than a quantity', (raw) => {
    expect(parseQuantity('quantity', raw)).toMatchObject({
      ok: false,
      error: { code: 'SG_QUANTITY_RANGE', field: 'quantity', message: expect.stringContaining('Was a barcode scanned into it?') },
    });
  });

  it.each(['', ' ', '\r\n', '\u200B'])('refuses %j as empty', (raw) => {
    expect(parseQuantity('quantity', raw)).toMatchObject({ ok: false, error: { code: 'SG_FIELD_EMPTY', field: 'quantity' } });
  });

  it('shows at most forty characters of what it refuses', () => {
    const result = parseQuantity('quantity', 'x'.repeat(1_000));

    expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining(`"${'x'.repeat(40)}…"`) } });
  });
});

describe('sumQuantities', () => {
  it('gives 0 for nothing', () => {
    expect(sumQuantities([])).toBe('0');
  });

  it('leaves nothing of ten tenths taken from one', () => {
    expect(sumQuantities(['1', ...Array.from({ length: 10 }, () => '-0.1')])).toBe('0');
  });

  it('adds 0.1 and 0.2 to 0.3, and three times 0.3 and 0.1 to 1', () => {
    expect(sumQuantities(['0.1', '0.2'])).toBe('0.3');
    expect(sumQuantities(['0.3', '0.3', '0.3', '0.1'])).toBe('1');
  });

  it('leaves nothing of a thousand movements of 0.001 to 0.007 and back', () => {
    const movements = Array.from({ length: 1_000 }, (_, index) => `0.00${(index % 7) + 1}`);

    expect(sumQuantities(movements)).toBe('3.997');
    expect(sumQuantities([...movements, ...movements.map((amount) => `-${amount}`)])).toBe('0');
  });

  it('leaves a millionth of a vial after seven rounded sevenths, and says so', () => {
    expect(sumQuantities(['1', ...Array.from({ length: 7 }, () => '-0.142857')])).toBe('0.000001');
  });

  it('keeps the half of 10.5', () => {
    expect(sumQuantities(['10.5'])).toBe('10.5');
    expect(sumQuantities(['10.5', '-0.5'])).toBe('10');
  });

  it('stays exact beyond what a binary float can hold', () => {
    expect(sumQuantities(['9007199254740993', '0.000001'])).toBe('9007199254740993.000001');
    expect(sumQuantities(['16972', '437'])).toBe('17409');
  });

  it('goes below zero', () => {
    expect(sumQuantities(['3', '-5'])).toBe('-2');
    expect(sumQuantities(['0.25', '-0.5'])).toBe('-0.25');
  });

  it.each(['', 'NaN', '1e3', ' 1'])('throws for "%s", which is not a normalised quantity', (text) => {
    expect(() => sumQuantities([text])).toThrow(TypeError);
  });
});

describe('negateQuantity', () => {
  it.each([
    ['1', '-1'],
    ['-1', '1'],
    ['0.000001', '-0.000001'],
    ['0', '0'],
    ['12.25', '-12.25'],
  ])('turns %s into %s', (quantity, negated) => {
    expect(negateQuantity(quantity)).toBe(negated);
  });
});

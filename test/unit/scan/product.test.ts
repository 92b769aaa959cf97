import { describe, expect, it } from 'vitest';
import type { Result } from '../../../src/base/result.ts';
import { type Product, type ProductFields, parseProduct as parseWith, productText } from '../../../src/scan/product.ts';
import type { Rejection } from '../../../src/scan/rejection.ts';

/** Without a directory of products. */
function parseProduct(fields: ProductFields): Result<Product, Rejection> {
  return parseWith(fields, () => undefined);
}

function parseNdc(ndc: string): Result<string | undefined, Rejection> {
  const product = parseProduct({ ndc });
  return product.ok ? { ok: true, value: product.value.ndc11 } : product;
}

function parseGtin(gtin: string): Result<string | undefined, Rejection> {
  const product = parseProduct({ gtin });
  return product.ok ? { ok: true, value: product.value.gtin14 } : product;
}

describe('the ndc of a scan', () => {
  // Packages of the FDA's directory, in the form that it lists and in eleven digits.
  it.each([
    ['0093-5732-01', '00093573201'],
    ['0573-0201-30', '00573020130'],
    ['00573-0201-30', '00573020130'],
    ['60274-610-01', '60274061001'],
    ['11014-0080-1', '11014008001'],
    ['00143-9391-10', '00143939110'],
    ['63323-0723-03', '63323072303'],
    ['63323-723-03', '63323072303'],
    ['00573020130', '00573020130'],
    [' 00573020130\r\n', '00573020130'],
    ['\uFEFF0573-0201-30', '00573020130'],
    // Hyphens as PDF files and word processors write them.
    ['0093\u20117214\u201110', '00093721410'],
    ['0093–7214–10', '00093721410'],
    ['0093\u22127214\u221210', '00093721410'],
    // Ten digits that begin with 0 are 4-4-2.
    ['0573020130', '00573020130'],
    // The twelve digits of 21 CFR 207.
    ['000093-7214-10', '00093721410'],
    ['000937214100', '00937214100'],
  ])('reads %j as the eleven digits %s', (text, ndc11) => {
    expect(parseNdc(text)).toEqual({ ok: true, value: ndc11 });
  });

  it('keeps 12345-678-90 and 1234-5678-90 apart, which are equal without their hyphens', () => {
    expect(parseNdc('12345-678-90')).toEqual({ ok: true, value: '12345067890' });
    expect(parseNdc('1234-5678-90')).toEqual({ ok: true, value: '01234567890' });
  });

  it.each(['6050526713', '6745715303', '8605500101'])(
    'refuses %s: ten digits without hyphens fit more than one product',
    (text) => {
      expect(parseNdc(text)).toMatchObject({ ok: false, error: { code: 'SG_NDC_AMBIGUOUS', field: 'ndc' } });
    },
  );

  it.each(['5.91E+10', '5.912345679E10', '5,91E+10', '6E10'])(
    'refuses %s, of which a spreadsheet took the last digits',
    (text) => {
      expect(parseNdc(text)).toMatchObject({
        ok: false,
        error: { code: 'SG_SPREADSHEET_DAMAGE', field: 'ndc', message: expect.stringContaining('its last digits are gone') },
      });
    },
  );

  it.each(['591234567', '93721410', '93721'])('refuses %s, of which a spreadsheet took the leading zeros', (text) => {
    expect(parseNdc(text)).toMatchObject({
      ok: false,
      error: { code: 'SG_SPREADSHEET_DAMAGE', field: 'ndc', message: expect.stringContaining('its leading zeros are gone') },
    });
  });

  it.each([
    '0093-721-10',
    '0093-7214-1',
    '00093-721-1',
    '0093-7214-100',
    '0093-7214',
    '0093 7214 10',
    '0093-7214-1O',
    '0093-72140-10',
    '-00093721410',
    '1234',
    '00093|721410',
    '٠٠٠٩٣٧٢١٤١٠',
    '0x00093721410',
    '00093721410.0',
    '="00093721410"',
  ])('refuses %s, which has none of the forms of an NDC', (text) => {
    expect(parseNdc(text)).toMatchObject({ ok: false, error: { code: 'SG_NDC_INVALID', field: 'ndc' } });
  });

  it('reads a labeler of six digits, which has no form of eleven', () => {
    expect(parseProduct({ ndc: '100000-7214-10' })).toEqual({ ok: true, value: { ndc12: '100000721410' } });
    expect(parseProduct({ ndc: '100000721410' })).toEqual({ ok: true, value: { ndc12: '100000721410' } });
  });

  it('refuses an empty one', () => {
    expect(parseNdc(' \u200B')).toMatchObject({ ok: false, error: { code: 'SG_FIELD_EMPTY', field: 'ndc' } });
  });
});

describe('the gtin of a scan', () => {
  it.each([
    ['312345678906', '00312345678906'],
    ['0312345678906', '00312345678906'],
    ['00312345678906', '00312345678906'],
    ['\u200B312345678906\r', '00312345678906'],
    ['10304060512013', '10304060512013'],
    // The worked examples of the check digit of GTIN-13 and UPC-A.
    ['6291041500213', '06291041500213'],
    ['036000291452', '00036000291452'],
  ])('reads %j as the fourteen digits %s', (text, gtin14) => {
    expect(parseGtin(text)).toEqual({ ok: true, value: gtin14 });
  });

  it.each(['312345678907', '0312345678905', '00312345678900', '13012345678906'])(
    'refuses %s as misread, because its check digit is wrong',
    (text) => {
      expect(parseGtin(text)).toMatchObject({ ok: false, error: { code: 'SG_CHECK_DIGIT', field: 'gtin' } });
    },
  );

  it('notices every single digit that was misread', () => {
    const right = '00312345678906';
    const misread = [...right].flatMap((digit, at) =>
      [...'0123456789'].filter((other) => other !== digit).map((other) => right.slice(0, at) + other + right.slice(at + 1)),
    );

    expect(misread).toHaveLength(126);
    expect(misread.filter((text) => parseGtin(text).ok)).toEqual([]);
  });

  it.each(['12345670', '31234567890', '003123456789061', '0-312345678906', '31234567890X', '(01)00312345678906', '1'])(
    'refuses %s, which is not 12, 13 or 14 digits',
    (text) => {
      expect(parseGtin(text)).toMatchObject({ ok: false, error: { code: 'SG_GTIN_INVALID', field: 'gtin' } });
    },
  );

  it('refuses 3.12E+11, of which a spreadsheet took the last digits', () => {
    expect(parseGtin('3.12E+11')).toMatchObject({ ok: false, error: { code: 'SG_SPREADSHEET_DAMAGE', field: 'gtin' } });
  });

  it('refuses an empty one', () => {
    expect(parseGtin('\t')).toMatchObject({ ok: false, error: { code: 'SG_FIELD_EMPTY', field: 'gtin' } });
  });
});

describe('parseProduct', () => {
  it('refuses a scan that names no product', () => {
    expect(parseProduct({})).toMatchObject({ ok: false, error: { code: 'SG_PRODUCT_MISSING', field: 'ndc' } });
  });

  it('takes an NDC alone', () => {
    expect(parseProduct({ ndc: '0093-7214-10' })).toEqual({
      ok: true,
      value: { ndc11: '00093721410', ndc12: '000093721410' },
    });
  });

  it('reads the NDC out of a GTIN of the drug prefix whose ten digits begin with 0: only 4-4-2 does', () => {
    expect(parseProduct({ gtin: '00304060512016' })).toEqual({
      ok: true,
      value: { ndc11: '00406051201', ndc12: '000406051201', gtin14: '00304060512016' },
    });
  });

  it('guesses no hyphens in a GTIN whose ten digits fit more than one NDC', () => {
    expect(parseProduct({ gtin: '00312345678906' })).toEqual({ ok: true, value: { gtin14: '00312345678906' } });
  });

  it.each(['12345-678-90', '1234-5678-90', '12345-6789-0'])('takes a GTIN together with its NDC %s', (ndc) => {
    const eleven = { '12345-678-90': '12345067890', '1234-5678-90': '01234567890', '12345-6789-0': '12345678900' }[ndc];

    expect(parseProduct({ ndc, gtin: '312345678906' })).toEqual({
      ok: true,
      value: { ndc11: eleven, ndc12: `0${eleven}`, gtin14: '00312345678906' },
    });
  });

  it('takes a GTIN that holds no NDC as it is', () => {
    expect(parseProduct({ gtin: '6291041500213' })).toEqual({ ok: true, value: { gtin14: '06291041500213' } });
  });

  it('names a case by its GTIN, never by the NDC of the unit inside', () => {
    const value = { gtin14: '10304060512013', unitNdc11: '00406051201' };

    expect(parseProduct({ gtin: '10304060512013' })).toEqual({ ok: true, value });
    expect(parseProduct({ gtin: '10304060512013', ndc: '0406-0512-01' })).toEqual({ ok: true, value });
  });

  it.each([
    ['another package', '0406-0512-02', '00304060512016'],
    ['another labeler', '00093721410', '00304060512016'],
    ['a GTIN that holds no NDC', '0406-0512-01', '6291041500213'],
    ['a case of another package', '0406-0512-02', '10304060512013'],
    ['a hyphenation with other digits', '12345-0678-90', '00304060512016'],
  ])('refuses an NDC together with %s', (_, ndc, gtin) => {
    expect(parseProduct({ ndc, gtin })).toMatchObject({ ok: false, error: { code: 'SG_FIELDS_DISAGREE', field: 'gtin' } });
  });

  it('refuses a good NDC beside a bad GTIN, and the reverse', () => {
    expect(parseProduct({ ndc: '00093721410', gtin: '1' })).toMatchObject({ ok: false, error: { code: 'SG_GTIN_INVALID' } });
    expect(parseProduct({ ndc: '1', gtin: '00312345678906' })).toMatchObject({ ok: false, error: { code: 'SG_NDC_INVALID' } });
  });
});

describe('productText', () => {
  it('is the NDC where it is known, else the GTIN', () => {
    expect(productText({ ndc11: '00406051201', ndc12: '000406051201', gtin14: '00304060512016' })).toBe('00406051201');
    expect(productText({ ndc12: '100000721410' })).toBe('100000721410');
    expect(productText({ gtin14: '10304060512013', unitNdc11: '00406051201' })).toBe('10304060512013');
    expect(productText({ gtin14: '10304060512013' })).toBe('10304060512013');
  });

  it('throws for a product that has neither', () => {
    expect(() => productText({})).toThrow(TypeError);
  });
});

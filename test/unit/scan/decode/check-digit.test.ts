import { describe, expect, it } from 'vitest';
import { hasCheckDigit } from '../../../../src/scan/decode/check-digit.ts';

describe('hasCheckDigit', () => {
  it.each([
    ['a GTIN-8', '12345670'],
    ['a GTIN-12', '036000291452'],
    ['a GTIN-13', '6291041500213'],
    ['a GTIN-14', '10304094903115'],
    ['an SSCC', '373400306809981733'],
    ['an SSCC whose check digit is 0', '376130321109103420'],
    ['a global location number', '9506000134352'],
  ])('agrees with %s', (_, digits) => {
    expect(hasCheckDigit(digits)).toBe(true);
  });

  it('notices every digit that was misread, and two neighbours that changed places unless they differ by five', () => {
    const right = '10304094903115';
    const misread = [...right].flatMap((digit, at) =>
      [...'0123456789'].filter((other) => other !== digit).map((other) => right.slice(0, at) + other + right.slice(at + 1)),
    );

    expect(misread.filter((digits) => hasCheckDigit(digits))).toEqual([]);
    expect(hasCheckDigit('10304094901315')).toBe(false);
  });

  it('may be asked of the beginning of a text alone', () => {
    expect(hasCheckDigit('6291041500213ABC', 13)).toBe(true);
    expect(hasCheckDigit('6291041500214ABC', 13)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { decodeBarcode } from '../../../../src/scan/decode/decode.ts';
import { fullYear, gs1Date } from '../../../../src/scan/decode/gs1-date.ts';

describe('the century of a year of two digits', () => {
  // GS1 General Specifications 7.12: the difference to the year of the scan decides.
  it.each([
    [2026, 26, 2026],
    [2026, 75, 2075],
    [2026, 76, 2076],
    [2026, 77, 1977],
    [2026, 99, 1999],
    [2026, 0, 2000],
    [2049, 99, 2099],
    [2049, 0, 2000],
    [2050, 0, 2100],
    [2050, 1, 2001],
    [2060, 99, 2099],
    [2060, 10, 2110],
    [2060, 11, 2011],
    [2099, 49, 2149],
    [2099, 50, 2050],
    [2000, 50, 2050],
    [2000, 51, 1951],
    [1999, 49, 2049],
    [1999, 50, 1950],
    [2100, 99, 2099],
  ])('of a scan of %i makes %i the year %i', (scanYear, digits, year) => {
    expect(fullYear(digits, scanYear)).toBe(year);
  });
});

describe('a date of six digits', () => {
  it.each([
    ['261231', '2026-12-31'],
    ['260400', '2026-04-30'],
    ['260200', '2026-02-28'],
    ['280200', '2028-02-29'],
    ['000200', '2000-02-29'],
    ['260100', '2026-01-31'],
    ['280229', '2028-02-29'],
    ['260101', '2026-01-01'],
  ])('%s is the day %s', (digits, day) => {
    expect(gs1Date(digits, 2026, true)).toBe(day);
  });

  it.each(['260230', '230229', '261301', '260015', '260000', '260132', '260431', '269999'])('%s is no day', (digits) => {
    expect(gs1Date(digits, 2026, true)).toBeUndefined();
  });

  it('has no 29 February in a century that has none', () => {
    expect(gs1Date('000229', 2090, true)).toBeUndefined();
    expect(gs1Date('000200', 2090, true)).toBe('2100-02-28');
    expect(gs1Date('000229', 2026, true)).toBe('2000-02-29');
  });

  it('has no day 00 where it is not allowed', () => {
    expect(gs1Date('260400', 2026, false)).toBeUndefined();
  });
});

describe('an expiry with an hour', () => {
  const read = (value: string) => decodeBarcode(`]d27003${value}`, { scanYear: 2026 });

  it.each(['0000', '1430', '2359'])('may end at %s', (time) => {
    expect(read(`261231${time}`)).toMatchObject({
      ok: true,
      value: { expirationDate: '2026-12-31', expirationTime: `${time.slice(0, 2)}:${time.slice(2)}` },
    });
  });

  it.each(['2612312400', '2612311460', '2612319999', '2612001430', '2613011430'])('is refused as %s', (value) => {
    expect(read(value)).toMatchObject({ ok: false, error: { reason: 'bad_date' } });
  });

  it('is more exact than the date beside it, wherever that stands', () => {
    for (const text of ['17261231' + '70032612311430', '70032612311430\u001d17261231']) {
      expect(decodeBarcode(`]d2${text}`, { scanYear: 2026 })).toMatchObject({
        value: { expirationDate: '2026-12-31', expirationTime: '14:30' },
      });
    }
  });
});

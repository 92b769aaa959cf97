import { describe, expect, it } from 'vitest';
import { codePointName, printable, quoted, reject } from '../../../src/scan/rejection.ts';

describe('reject', () => {
  it('gives code, field and sentence', () => {
    expect(reject('SG_FIELD_EMPTY', 'lot_number', 'lot_number is empty.')).toEqual({
      ok: false,
      error: { code: 'SG_FIELD_EMPTY', field: 'lot_number', message: 'lot_number is empty.' },
    });
  });

  it('leaves the field out where there is none', () => {
    expect(reject('SG_FIELD_TYPE', undefined, 'A scan is a JSON object.')).toEqual({
      ok: false,
      error: { code: 'SG_FIELD_TYPE', message: 'A scan is a JSON object.' },
    });
  });

  it('gives a field name that can be shown and stored', () => {
    expect(reject('SG_FIELD_UNKNOWN', 'a\u0000\uD800b', 'No.').error.field).toBe('aU+0000U+D800b');
    expect(reject('SG_FIELD_UNKNOWN', 'x'.repeat(1_000), 'No.').error.field).toBe(`${'x'.repeat(80)}…`);
  });
});

describe('quoted', () => {
  it('puts a value between quotation marks and cuts it after forty characters', () => {
    expect(quoted('A1207')).toBe('"A1207"');
    expect(quoted(5)).toBe('"5"');
    expect(quoted('x'.repeat(40))).toBe(`"${'x'.repeat(40)}"`);
    expect(quoted('x'.repeat(41))).toBe(`"${'x'.repeat(40)}…"`);
  });
});

describe('printable', () => {
  it.each([
    ['NUL', 'a\u0000b', 'aU+0000b'],
    ['a line end', 'a\nb', 'aU+000Ab'],
    ['a zero-width space', 'a\u200Bb', 'aU+200Bb'],
    ['a right-to-left override', 'a\u202Eb', 'aU+202Eb'],
    ['a line separator', 'a\u2028b', 'aU+2028b'],
    ['half of a surrogate pair', 'a\uDC00b', 'aU+DC00b'],
    ['a character of the private use area', 'a\uE000b', 'aU+E000b'],
    ['a language tag', 'a\u{E0001}b', 'aU+E0001b'],
  ])('shows %s by the name of its code point', (_, text, shown) => {
    expect(printable(text, 80)).toBe(shown);
  });

  it('keeps every visible character', () => {
    expect(printable('É ½ \u{1F600} "|"', 80)).toBe('É ½ \u{1F600} "|"');
  });

  it('leaves no half of a surrogate pair where it cuts one', () => {
    expect(printable(`${'x'.repeat(39)}\u{1F600}`, 40)).toBe(`${'x'.repeat(39)}U+D83D…`);
  });
});

describe('codePointName', () => {
  it('has at least four digits', () => {
    expect(codePointName('|')).toBe('U+007C');
    expect(codePointName('\u{1F600}')).toBe('U+1F600');
  });
});

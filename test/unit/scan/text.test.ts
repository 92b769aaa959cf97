import { describe, expect, it } from 'vitest';
import { normaliseText, parseText } from '../../../src/scan/text.ts';

describe('normaliseText', () => {
  it.each([
    ['a carriage return and a line feed', 'A1207\r\n'],
    ['two carriage returns', 'A1207\r\r'],
    ['a tab', 'A1207\t'],
    ['spaces on both sides', '  A1207  '],
    ['a no-break space', 'A1207\u00A0'],
    ['an ideographic space', '\u3000A1207'],
    ['a next-line character', 'A1207\u0085'],
    ['a line separator', '\u2028A1207\u2029'],
  ])('strips %s around the text', (_, raw) => {
    expect(normaliseText(raw)).toBe('A1207');
  });

  it.each([
    ['a zero-width space', 'LOT\u200B123'],
    ['a byte-order mark', '\uFEFFLOT123'],
    ['a soft hyphen', 'LOT\u00AD123'],
    ['a zero-width joiner', 'LOT123\u200D'],
    ['a word joiner', 'L\u2060OT123'],
    ['a right-to-left mark', 'LOT\u200F123'],
    ['a combining grapheme joiner', 'LOT\u034F123'],
    ['a variation selector', 'LOT123\uFE0F'],
    ['a Hangul filler', '\u3164LOT123'],
    ['a language tag', 'LOT\u{E0041}123'],
    ['an interlinear annotation mark', 'LOT\uFFF9123'],
    ['white space that an invisible character hides', 'LOT123 \u200B \u200B'],
  ])('takes out %s', (_, raw) => {
    expect(normaliseText(raw)).toBe('LOT123');
  });

  it('composes what is decomposed', () => {
    expect(normaliseText('LOTE\u0301')).toBe('LOT\u00C9');
    expect(normaliseText('\u212B')).toBe('\u00C5');
    expect(normaliseText('q\u0307\u0323')).toBe('q\u0323\u0307');
  });

  it('keeps compatibility characters apart', () => {
    expect(normaliseText('\uFF21')).toBe('\uFF21');
    expect(normaliseText('\u2460')).toBe('\u2460');
  });

  it('keeps case, leading zeros and inner white space', () => {
    expect(normaliseText('00aB 01')).toBe('00aB 01');
  });

  it('keeps a format character that is seen', () => {
    expect(normaliseText('\u0600123')).toBe('\u0600123');
  });

  it('does not join the halves of a surrogate pair that an invisible character keeps apart', () => {
    expect(normaliseText('\uD83D\u200B\uDE00')).toBe('\uD83D\u200B\uDE00');
    expect(normaliseText('\uDB40\u00AD\uDC01A')).toBe('\uDB40\u00AD\uDC01A');
  });

  it.each([
    ['spaces', ' '],
    ['combining marks out of order, which take the engine quadratic time', '\u0301\u0323'],
  ])('gives text longer than any field back as it is, because it is refused: ten thousand %s', (_, repeated) => {
    const long = `A${repeated.repeat(10_000)}B`;

    expect(normaliseText(long) === long).toBe(true);
    expect(parseText('lot_number', long, 64)).toMatchObject({ ok: false, error: { code: 'SG_FIELD_LONG' } });
  });
});

describe('parseText', () => {
  it('gives the normalised text', () => {
    expect(parseText('lot_number', ' A1207\r\n', 64)).toEqual({ ok: true, value: 'A1207' });
  });

  it.each([
    ['219E01'],
    ['1E5'],
    ['0x1F'],
    ['1_000'],
    ['Infinity'],
    ['NaN'],
    ['null'],
    ['true'],
    ['undefined'],
    ['-'],
    ['__proto__'],
    ['constructor'],
    ['L(2)A'],
    ['=HYPERLINK("http://x","y")'],
    ['@SUM(1)'],
    ['serial=S01'],
    ['!"%&\'()*+,-./0123456789:;<=>?ABCXYZ_abcxyz'],
    ['\u{1F600}'],
  ])('keeps %s as it is', (text) => {
    expect(parseText('lot_number', text, 64)).toEqual({ ok: true, value: text });
  });

  it.each([
    ['nothing', ''],
    ['a space', ' '],
    ['a line end', '\r\n'],
    ['a zero-width space', '\u200B'],
    ['a byte-order mark', '\uFEFF'],
    ['a mix of both', ' \u200B\u00A0\u2060\t'],
  ])('refuses a field that holds %s as empty', (_, raw) => {
    expect(parseText('lot_number', raw, 64)).toEqual({
      ok: false,
      error: {
        code: 'SG_FIELD_EMPTY',
        field: 'lot_number',
        message: 'lot_number is empty. Give a value, or leave the field out.',
      },
    });
  });

  it.each([
    ['the separator of the identity text', 'A|B', 'the character | (U+007C)'],
    ['NUL', 'A\u0000B', 'a control character (U+0000)'],
    ['NUL at the end', 'A\u0000', 'a control character (U+0000)'],
    ['a tab inside', 'A\tB', 'a control character (U+0009)'],
    ['a line end inside', 'A\nB', 'a control character (U+000A)'],
    ['the group separator of GS1', 'A\u001DB', 'a control character (U+001D)'],
    ['delete', 'A\u007FB', 'a control character (U+007F)'],
    ['a C1 control character', 'A\u0096B', 'a control character (U+0096)'],
    ['a line separator', 'A\u2028B', 'a control character (U+2028)'],
    ['a paragraph separator', 'A\u2029B', 'a control character (U+2029)'],
    ['a high surrogate alone', 'A\uD800', 'half of a surrogate pair (U+D800)'],
    ['a low surrogate alone', '\uDC00A', 'half of a surrogate pair (U+DC00)'],
    ['a pair in the wrong order', '\uDE00\uD83D', 'half of a surrogate pair (U+DE00)'],
    ['a pair that an invisible character keeps apart', '\uD83D\u200B\uDE00', 'half of a surrogate pair (U+D83D)'],
    ['the replacement character', 'A\uFFFDB', 'the replacement character (U+FFFD: text was read in the wrong encoding)'],
  ])('refuses %s and names the code point', (_, raw, what) => {
    expect(parseText('lot_number', raw, 64)).toEqual({
      ok: false,
      error: { code: 'SG_FIELD_CHARACTER', field: 'lot_number', message: `lot_number holds ${what}, which it must not.` },
    });
  });

  it('counts characters, not code units', () => {
    expect(parseText('lot_number', '\u{1F600}'.repeat(64), 64).ok).toBe(true);
    expect(parseText('lot_number', '\u{1F600}'.repeat(65), 64)).toEqual({
      ok: false,
      error: { code: 'SG_FIELD_LONG', field: 'lot_number', message: 'lot_number has 65 characters; at most 64 are allowed.' },
    });
  });

  it('counts the normalised text', () => {
    expect(parseText('lot_number', `  ${'E\u0301'.repeat(64)}\u200B\r\n`, 64)).toEqual({ ok: true, value: '\u00C9'.repeat(64) });
  });

  it('takes the longest reason in its longest decomposed spelling', () => {
    expect(parseText('reason', '\u1F82'.repeat(500).normalize('NFD'), 500)).toEqual({ ok: true, value: '\u1F82'.repeat(500) });
  });

  it('refuses five million characters as too long', () => {
    expect(parseText('lot_number', 'A'.repeat(5_000_000), 64)).toMatchObject({ ok: false, error: { code: 'SG_FIELD_LONG' } });
  });
});

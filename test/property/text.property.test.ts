import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseText, parseText } from '../../src/scan/text.ts';
import { withSeed } from '../support/scans.ts';

/** Any sequence of UTF-16 code units, halves of surrogate pairs among them. */
const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units));
const anyText = fc.oneof(anyUnits, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));

const troublesome = [
  'A', 'a', '0', ' ', '|', '\t', '\r', '\n', '\u0000', '\u0085', '\u00A0', '\u00AD', '\u034F', '\u0301', '\u0323', '\u0345',
  '\u200B', '\u200D', '\u2028', '\u2060', '\u2126', '\u212B', '\u3000', '\u3164', '\u1100', '\u1161', '\u11A8', '\uAC00',
  '\uFE0F', '\uFEFF', '\uFFFD', '\uD800', '\uDB40', '\uDC01', '\uDFFF', '\uD83D', '\uDE00', '\u0958', '\u{1D15E}', '\u{E0001}',
] as const; // biome-ignore format: a table.

describe('normaliseText', () => {
  it('changes nothing the second time, and does not mind the form, for every code point there is', () => {
    let seen = 0;
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const raw = `A${String.fromCodePoint(point)}\u0301B`;
      const once = normaliseText(raw);
      if (normaliseText(once) !== once) throw new Error(`U+${point.toString(16)} is not stable.`);
      if (normaliseText(raw.normalize('NFD')) !== once) throw new Error(`U+${point.toString(16)} depends on its form.`);
      seen += 1;
    }
    expect(seen).toBe(1_114_112);
  });

  it('changes nothing the second time in a million sequences of troublesome characters', () => {
    withSeed((numbers) => {
      let changed = 0;
      for (let run = 0; run < 1_000_000; run += 1) {
        let raw = '';
        for (let length = numbers.below(6); length >= 0; length -= 1) raw += numbers.pick(troublesome);
        const once = normaliseText(raw);
        if (normaliseText(once) !== once) throw new Error(`${JSON.stringify(raw)} is not stable.`);
        if (once !== raw) changed += 1;
      }
      expect(changed).toBeGreaterThan(100_000);
    });
  });

  it('changes nothing the second time in any text', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        expect(normaliseText(normaliseText(raw))).toBe(normaliseText(raw));
      }),
      { numRuns: 5_000 },
    );
  });

  it('does not mind the Unicode form of any text that is one', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        fc.pre(raw.isWellFormed());
        expect(normaliseText(raw.normalize('NFD'))).toBe(normaliseText(raw));
        expect(normaliseText(raw.normalize('NFC'))).toBe(normaliseText(raw));
      }),
      { numRuns: 5_000 },
    );
  });

  it('keeps every visible character of ASCII, in its place and case', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))) }),
        (text) => {
          expect(normaliseText(text)).toBe(text);
          expect(normaliseText(` ${text}\r\n`)).toBe(text);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('parseText', () => {
  it('lets nothing through that could break an identity, and what it lets through it leaves alone', () => {
    let taken = 0;
    fc.assert(
      fc.property(anyText, (raw) => {
        const result = parseText('lot_number', raw, 64);
        if (!result.ok) return;
        taken += 1;
        expect(result.value).not.toMatch(/^$|[|\p{Cc}\u2028\u2029\uFFFD]/u);
        expect(result.value.isWellFormed()).toBe(true);
        expect([...result.value].length).toBeLessThanOrEqual(64);
        expect(parseText('lot_number', result.value, 64)).toEqual(result);
      }),
      { numRuns: 5_000 },
    );
    expect(taken).toBeGreaterThan(500);
  });

  it('gives a sentence of storable text for whatever it refuses', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const result = parseText('lot_number', raw, 4);
        if (result.ok) return;
        expect(result.error.field).toBe('lot_number');
        expect(result.error.message).toMatch(/^lot_number [ -~]+\.$/);
      }),
      { numRuns: 5_000 },
    );
  });
});

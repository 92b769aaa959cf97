import { createRequire } from 'node:module';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { decodeBarcode } from '../../src/scan/decode/decode.ts';
import type { Reading } from '../../src/scan/decode/reading.ts';

/**
 * What `gs1-barcode-parser-mod` gives. Compared are the identifiers, their order, their texts and their dates.
 *
 * Not comparable: check digits, characters, lengths and dates that do not exist, which it does not look at; a repeated identifier,
 * which it gives twice; the number of a measure, which it gives as a float; what it is of the product. It takes the century from
 * the clock of the computer, which is therefore set to the year of the scan.
 */
interface OtherParser {
  parseBarcode(text: string): { readonly parsedCodeItems: readonly OtherItem[] };
}

interface OtherItem {
  readonly ai: string;
  /** The text as it stands in the barcode. */
  readonly raw: string;
  /** Of a date; else empty. */
  readonly isoDate: string;
}

const other = createRequire(import.meta.url)('gs1-barcode-parser-mod') as OtherParser;

const set82 = [...'!"%&\'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'];
const textOf = (maxLength: number) => fc.string({ unit: fc.constantFrom(...set82), minLength: 1, maxLength });
const digitsOf = (minLength: number, maxLength = minLength) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });

/** Thirteen digits and the one that makes the sum with weights 3 and 1 a multiple of ten. */
const gtin = digitsOf(13)
  .filter((digits) => /[1-9]/.test(digits))
  .map((digits) => {
    const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
    return `${digits}${(10 - (sum % 10)) % 10}`;
  });
const date = fc
  .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 28 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(''));

const values = {
  '01': gtin,
  '10': textOf(20),
  '11': date,
  '13': date,
  '15': date,
  '17': date,
  '20': digitsOf(2),
  '21': textOf(20),
  '30': digitsOf(1, 8),
  '37': digitsOf(1, 8),
  '240': textOf(30),
  '241': textOf(30),
  '400': textOf(30),
  '3100': digitsOf(6),
  '3103': digitsOf(6),
  '3105': digitsOf(6),
} as const;

type Ai = keyof typeof values;
const ais = Object.keys(values) as Ai[];
/** Those of which every element says by its first two digits how long it is. */
const needNoSeparator: readonly string[] = ['01', '11', '13', '15', '17', '20', '3100', '3103', '3105'];

interface Element {
  readonly ai: Ai;
  readonly text: string;
}

const elements: fc.Arbitrary<Element[]> = fc
  .shuffledSubarray(ais, { minLength: 1, maxLength: 9 })
  .chain((chosen) => fc.tuple(...chosen.map((ai) => values[ai].map((text) => ({ ai, text })))));

function elementString(parts: readonly Element[]): string {
  return parts
    .map(({ ai, text }, at) => `${ai}${text}${needNoSeparator.includes(ai) || at === parts.length - 1 ? '' : '\u001d'}`)
    .join('');
}

function read(text: string, scanYear: number): Reading {
  const reading = decodeBarcode(text, { scanYear });
  if (!reading.ok) throw new Error(`${JSON.stringify(text)}: ${reading.error.message}`);
  return reading.value;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a well-formed element string', () => {
  it('has the elements that were written, and those that another parser finds', () => {
    let compared = 0;
    fc.assert(
      fc.property(elements, fc.constantFrom(']d2', ']C1', ']Q3', ']e0'), (written, identifier) => {
        const text = identifier + elementString(written);
        const ours = read(text, 2026).parts.map(({ source, text: value }) => ({ ai: source.slice(3), text: value }));
        const theirs = other.parseBarcode(text).parsedCodeItems.map(({ ai, raw }) => ({ ai, text: raw }));

        expect(ours).toEqual(written);
        expect(theirs).toEqual(written);
        compared += written.length;
      }),
      { numRuns: 4_000 },
    );
    expect(compared).toBeGreaterThan(8_000);
  });

  it('has the dates that another parser finds in the year of the scan', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    fc.assert(
      fc.property(date, date, fc.integer({ min: 1990, max: 2099 }), (produced, expires, scanYear) => {
        vi.setSystemTime(Date.UTC(scanYear, 5, 15));
        const text = `]d211${produced}17${expires}`;
        const [theirProduction, theirExpiry] = other.parseBarcode(text).parsedCodeItems;
        const reading = read(text, scanYear);

        expect(reading.productionDate).toBe(theirProduction?.isoDate);
        expect(reading.expirationDate).toBe(theirExpiry?.isoDate);
      }),
      { numRuns: 4_000 },
    );
  });

  it('has the same product, lot, serial and expiry in any order of its elements', () => {
    const scan = fc.tuple(gtin, textOf(20), textOf(20), date);
    fc.assert(
      fc.property(scan, fc.shuffledSubarray(['01', '10', '21', '17'] as const, { minLength: 4 }), (texts, order) => {
        const [gtin14, lotNumber, serialNumber, expires] = texts;
        const text = { '01': gtin14, '10': lotNumber, '21': serialNumber, '17': expires };
        const reading = read(`]d2${elementString(order.map((ai) => ({ ai, text: text[ai] })))}`, 2026);

        expect(reading).toMatchObject({ gtin14, lotNumber, serialNumber });
        expect(reading.expirationDate?.replaceAll('-', '').slice(2, 6)).toBe(expires.slice(0, 4));
      }),
      { numRuns: 2_000 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { negateQuantity, parseQuantity, sumQuantities } from '../../src/scan/quantity.ts';
import { type SeededNumbers, withSeed } from '../support/scans.ts';

/** Millionths as an integer, and a decimal text of them that need not be the shortest. */
interface Amount {
  readonly millionths: bigint;
  readonly text: string;
}

function amount(negative: boolean, whole: number, millionth: number, zeros: string): Amount {
  const fraction = String(1_000_000 + millionth).slice(1);
  return {
    millionths: (negative ? -1n : 1n) * (BigInt(whole) * 1_000_000n + BigInt(millionth)),
    text: `${negative ? '-' : ''}${zeros}${whole}.${fraction}${zeros}`,
  };
}

function drawnAmount(numbers: SeededNumbers): Amount {
  const fraction = numbers.pick([0, 1, 10, 100_000, 500_000, 999_999, numbers.below(1_000_000)]);
  return amount(
    numbers.below(2) === 0,
    numbers.pick([0, 1, 999_998, numbers.below(999_999)]),
    fraction,
    numbers.pick(['', '0', '000']),
  );
}

const anyAmount = fc
  .tuple(fc.boolean(), fc.integer({ min: 0, max: 999_998 }), fc.integer({ min: 0, max: 999_999 }), fc.constantFrom('', '0', '00'))
  .map((parts) => amount(...parts));

/** Read by moving the point six places, not by splitting at it. */
function millionthsOf(normal: string): bigint {
  const [, places = ''] = /\.(\d+)$/.exec(normal) ?? [];
  return BigInt(normal.replace('.', '') + '0'.repeat(6 - places.length));
}

function quantityOf(raw: string | number): string {
  const result = parseQuantity('quantity', raw);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const normalForm = /^(?:0|-?(?:[1-9]\d*|0(?=\.))(?:\.\d{0,5}[1-9])?)$/;

describe('parseQuantity', () => {
  it('gives the one shortest text of 300,000 amounts, unchanged when it is read again', () => {
    withSeed((numbers) => {
      for (let run = 0; run < 300_000; run += 1) {
        const { millionths, text } = drawnAmount(numbers);
        const normal = quantityOf(text);
        if (!normalForm.test(normal)) throw new Error(`${text} became ${normal}.`);
        if (millionthsOf(normal) !== millionths) throw new Error(`${text} became ${normal}, another amount.`);
        if (quantityOf(normal) !== normal) throw new Error(`${normal} is not stable.`);
      }
    });
  });

  it('reads a JSON number as its text, or refuses both', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, min: -2_000_000, max: 2_000_000 }),
      fc.integer({ min: -1_000_000, max: 1_000_000 }).map((thousandths) => thousandths / 1_000),
    );
    fc.assert(
      fc.property(number, (value) => {
        const [fromNumber, fromText] = [parseQuantity('quantity', value), parseQuantity('quantity', String(value))];

        expect(fromNumber.ok).toBe(fromText.ok);
        if (fromNumber.ok) expect(fromNumber).toEqual(fromText);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps every millionth of a JSON number', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999_000_000, max: 999_999_000_000 }), (millionths) => {
        const value = millionths / 1_000_000;
        fc.pre(!String(value).includes('e'));
        expect(millionthsOf(quantityOf(value))).toBe(BigInt(millionths));
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives a value or a refusal with a sentence for any text', () => {
    const near = fc.string({ unit: fc.constantFrom(...'0123456789.,-+eE x|\u0000\uD800'), maxLength: 12 });
    fc.assert(
      fc.property(fc.oneof(near, fc.string({ unit: 'binary' })), (text) => {
        const result = parseQuantity('quantity', text);
        if (result.ok) expect(result.value).toMatch(normalForm);
        else expect(result.error).toMatchObject({ field: 'quantity', message: expect.stringMatching(/^quantity is .*[.?]$/) });
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('sumQuantities', () => {
  it('is the sum of millionths as integers, over half a million amounts', () => {
    withSeed((numbers) => {
      for (let run = 0; run < 5_000; run += 1) {
        const amounts = Array.from({ length: 1 + numbers.below(200) }, () => drawnAmount(numbers));
        const sum = sumQuantities(amounts.map(({ text }) => quantityOf(text)));
        const expected = amounts.reduce((total, { millionths }) => total + millionths, 0n);
        if (millionthsOf(sum) !== expected || !normalForm.test(sum)) {
          throw new Error(`${amounts.map(({ text }) => text).join(' + ')} became ${sum}.`);
        }
      }
    });
  });

  it('does not depend on the order, nor on how the parts are put together', () => {
    fc.assert(
      fc.property(fc.array(anyAmount), fc.array(anyAmount), (some, others) => {
        const [a, b] = [some, others].map((amounts) => amounts.map(({ text }) => quantityOf(text))) as [string[], string[]];

        expect(sumQuantities([...b, ...a])).toBe(sumQuantities([...a, ...b]));
        expect(sumQuantities([sumQuantities(a), sumQuantities(b)])).toBe(sumQuantities([...a, ...b]));
      }),
    );
  });
});

describe('negateQuantity', () => {
  it('is its own inverse, adds to nothing, and knows no minus zero', () => {
    fc.assert(
      fc.property(anyAmount, ({ text }) => {
        const quantity = quantityOf(text);

        expect(negateQuantity(negateQuantity(quantity))).toBe(quantity);
        expect(sumQuantities([quantity, negateQuantity(quantity)])).toBe('0');
        expect(negateQuantity(quantity)).toMatch(normalForm);
      }),
    );
  });
});

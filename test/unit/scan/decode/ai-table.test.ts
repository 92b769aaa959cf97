import { describe, expect, it } from 'vitest';
import { applicationIdentifiers, identifierAt } from '../../../../src/scan/decode/ai-table.ts';
import { decodeBarcode } from '../../../../src/scan/decode/decode.ts';

describe('the table of application identifiers', () => {
  // GS1 General Specifications, section 3: shortest and longest value.
  it.each([
    ['00', 18, 18],
    ['01', 14, 14],
    ['02', 14, 14],
    ['10', 1, 20],
    ['11', 6, 6],
    ['12', 6, 6],
    ['13', 6, 6],
    ['15', 6, 6],
    ['16', 6, 6],
    ['17', 6, 6],
    ['20', 2, 2],
    ['21', 1, 20],
    ['22', 1, 20],
    ['235', 1, 28],
    ['240', 1, 30],
    ['241', 1, 30],
    ['30', 1, 8],
    ['37', 1, 8],
    ['3100', 6, 6],
    ['3109', 6, 6],
    ['400', 1, 30],
    ['414', 13, 13],
    ['7003', 10, 10],
    ['710', 1, 20],
    ['711', 1, 20],
    ['712', 1, 20],
    ['713', 1, 20],
    ['714', 1, 20],
    ['715', 1, 20],
    ['716', 1, 20],
    ['717', 1, 20],
    ['253', 13, 30],
    ['8003', 14, 30],
    ['8006', 18, 18],
    ['90', 1, 30],
    ['99', 1, 90],
  ])('gives AI %s %i to %i characters', (ai, lengthMin, lengthMax) => {
    expect(applicationIdentifiers().get(ai)).toMatchObject({ ai, lengthMin, lengthMax });
  });

  it.each(['05', '14', '18', '19', '23', '24', '31', '017', '709', '718', '3170', '5', '', 'AB', '4', '9999'])(
    'has no AI %s',
    (ai) => {
      expect(applicationIdentifiers().has(ai)).toBe(false);
    },
  );

  it('says of the identifiers that the specifications list, and of no others, that no separator has to follow', () => {
    const prefixes = [...applicationIdentifiers().values()]
      .filter(({ predefined }) => predefined)
      .map(({ ai }) => ai.slice(0, 2));

    // Figure 7.8.5-2; of those, no identifier begins with 04, 14, 18 or 19.
    expect([...new Set(prefixes)].toSorted().join(' ')).toBe('00 01 02 03 11 12 13 15 16 17 20 31 32 33 34 35 36 41');
  });

  it('finds each of its identifiers at any place of a text', () => {
    const found = [...applicationIdentifiers().keys()].filter((ai) => identifierAt(`x${ai}123`, 1)?.ai === ai);

    expect(applicationIdentifiers().size).toBeGreaterThan(400);
    expect(found).toHaveLength(applicationIdentifiers().size);
  });

  it.each(['', '1', 'AB', '23', '24', ' 1', '\u001d1', '٠١', '0x'])('finds none in %j', (text) => {
    expect(identifierAt(text, 0)).toBeUndefined();
  });

  it.each(['10', '21', '22', '240', '241', '400', '715'])(
    'takes the shortest and longest values of AI %s, and no longer one',
    (ai) => {
      const { lengthMax = 0 } = applicationIdentifiers().get(ai) ?? {};
      const reason = (value: string): string => {
        const reading = decodeBarcode(`]d2${ai}${value}`, { scanYear: 2026 });
        return reading.ok ? 'ok' : reading.error.reason;
      };

      if (ai !== '715') expect([reason('1'), reason('A'.repeat(lengthMax))]).toEqual(['ok', 'ok']);
      expect(reason('A'.repeat(lengthMax + 1))).toBe('ai_too_long');
      expect(reason('A B')).toBe('bad_charset');
      expect(reason('')).toBe('empty_element');
    },
  );

  it.each(['01003040605120', '0100304060512', '011', '1726123', '3100123', '41401234'])('finds that %s breaks off', (text) => {
    expect(decodeBarcode(`]d2${text}`, { scanYear: 2026 })).toMatchObject({ ok: false, error: { reason: 'truncated' } });
  });
});

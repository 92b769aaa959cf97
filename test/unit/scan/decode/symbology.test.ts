import { describe, expect, it } from 'vitest';
import { decodeBarcode } from '../../../../src/scan/decode/decode.ts';
import { symbologyOf } from '../../../../src/scan/decode/symbology.ts';

function reasonOf(text: string): string {
  const reading = decodeBarcode(text, { scanYear: 2026 });
  return reading.ok ? reading.value.carrier : reading.error.reason;
}

describe('a symbology identifier', () => {
  // ISO/IEC 15424, and what ZXing reports of drawn symbols.
  it.each([
    [']d2', 'gs1'],
    [']C1', 'gs1'],
    [']Q3', 'gs1'],
    [']e0', 'gs1'],
    [']J1', 'gs1'],
    [']z1', 'gs1'],
    [']E0', 'ean'],
    [']E4', 'ean'],
    [']d1', 'plain'],
    [']C0', 'plain'],
    [']Q1', 'plain'],
    [']A0', 'plain'],
    [']I1', 'plain'],
    [']L0', 'plain'],
  ])('%s says that the content is %s', (id, content) => {
    expect(symbologyOf(id)).toMatchObject({ id, content });
  });

  it.each([']W0', ']f1', ']Zx', ']dx', ']00'])('%s is none', (id) => {
    expect(symbologyOf(id)).toBeUndefined();
  });

  it('is not data', () => {
    expect(decodeBarcode(']d210d2', { scanYear: 2026 })).toMatchObject({ value: { lotNumber: 'd2', symbology: { id: ']d2' } } });
  });

  it('of GS1 admits an element string and nothing else', () => {
    expect([']d2304060512016', ']C1ABC', ']d2https://a/01/00304060512016', ']e0+A123BJC5D6E71G'].map(reasonOf)).toEqual([
      'ai_too_long',
      'unknown_ai',
      'unknown_ai',
      'unknown_ai',
    ]);
  });

  it('of EAN and UPC admits a GTIN and nothing else', () => {
    expect(
      [']E00304060512016', ']E0304060512016', ']E412345670', ']E007838604', ']E00100304060512016', ']E00406-0512-01'].map(
        reasonOf,
      ),
    ).toEqual(['gtin', 'gtin', 'gtin', 'gtin', 'wrong_length', 'wrong_length']);
  });

  it('of another symbol admits whatever the text is', () => {
    expect(
      [']d1+A123BJC5D6E71G', ']Q1https://a/01/00304060512016', ']A000406051201', ']I110304060512013', ']C00406-0512-01'].map(
        reasonOf,
      ),
    ).toEqual(['hibc', 'gs1_digital_link', 'ndc', 'gtin', 'ndc']);
  });

  it('inside the text means that two reads are glued together', () => {
    for (const text of [
      ']d20100304060512016]d20100304060512016',
      ']d210AB12]d210AB12',
      '10AB12]C110AB12',
      ']E00304060512016]E00304060512016',
    ])
      expect(decodeBarcode(text, { scanYear: 2026 }).ok).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { decodeBarcode } from '../../../../src/scan/decode/decode.ts';

const gtin = '00304060512016';

function read(address: string): Readonly<Record<string, unknown>> {
  const reading = decodeBarcode(address, { scanYear: 2026 });
  return reading.ok ? { ...reading.value } : { reason: reading.error.reason };
}

describe('a GS1 Digital Link', () => {
  it.each([
    'https://id.gs1.org',
    'http://id.gs1.org',
    'HTTPS://ID.GS1.ORG',
    'https://example.com:8443',
    'https://example.com/a/b%20c',
    'https://example.com/products/en',
  ])('may be served at %s', (stem) => {
    expect(read(`${stem}/01/${gtin}/10/AB12`)).toMatchObject({ gtin14: gtin, lotNumber: 'AB12', carrier: 'gs1_digital_link' });
  });

  it.each([
    ['AB%2F12', 'AB/12'],
    ['AB%2f12', 'AB/12'],
    ['ABC%2540', 'ABC%40'],
    ['%41%42', 'AB'],
    ['A+B', 'A+B'],
    ['A%2BB', 'A+B'],
    ['A&B;C=D', 'A&B;C=D'],
  ])('has its lot decoded exactly once: %s', (raw, lotNumber) => {
    expect(read(`https://id.gs1.org/01/${gtin}/10/${raw}`)).toMatchObject({ lotNumber });
  });

  it.each(['AB%', 'AB%2', 'AB%2G', 'AB%ZZ', '%E4%F6', '%FF'])('is refused for the broken escape %s', (raw) => {
    expect(read(`https://id.gs1.org/01/${gtin}/10/${raw}`)).toEqual({ reason: 'bad_escape' });
    expect(read(`https://id.gs1.org/01/${gtin}?10=${raw}`)).toEqual({ reason: 'bad_escape' });
  });

  it.each(['A%20B', 'A%00B', 'A%1DB', 'A%C3%A9', '%F0%9F%92%8A', 'A%5D'])(
    'is refused for a character that no lot has: %s',
    (raw) => {
      expect(read(`https://id.gs1.org/01/${gtin}/10/${raw}`)).toEqual({ reason: 'bad_charset' });
    },
  );

  it.each(['/22/V1/10/AB12/21/SN1', '/10/AB12/21/SN1', '/22/V1/21/SN1', '/21/SN1', '/235/TPX1', ''])(
    'may have the qualifiers %s',
    (path) => {
      expect(read(`https://id.gs1.org/01/${gtin}${path}`)).toMatchObject({ gtin14: gtin });
    },
  );

  it.each(['/21/SN1/10/AB12', '/10/AB12/22/V1', '/10/A/10/A', '/17/261231', '/99/X', '/lot/AB12'])(
    'may not have the qualifiers %s',
    (path) => {
      expect(read(`https://id.gs1.org/01/${gtin}${path}`)).toEqual({ reason: 'bad_qualifier_order' });
    },
  );

  it('may have other identifiers in its query, in any order and among other questions', () => {
    const expected = { expirationDate: '2026-12-31', count: 12, productionDate: '2026-01-01' };

    expect(read(`https://id.gs1.org/01/${gtin}?17=261231&30=12&11=260101`)).toMatchObject(expected);
    expect(read(`https://id.gs1.org/01/${gtin}?linkType=gs1:pip&11=260101&x=&30=12;17=261231&`)).toMatchObject(expected);
    expect(read(`https://id.gs1.org/01/${gtin}/?17=261231&30=12&11=260101#17=270101`)).toMatchObject(expected);
  });

  it('has the whole of a value with an equals sign', () => {
    expect(read(`https://id.gs1.org/01/${gtin}?10=AB=12`)).toMatchObject({ lotNumber: 'AB=12' });
  });

  it('is refused for an identifier in its query that there is none of, or a value that it cannot have', () => {
    expect(read(`https://id.gs1.org/01/${gtin}?19=261231`)).toEqual({ reason: 'unknown_ai' });
    expect(read(`https://id.gs1.org/01/${gtin}?17=261301`)).toEqual({ reason: 'bad_date' });
    expect(read(`https://id.gs1.org/01/${gtin}?17=`)).toEqual({ reason: 'empty_element' });
    expect(read(`https://id.gs1.org/01/${gtin}/10/A?10=B`)).toEqual({ reason: 'repeated_ai' });
    expect(read(`https://id.gs1.org/01/${gtin}/10/A?10=A`)).toMatchObject({ lotNumber: 'A' });
  });

  it.each([
    'https://example.com',
    'https://example.com/',
    'https://example.com/01',
    'https://example.com/01/',
    'https:///01/1',
    `https://a?01=${gtin}`,
    `https://a/01/${gtin}/10`,
  ])('is not %s', (address) => {
    expect(read(address)).toEqual({ reason: 'not_digital_link' });
  });

  it('is flagged where zeros were left out of its GTIN', () => {
    expect(read('https://a/01/304060512016')).toMatchObject({ gtin14: gtin, flags: ['zero_suppressed_gtin'] });
    expect(read('https://a/01/0304060512016')).toMatchObject({ gtin14: gtin, flags: ['zero_suppressed_gtin'] });
    expect(read('https://a/01/3040605120')).toEqual({ reason: 'truncated' });
  });

  it('says where each part stands, though the same text stands before', () => {
    const address = `https://a/21x/AB12/01/${gtin}/10/AB12/21/21x?x17=261231&17=261231`;
    const parts = read(address)['parts'] as readonly { text: string; at: number }[];

    expect(parts.map(({ text, at }) => [text, at])).toEqual([
      [gtin, address.indexOf(gtin)],
      ['AB12', address.lastIndexOf('AB12')],
      ['21x', address.lastIndexOf('21x')],
      ['261231', address.lastIndexOf('261231')],
    ]);
  });
});

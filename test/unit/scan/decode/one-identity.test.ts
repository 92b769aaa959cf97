import { describe, expect, it } from 'vitest';
import { barcodeScan, base64, identityOf } from '../../../support/decode-scans.ts';
import { scanOf } from '../../../support/scans.ts';

const facility = 'F'.repeat(36);
const oneText = `${facility}|SCN-04|00406051201|AB12|1|dispense|serial=SN12345`;

describe('the identity of one package', () => {
  it.each([
    ['a GS1 DataMatrix', ']d2010030406051201621SN12345\u001d1726123110AB12'],
    ['no symbology identifier', '010030406051201621SN12345\u001d1726123110AB12'],
    ['a separator at its start', '\u001d010030406051201621SN12345\u001d1726123110AB12'],
    ['a symbology identifier and a separator', ']d2\u001d010030406051201621SN12345\u001d1726123110AB12'],
    ['a GS1-128', ']C1010030406051201621SN12345\u001d1726123110AB12'],
    ['a GS1 QR code', ']Q3010030406051201621SN12345\u001d1726123110AB12'],
    ['a GS1 DataBar', ']e0010030406051201621SN12345\u001d1726123110AB12'],
    ['a Code 128 that does not say it is GS1', ']C0010030406051201621SN12345\u001d1726123110AB12'],
    ['the lot first', ']d210AB12\u001d01003040605120161726123121SN12345'],
    ['the product last', ']d21726123110AB12\u001d21SN12345\u001d0100304060512016'],
    ['needless separators', ']d20100304060512016\u001d17261231\u001d10AB12\u001d21SN12345\u001d'],
    ['its printed form', '(01)00304060512016(21)SN12345(17)261231(10)AB12'],
    ['a Digital Link', 'https://id.gs1.org/01/00304060512016/10/AB12/21/SN12345?17=261231'],
    ['a Digital Link of a shop', ']Q1HTTPS://Shop.example/en/01/00304060512016/10/AB12/21/SN12345?17=261231&linkType=pip'],
    ['CR and LF behind', ']d2010030406051201621SN12345\u001d1726123110AB12\r\n'],
    ['two CR behind', ']d2010030406051201621SN12345\u001d1726123110AB12\r\r'],
    ['a TAB behind', ']d2010030406051201621SN12345\u001d1726123110AB12\t'],
    ['spaces around', '  ]d2010030406051201621SN12345\u001d1726123110AB12 '],
    ['the NDC of AI 715', ']d2715000406051201\u001d21SN12345\u001d1726123110AB12'],
  ])('is one text when it comes with %s', (_, barcode) => {
    const scan = barcodeScan(barcode);

    expect(identityOf(scan)).toBe(oneText);
    expect(scan.expirationDate).toBe('2026-12-31');
  });

  it('is the same from bytes, from text, from both, and from fields', () => {
    const barcode = ']d2010030406051201621SN12345\u001d1726123110AB12';
    const fields = { lot_number: 'AB12', serial_number: 'SN12345' };

    expect(identityOf(scanOf({ ndc: undefined, lot_number: undefined, barcode_base64: base64(barcode) }))).toBe(oneText);
    expect(identityOf(barcodeScan(barcode, { barcode_base64: base64(barcode) }))).toBe(oneText);
    expect(identityOf(scanOf({ ...fields, ndc: '0406-0512-01' }))).toBe(oneText);
    expect(identityOf(scanOf({ ...fields, ndc: undefined, gtin: '304060512016' }))).toBe(oneText);
  });

  it('has the lot in the case in which it is printed', () => {
    expect(identityOf(barcodeScan(']d2010030406051201610ab12'))).toBe(`${facility}|SCN-04|00406051201|ab12|1|dispense`);
    expect(identityOf(barcodeScan(']d2010030406051201610AB12'))).toBe(`${facility}|SCN-04|00406051201|AB12|1|dispense`);
  });
});

describe('the identity of one product', () => {
  it.each(['304060512016', ']E00304060512016', '0304060512016', '00304060512016', ']I100304060512016', '*304060512016*'])(
    'is its NDC from the linear code %s',
    (barcode) => {
      expect(identityOf(barcodeScan(barcode))).toBe(`${facility}|SCN-04|00406051201||1|dispense`);
    },
  );

  it.each(['0406-0512-01', '00406051201', '0406051201', '*00406051201*', ']A000406051201'])(
    'is its NDC from the code %s',
    (barcode) => {
      expect(identityOf(barcodeScan(barcode))).toBe(`${facility}|SCN-04|00406051201||1|dispense`);
    },
  );

  // 12345-678-90, 12345-6789-0: the ten digits fit two products.
  it.each(['312345678906', '0312345678906', '00312345678906', ']E00312345678906', '0100312345678906'])(
    'is its GTIN where the NDC in it cannot be told: %s',
    (barcode) => {
      expect(identityOf(barcodeScan(barcode))).toBe(`${facility}|SCN-04|00312345678906||1|dispense`);
    },
  );

  it('is its GTIN also when a directory finds the NDC of its ten digits: what was committed before stays the same', () => {
    const directory = (ndc10: string): string | undefined => (ndc10 === '1234567890' ? '12345067890' : undefined);
    const scan = barcodeScan('312345678906', {}, { decoding: { directory } });

    expect(scan.product).toEqual({ gtin14: '00312345678906' });
    expect(identityOf(scan)).toBe(`${facility}|SCN-04|00312345678906||1|dispense`);
  });
});

describe('the identities of different things', () => {
  it('differ for a unit, a case and a carton of one product', () => {
    // Indicators 0, 1 and 5 with their check digits, by the weights 3 and 1.
    const texts = ['00304060512016', '10304060512013', '50304060512011'].map((gtin) => identityOf(barcodeScan(`01${gtin}`)));

    expect(texts).toEqual([
      `${facility}|SCN-04|00406051201||1|dispense`,
      `${facility}|SCN-04|10304060512013||1|dispense`,
      `${facility}|SCN-04|50304060512011||1|dispense`,
    ]);
    expect(barcodeScan('0110304060512013')).toMatchObject({
      product: { gtin14: '10304060512013', unitNdc11: '00406051201' },
      flags: ['packaging_level'],
    });
  });

  it('differ for ten serials of one lot', () => {
    const serials = Array.from({ length: 10 }, (_, index) => `SN1234${index}`);
    const texts = serials.map((serial) => identityOf(barcodeScan(`]d2010030406051201621${serial}\u001d10AB12`)));

    expect(new Set(texts).size).toBe(10);
  });

  it('differ for two lots, and for a package without one', () => {
    const texts = ['10AB12', '10AB13', ''].map((lot) => identityOf(barcodeScan(`]d20100304060512016${lot}`)));

    expect(new Set(texts).size).toBe(3);
  });
});

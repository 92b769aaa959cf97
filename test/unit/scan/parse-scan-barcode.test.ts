import { describe, expect, it } from 'vitest';
import { barcodeRefusal, barcodeScan, base64, identityOf } from '../../support/decode-scans.ts';
import { scanOf } from '../../support/scans.ts';

const whole = ']d2010030406051201621SN12345\u001d1726123110AB12';

describe('a scan with a barcode', () => {
  it('has product, lot, serial and expiry from it, and says what it was', () => {
    expect(barcodeScan(whole)).toMatchObject({
      product: { ndc11: '00406051201', ndc12: '000406051201', gtin14: '00304060512016' },
      lotNumber: 'AB12',
      serialNumber: 'SN12345',
      expirationDate: '2026-12-31',
      quantity: '1',
      flags: [],
      barcode: { carrier: 'gs1_element_string', symbology: ']d2' },
    });
  });

  it('keeps the barcode as it was sent', () => {
    expect(barcodeScan(`${whole}\r\n`).asSent).toEqual({ barcode: `${whole}\r\n` });
    expect(scanOf({ ndc: undefined, lot_number: undefined, barcode_base64: base64(whole) }).asSent).toEqual({
      barcode_base64: base64(whole),
    });
  });

  it('is one of the quantity that was sent, not of the count that the symbol says', () => {
    expect(barcodeScan('01003040605120163012\u001d10AB12')).toMatchObject({ quantity: '1', flags: ['count_in_symbol'] });
    expect(barcodeScan('01003040605120163012\u001d10AB12', { quantity: 12 }).quantity).toBe('12');
  });

  it('is flagged where the label is suspicious', () => {
    expect(barcodeScan('0110884521761599112107011021G0073JZ2023').flags).toEqual([
      'packaging_level',
      'possible_missing_separator',
    ]);
    expect(barcodeScan(']d1010030406051201610AB12').flags).toEqual(['not_gs1_symbology']);
  });
});

describe('barcode and barcode_base64 together', () => {
  it('agree when the text has lost its separators and line ends', () => {
    const text = ']d2010030406051201621SN123451726123110AB12';

    expect(barcodeScan(text, { barcode_base64: base64(`${whole}\r\n`) })).toMatchObject({
      lotNumber: 'AB12',
      serialNumber: 'SN12345',
      expirationDate: '2026-12-31',
    });
  });

  it('agree in the base64 of addresses, and without padding', () => {
    const barcode = ']d2010030406051201610?>?>\u001d21SN9';
    const urlSafe = base64(barcode).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

    expect(urlSafe).toMatch(/[-_]/);
    expect(barcodeScan(barcode, { barcode_base64: urlSafe })).toMatchObject({ lotNumber: '?>?>', serialNumber: 'SN9' });
  });

  it('disagree when another character differs', () => {
    expect(barcodeRefusal(whole.replace('AB12', 'AB13'), { barcode_base64: base64(whole) })).toMatchObject({
      code: 'SG_FIELDS_DISAGREE',
      field: 'barcode',
    });
  });

  it.each(['XWQy*', 'XWR', 'X', 'XWQyMDEw=MDMw', 'XWQy MDEw', 'à', '===='])(
    'are refused when %j is not base64',
    (barcode_base64) => {
      const refusal = barcodeRefusal(undefined, { barcode_base64 });

      expect(refusal).toMatchObject(
        barcode_base64 === '====' ? { code: 'SG_BARCODE_INVALID', reason: 'empty' } : { code: 'SG_FIELD_VALUE' },
      );
      expect(refusal.field).toBe('barcode_base64');
    },
  );
});

describe('fields beside a barcode', () => {
  it('may say the same', () => {
    const beside = { ndc: '0406-0512-01', gtin: '304060512016', lot_number: 'AB12', serial_number: 'SN12345' };

    expect(identityOf(barcodeScan(whole, { ...beside, expiration_date: '2026-12-31' }))).toBe(identityOf(barcodeScan(whole)));
  });

  it.each([
    ['ndc', { ndc: '0406-0512-02' }],
    ['gtin', { gtin: '312345678906' }],
    ['lot_number', { lot_number: 'ab12' }],
    ['serial_number', { serial_number: 'SN1234' }],
    ['expiration_date', { expiration_date: '2026-12-30' }],
  ])('are refused when %s says something else', (field, beside) => {
    expect(barcodeRefusal(whole, beside)).toMatchObject({ code: 'SG_FIELDS_DISAGREE', field });
  });

  it('say what the symbol lacks', () => {
    const beside = { lot_number: 'AB12', serial_number: 'SN12345', expiration_date: '2026-12-31' };

    expect(barcodeScan('304060512016', beside)).toMatchObject({
      lotNumber: 'AB12',
      serialNumber: 'SN12345',
      expirationDate: '2026-12-31',
    });
    expect(identityOf(barcodeScan('304060512016', beside))).toBe(identityOf(barcodeScan(whole)));
  });

  it('leave out nothing that the symbol says', () => {
    const symbol = '010030406051201610AB12';

    expect(barcodeScan(symbol)).not.toHaveProperty('expirationDate');
    expect(barcodeScan(symbol, { expiration_date: '2026-12-31' }).expirationDate).toBe('2026-12-31');
    expect(barcodeScan(whole, { lot_number: 'AB12' }).expirationDate).toBe('2026-12-31');
  });

  it('say which of two NDCs a GTIN holds', () => {
    const product = { ndc11: '12345067890', ndc12: '012345067890', gtin14: '00312345678906' };

    expect(barcodeScan('0100312345678906', { ndc: '12345-678-90' }).product).toEqual(product);
    expect(barcodeScan('12345-678-90', { gtin: '312345678906' }).product).toEqual(product);
    expect(barcodeRefusal('0100312345678906', { ndc: '12345-679-90' }).code).toBe('SG_FIELDS_DISAGREE');
  });

  it('may name the unit inside a case, which is scanned as a case all the same', () => {
    const product = { gtin14: '10304060512013', unitNdc11: '00406051201' };

    expect(barcodeScan('0110304060512013', { ndc: '0406-0512-01' }).product).toEqual(product);
    expect(barcodeRefusal('0110304060512013', { ndc: '0406-0512-02' }).code).toBe('SG_FIELDS_DISAGREE');
    expect(barcodeRefusal('0406-0512-01', { gtin: '10304060512013' }).code).toBe('SG_FIELDS_DISAGREE');
  });

  it('name the product of a symbol that names none', () => {
    expect(barcodeScan('10AB12', { ndc: '0406-0512-01' })).toMatchObject({
      product: { ndc11: '00406051201' },
      lotNumber: 'AB12',
    });
  });
});

describe('a barcode that names no product', () => {
  it.each([
    ['a logistic unit', '00373400306809981733', 'SSCC'],
    ['a HIBC product', '+A123BJC5D6E71G', 'HIBC'],
    ['a lot', '10AB12', 'neither an NDC nor a GTIN'],
    ['the content of a logistic unit', '020030406051201637' + '12', 'neither an NDC nor a GTIN'],
  ])('is no scan when it is %s', (_, barcode, what) => {
    expect(barcodeRefusal(barcode)).toMatchObject({
      code: 'SG_PRODUCT_MISSING',
      field: 'barcode',
      reason: 'no_product',
      message: expect.stringContaining(what),
    });
  });
});

describe('the year of a date in a barcode', () => {
  const captured = (captured_at: string): string | undefined =>
    barcodeScan('010030406051201617990101', { captured_at }, { receivedAt: Date.parse(captured_at) + 500 }).expirationDate;

  it('is of the century in which it was scanned, whenever it is read', () => {
    expect(captured('2026-11-29T08:00:00Z')).toBe('1999-01-01');
    expect(captured('2060-01-01T08:00:00Z')).toBe('2099-01-01');
  });
});

describe('a barcode that cannot be read', () => {
  it.each([
    ['àà\'HA"NIDBVD', 'keyboard layout?'],
    [']d2010030406051201610AB12]d2010030406051201610AB12', 'Two reads are glued together.'],
    ['010030406051', 'it breaks off'],
    ['10AB21072911172405310100312345678906', 'a separator is missing'],
  ])('is refused with a hint: %s', (barcode, hint) => {
    expect(barcodeRefusal(barcode)).toMatchObject({ code: 'SG_BARCODE_INVALID', field: 'barcode' });
    expect(barcodeRefusal(barcode).message).toContain(hint);
  });

  it.each(['', '\r\n', ' \t', ']d2', ']d2\r\n', '\u001d', ']d2\u001d\u001d'])('is refused as empty: %j', (barcode) => {
    expect(barcodeRefusal(barcode)).toMatchObject({ code: 'SG_BARCODE_INVALID', field: 'barcode', reason: 'empty' });
  });

  it('is refused as misread when a check digit is wrong', () => {
    expect(barcodeRefusal('0100304060512017')).toMatchObject({ code: 'SG_CHECK_DIGIT', reason: 'bad_check_digit' });
    expect(barcodeRefusal('304060512017')).toMatchObject({ code: 'SG_CHECK_DIGIT', reason: 'bad_check_digit' });
    expect(barcodeRefusal('+A123BJC5D6E71H')).toMatchObject({ code: 'SG_CHECK_DIGIT', reason: 'bad_check_character' });
  });

  it('is read as another only by the profile of its own scanner', () => {
    const profileOf = (scannerId: string) => (scannerId === 'SCN-04' ? ({ capsLock: true } as const) : undefined);
    const barcode = '010030406051201610ab12';

    expect(barcodeScan(barcode, {}, { decoding: { profileOf } })).toMatchObject({ lotNumber: 'AB12', flags: ['label_repaired'] });
    expect(barcodeScan(barcode, { scanner_id: 'SCN-05' }, { decoding: { profileOf } })).toMatchObject({
      lotNumber: 'ab12',
      flags: [],
    });
  });
});

import { describe, expect, it } from 'vitest';
import { errorCodes, type ScanCode } from '../../../src/base/errors.ts';
import { refusalOf, wireScan } from '../../support/scans.ts';

interface RefusedCase {
  readonly what: string;
  readonly code: ScanCode;
  readonly field: string;
  readonly changes: Readonly<Record<string, unknown>>;
}

const cases: readonly RefusedCase[] = [
  { what: 'an unknown field', code: 'SG_FIELD_UNKNOWN', field: 'colour', changes: { colour: 'red' } },
  { what: 'an unknown field that is null', code: 'SG_FIELD_UNKNOWN', field: 'colour', changes: { colour: null } },
  { what: 'no facility', code: 'SG_FIELD_MISSING', field: 'facility_uuid', changes: { facility_uuid: undefined } },
  { what: 'no scanner', code: 'SG_FIELD_MISSING', field: 'scanner_id', changes: { scanner_id: undefined } },
  { what: 'no type', code: 'SG_FIELD_MISSING', field: 'scan_type', changes: { scan_type: undefined } },
  { what: 'a serial as a number', code: 'SG_FIELD_TYPE', field: 'serial_number', changes: { serial_number: 9007199254740992 } },
  { what: 'an NDC as a number', code: 'SG_FIELD_TYPE', field: 'ndc', changes: { ndc: 93721410 } },
  { what: 'a quantity of true', code: 'SG_FIELD_TYPE', field: 'quantity', changes: { quantity: true } },
  { what: 'a lot that is null', code: 'SG_FIELD_NULL', field: 'lot_number', changes: { lot_number: null } },
  { what: 'an empty facility', code: 'SG_FIELD_EMPTY', field: 'facility_uuid', changes: { facility_uuid: '' } },
  { what: 'a scanner of spaces', code: 'SG_FIELD_EMPTY', field: 'scanner_id', changes: { scanner_id: '  ' } },
  { what: 'a lot of a line end', code: 'SG_FIELD_EMPTY', field: 'lot_number', changes: { lot_number: '\r\n' } },
  { what: 'an empty NDC', code: 'SG_FIELD_EMPTY', field: 'ndc', changes: { ndc: '' } },
  { what: 'an empty GTIN', code: 'SG_FIELD_EMPTY', field: 'gtin', changes: { ndc: undefined, gtin: '\t' } },
  { what: 'an empty quantity', code: 'SG_FIELD_EMPTY', field: 'quantity', changes: { quantity: '' } },
  { what: 'an empty reason', code: 'SG_FIELD_EMPTY', field: 'reason', changes: { scan_type: 'adjust', reason: ' ' } },
  { what: 'a long lot', code: 'SG_FIELD_LONG', field: 'lot_number', changes: { lot_number: 'A'.repeat(65) } },
  { what: 'a lot with |', code: 'SG_FIELD_CHARACTER', field: 'lot_number', changes: { lot_number: 'A|B' } },
  { what: 'a serial with NUL', code: 'SG_FIELD_CHARACTER', field: 'serial_number', changes: { serial_number: 'S\u0000' } },
  { what: 'half a surrogate pair', code: 'SG_FIELD_CHARACTER', field: 'lot_number', changes: { lot_number: '\uD800' } },
  { what: 'the replacement character', code: 'SG_FIELD_CHARACTER', field: 'reference', changes: { reference: 'R\uFFFD' } },
  { what: 'an actor with a line end', code: 'SG_FIELD_CHARACTER', field: 'actor', changes: { actor: 'a\nb' } },
  { what: 'a type that is none', code: 'SG_FIELD_VALUE', field: 'scan_type', changes: { scan_type: 'sale' } },
  { what: 'the facility of what names none', code: 'SG_FIELD_VALUE', field: 'facility_uuid', changes: { facility_uuid: ' - ' } },
  { what: 'an NDC of another GTIN', code: 'SG_FIELDS_DISAGREE', field: 'gtin', changes: { gtin: '00312345678906' } },
  { what: 'the name of a patient', code: 'SG_PATIENT_DATA', field: 'patient_name', changes: { patient_name: 'x' } },
  { what: 'a patient in an object', code: 'SG_PATIENT_DATA', field: 'rx.dob', changes: { rx: { dob: null } } },
  { what: 'half a barcode', code: 'SG_BARCODE_INVALID', field: 'barcode', changes: { ndc: undefined, barcode: ']d2010030' } },
  { what: 'bytes of nothing', code: 'SG_BARCODE_INVALID', field: 'barcode_base64', changes: { barcode_base64: 'XWQy' } },
  { what: 'an NDC of zeros', code: 'SG_PRODUCT_PLACEHOLDER', field: 'ndc', changes: { ndc: '00000-0000-00' } },
  { what: 'no product', code: 'SG_PRODUCT_MISSING', field: 'ndc', changes: { ndc: undefined } },
  { what: 'a wrong NDC', code: 'SG_NDC_INVALID', field: 'ndc', changes: { ndc: '0093-721-10' } },
  { what: 'ten digits', code: 'SG_NDC_AMBIGUOUS', field: 'ndc', changes: { ndc: '6050526713' } },
  { what: 'a short GTIN', code: 'SG_GTIN_INVALID', field: 'gtin', changes: { ndc: undefined, gtin: '12345670' } },
  { what: 'a misread GTIN', code: 'SG_CHECK_DIGIT', field: 'gtin', changes: { ndc: undefined, gtin: '312345678907' } },
  { what: 'a damaged NDC', code: 'SG_SPREADSHEET_DAMAGE', field: 'ndc', changes: { ndc: '5.91E+10' } },
  { what: 'a damaged GTIN', code: 'SG_SPREADSHEET_DAMAGE', field: 'gtin', changes: { ndc: undefined, gtin: '3.12E+11' } },
  { what: 'a damaged quantity', code: 'SG_SPREADSHEET_DAMAGE', field: 'quantity', changes: { quantity: '1E5' } },
  { what: 'an impossible date', code: 'SG_DATE_INVALID', field: 'expiration_date', changes: { expiration_date: '2026-02-30' } },
  { what: 'an unreadable capture', code: 'SG_TIME_INVALID', field: 'captured_at', changes: { captured_at: 'lot 687' } },
  { what: 'an unreadable sending', code: 'SG_TIME_INVALID', field: 'sent_at', changes: { sent_at: '5/2026' } },
  { what: 'a local time', code: 'SG_TIME_ZONE_MISSING', field: 'captured_at', changes: { captured_at: '2026-03-05T14:05:09' } },
  { what: 'a date alone', code: 'SG_TIME_ZONE_MISSING', field: 'sent_at', changes: { sent_at: '2026-03-05' } },
  { what: 'a quantity that is none', code: 'SG_QUANTITY_INVALID', field: 'quantity', changes: { quantity: 'NaN' } },
  { what: 'a seventh digit', code: 'SG_QUANTITY_INVALID', field: 'quantity', changes: { quantity: 0.0000001 } },
  { what: 'a barcode as quantity', code: 'SG_QUANTITY_RANGE', field: 'quantity', changes: { quantity: 312345678906 } },
  { what: 'a dispense of nothing', code: 'SG_QUANTITY_RANGE', field: 'quantity', changes: { quantity: 0 } },
  { what: 'a dispense of less', code: 'SG_QUANTITY_RANGE', field: 'quantity', changes: { quantity: -5 } },
  { what: 'a transfer without direction', code: 'SG_DIRECTION', field: 'direction', changes: { scan_type: 'transfer' } },
  { what: 'a dispense with direction', code: 'SG_DIRECTION', field: 'direction', changes: { direction: 'out' } },
  { what: 'an adjust without reason', code: 'SG_REASON_MISSING', field: 'reason', changes: { scan_type: 'adjust' } },
];

describe('a refusal of parseScan', () => {
  it.each(cases)('has code $code and field $field for $what', ({ code, field, changes }) => {
    expect(refusalOf(wireScan(changes)).rejection).toMatchObject({ code, field });
  });

  it.each(cases)('names $field in a sentence for $what', ({ field, changes }) => {
    const { message } = refusalOf(wireScan(changes)).rejection;

    expect(message).toContain(field);
    expect(message).toMatch(/^[A-Za-z]\S*(?: \S+)+[.?]$/);
  });

  it('has, over these cases, every code of a scan but those of a ledger, a transport or a file', () => {
    const met = new Set(cases.map(({ code }) => code));
    const elsewhere = (Object.keys(errorCodes) as ScanCode[]).filter(
      (code) => errorCodes[code].kind === 'scan' && !met.has(code),
    );

    expect(elsewhere.toSorted()).toEqual([
      'SG_CONFLICT',
      'SG_ENCODING_INVALID',
      'SG_ITEM_TOO_DEEP',
      'SG_ITEM_TOO_LARGE',
      'SG_KEY_REPEATED',
      'SG_NUMBER_INEXACT',
      'SG_PRODUCT_UNLISTED',
      'SG_ROW_COLUMNS',
      'SG_ROW_QUOTE',
      'SG_TIME_NONEXISTENT',
      'SG_TIME_UNUSABLE',
    ]);
  });
});

describe('the quantity of a scan', () => {
  it.each(['receive', 'dispense', 'waste', 'count'])('is not negative for a %s', (scan_type) => {
    expect(refusalOf(wireScan({ scan_type, quantity: '-1' })).rejection.code).toBe('SG_QUANTITY_RANGE');
  });

  it.each(['transfer', 'return'])('is neither negative nor 0 for a %s', (scan_type) => {
    expect(refusalOf(wireScan({ scan_type, direction: 'in', quantity: -1 })).rejection.code).toBe('SG_QUANTITY_RANGE');
    expect(refusalOf(wireScan({ scan_type, direction: 'in', quantity: 0 })).rejection.code).toBe('SG_QUANTITY_RANGE');
  });

  it.each(['receive', 'dispense', 'waste', 'adjust'])('is not 0 for a %s', (scan_type) => {
    for (const quantity of [0, '0.000', '-0', -0]) {
      expect(refusalOf(wireScan({ scan_type, quantity, reason: 'recount' })).rejection).toMatchObject({
        code: 'SG_QUANTITY_RANGE',
        message: `quantity is 0; ${scan_type} of nothing is not recorded.`,
      });
    }
  });
});

describe('the direction of a scan', () => {
  it.each(['receive', 'dispense', 'waste', 'adjust', 'count'])('is refused for a %s, whose word has the sign', (scan_type) => {
    expect(refusalOf(wireScan({ scan_type, direction: 'in', reason: 'recount' })).rejection).toMatchObject({
      code: 'SG_DIRECTION',
      field: 'direction',
    });
  });

  it.each(['transfer', 'return'])('is asked for of a %s', (scan_type) => {
    expect(refusalOf(wireScan({ scan_type })).rejection).toMatchObject({ code: 'SG_DIRECTION', field: 'direction' });
  });
});

describe('a scan id in two places', () => {
  it('is refused when it is two ids', () => {
    expect(refusalOf(wireScan({ scan_uuid: 'a' }), { transportScanId: 'b' }).rejection).toEqual({
      code: 'SG_FIELDS_DISAGREE',
      field: 'scan_uuid',
      message: 'scan_uuid is "a" and Idempotency-Key is "b". They name one scan: send one of them, or both the same.',
    });
  });

  it.each([
    ['empty', '', 'SG_FIELD_EMPTY'],
    ['too long', 'k'.repeat(129), 'SG_FIELD_LONG'],
    ['of a character that no identity holds', 'a|b', 'SG_FIELD_CHARACTER'],
  ])('is refused when the one of the transport is %s', (_, transportScanId, code) => {
    expect(refusalOf(wireScan({ scan_uuid: 'a' }), { transportScanId }).rejection).toMatchObject({
      code,
      field: 'Idempotency-Key',
    });
  });
});

describe('a value with more than one fault', () => {
  it('is refused for patient data first, so that its value is kept nowhere', () => {
    expect(refusalOf(wireScan({ colour: null, patient_name: 'x', lot_number: '' })).rejection.code).toBe('SG_PATIENT_DATA');
    expect(refusalOf([{ patient_name: 'x' }]).rejection).toMatchObject({ code: 'SG_PATIENT_DATA', field: '0.patient_name' });
  });

  it('is refused for patient data even where the transport found a fault', () => {
    const fault = { code: 'SG_ITEM_TOO_LARGE', message: 'One scan is larger than allowed.' } as const;

    expect(refusalOf(wireScan({ ssn: '1' }), { fault }).rejection.code).toBe('SG_PATIENT_DATA');
  });
});

describe('a fault that the transport found', () => {
  it('is the refusal, with what the value says of where it came from', () => {
    const fault = { code: 'SG_KEY_REPEATED', field: 'quantity', message: 'quantity is there twice.' } as const;

    expect(refusalOf(wireScan({ scan_uuid: 'a-1' }), { fault })).toEqual({
      rejection: fault,
      origin: { facilityUuid: 'F'.repeat(36), scannerId: 'SCN-04', scanId: 'a-1' },
    });
    expect(refusalOf(undefined, { fault })).toEqual({ rejection: fault, origin: {} });
  });
});

import { describe, expect, it } from 'vitest';
import type { Rejection } from '../../../src/scan/rejection.ts';
import { checkShape } from '../../../src/scan/wire-check.ts';
import { wireScan } from '../../support/scans.ts';

function rejectionOf(input: unknown): Rejection {
  const result = checkShape(input);
  if (result.ok) throw new Error('This has the shape of a scan.');
  return result.error;
}

describe('checkShape', () => {
  it('gives the value itself back, nothing added and nothing taken away', () => {
    const input = wireScan();

    expect(checkShape(input)).toEqual({ ok: true, value: input });
    expect(input).toEqual({
      facility_uuid: 'F'.repeat(36),
      scanner_id: 'SCN-04',
      scan_type: 'dispense',
      ndc: '00093721410',
      lot_number: 'A1207',
    });
  });

  it.each([
    ['nothing', undefined, 'nothing'],
    ['null', null, 'null'],
    ['a text', '{}', 'text'],
    ['a number', 5, 'a number'],
    ['a boolean', true, 'a boolean'],
    ['an array', [wireScan()], 'an array'],
  ])('refuses %s instead of an object', (_, input, named) => {
    expect(rejectionOf(input)).toEqual({ code: 'SG_FIELD_TYPE', message: `A scan is a JSON object, not ${named}.` });
  });

  it('refuses an unknown field by its name', () => {
    expect(rejectionOf(wireScan({ colour: 'red' }))).toMatchObject({ code: 'SG_FIELD_UNKNOWN', field: 'colour' });
  });

  it.each([
    ['lotNumber', 'lot_number'],
    ['Lot_Number', 'lot_number'],
    ['lot-number', 'lot_number'],
    ['SCAN_TYPE', 'scan_type'],
    ['ndc ', 'ndc'],
  ])('asks of %s whether %s is meant', (field, meant) => {
    expect(rejectionOf(wireScan({ [field]: 'x' }))).toMatchObject({
      code: 'SG_FIELD_UNKNOWN',
      message: expect.stringContaining(`Is it ${meant}?`),
    });
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])('refuses "%s" like any unknown field', (field) => {
    const input = JSON.parse(`{"facility_uuid":"F","scanner_id":"S","scan_type":"dispense","${field}":{"quantity":99}}`);

    expect(rejectionOf(input)).toMatchObject({ code: 'SG_FIELD_UNKNOWN', field });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it.each(['facility_uuid', 'lot_number', 'quantity', 'direction', 'scan_uuid', 'captured_at'])(
    'refuses %s when it is null',
    (field) => {
      expect(rejectionOf(wireScan({ [field]: null }))).toEqual({
        code: 'SG_FIELD_NULL',
        field,
        message: `${field} is null. Leave the field out instead.`,
      });
    },
  );

  it.each(['facility_uuid', 'scanner_id', 'scan_type'])('refuses a scan without %s', (field) => {
    expect(rejectionOf(wireScan({ [field]: undefined }))).toEqual({
      code: 'SG_FIELD_MISSING',
      field,
      message: `${field} is missing.`,
    });
  });

  it.each([
    ['facility_uuid', 1],
    ['scanner_id', 4],
    ['ndc', 93721410],
    ['gtin', 312345678906],
    ['lot_number', 1207],
    ['serial_number', 9007199254740992],
    ['scan_uuid', 9007199254740994],
    ['expiration_date', 20261231],
    ['reference', 100234],
  ])('refuses %s as a number, which loses leading zeros and last digits', (field, value) => {
    expect(rejectionOf(wireScan({ [field]: value }))).toEqual({
      code: 'SG_FIELD_TYPE',
      field,
      message: `${field} is a number; it is text. Numbers lose leading zeros: send it in quotation marks.`,
    });
  });

  it.each([
    ['quantity', true, 'a boolean; it is text or a number'],
    ['quantity', ['1'], 'an array; it is text or a number'],
    ['quantity', { value: 1 }, 'an object; it is text or a number'],
    ['captured_at', false, 'a boolean; it is text or a number'],
    ['lot_number', ['A1207'], 'an array; it is text'],
    ['lot_number', { toString: 'A1207' }, 'an object; it is text'],
    ['scan_type', 1, 'a number; it is text'],
    ['unit', true, 'a boolean; it is text'],
  ])('coerces no %s from %j', (field, value, what) => {
    expect(rejectionOf(wireScan({ [field]: value }))).toMatchObject({
      code: 'SG_FIELD_TYPE',
      field,
      message: expect.stringContaining(`${field} is ${what}.`),
    });
  });

  it.each([
    ['quantity', Number.NaN],
    ['quantity', Number.POSITIVE_INFINITY],
    ['captured_at', Number.NaN],
    ['sent_at', Number.NEGATIVE_INFINITY],
  ])('refuses %s when it is the number %d, which JSON cannot hold', (field, value) => {
    expect(rejectionOf(wireScan({ [field]: value }))).toEqual({
      code: 'SG_FIELD_TYPE',
      field,
      message: `${field} is ${value}, which JSON cannot hold. Send it as text.`,
    });
  });

  it.each([
    ['scan_type', 'sale', 'receive, dispense, waste, transfer, return, adjust, count'],
    ['scan_type', 'Dispense', 'receive, dispense, waste, transfer, return, adjust, count'],
    ['scan_type', ' dispense', 'receive, dispense, waste, transfer, return, adjust, count'],
    ['scan_type', '', 'receive, dispense, waste, transfer, return, adjust, count'],
    ['scan_type', '__proto__', 'receive, dispense, waste, transfer, return, adjust, count'],
    ['unit', 'ea', 'EA, ML, GM'],
    ['unit', 'PACK', 'EA, ML, GM'],
    ['direction', 'IN', 'in, out'],
  ])('refuses %s "%s" and says what it may be', (field, value, values) => {
    expect(rejectionOf(wireScan({ [field]: value }))).toEqual({
      code: 'SG_FIELD_VALUE',
      field,
      message: `${field} is "${value}"; it is one of ${values}.`,
    });
  });

  it('takes quantity and times as text or as a number', () => {
    expect(checkShape(wireScan({ quantity: 1, captured_at: 1_772_719_200, sent_at: 0 })).ok).toBe(true);
    expect(checkShape(wireScan({ quantity: '1', captured_at: '1772719200', sent_at: 'NaN' })).ok).toBe(true);
  });
});

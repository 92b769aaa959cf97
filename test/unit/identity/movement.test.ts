import { describe, expect, it } from 'vitest';
import { differingFields, movementOf } from '../../../src/identity/movement.ts';
import { recordedScan } from '../../../src/scan/recorded-scan.ts';
import { scanOf } from '../../support/scans.ts';

const movement = (changes: Record<string, unknown> = {}) => movementOf(recordedScan(scanOf(changes)));

describe('movementOf', () => {
  it('is every field but times, actor, scan id and raw form', () => {
    const everything = {
      scan_type: 'return',
      direction: 'in',
      serial_number: 'S01',
      expiration_date: '2027-02-28',
      quantity: '12.25',
      unit: 'GM',
      scan_uuid: 'a-1',
      captured_at: 1_762_206_339_000,
      sent_at: 1_762_206_339_600,
      reference: 'RX-100234',
      reason: 'recall',
      actor: 'jd',
    };

    expect(movement(everything)).toStrictEqual({
      facility_uuid: 'F'.repeat(36),
      scanner_id: 'SCN-04',
      scan_type: 'return',
      product: '00093721410',
      quantity: '12.25',
      unit: 'GM',
      lot_number: 'A1207',
      serial_number: 'S01',
      expiration_date: '2027-02-28',
      direction: 'in',
      reference: 'RX-100234',
      reason: 'recall',
    });
  });

  it('leaves out what is not there', () => {
    expect(movement({ lot_number: undefined, ndc: undefined, gtin: '312345678906' })).toStrictEqual({
      facility_uuid: 'F'.repeat(36),
      scanner_id: 'SCN-04',
      scan_type: 'dispense',
      product: '00312345678906',
      quantity: '1',
      unit: 'EA',
    });
  });

  it('names a package alike whether its GTIN was sent along or not', () => {
    expect(movement({ ndc: '0406-0512-01' })).toEqual(movement({ ndc: '00406051201', gtin: '00304060512016' }));
  });
});

describe('differingFields', () => {
  it('is empty for one movement', () => {
    expect(differingFields(movement(), movement({ quantity: '1.0', actor: 'jd', captured_at: 1_762_206_339_000 }))).toEqual([]);
  });

  it.each([
    ['facility_uuid', { facility_uuid: 'G' }],
    ['scanner_id', { scanner_id: 'SCN-05' }],
    ['scan_type', { scan_type: 'waste' }],
    ['product', { ndc: '00093721411' }],
    ['quantity', { quantity: 20 }],
    ['unit', { unit: 'ML' }],
    ['lot_number', { lot_number: 'a1207' }],
    ['lot_number', { lot_number: undefined }],
    ['serial_number', { serial_number: 'S01' }],
    ['expiration_date', { expiration_date: '2027-02-28' }],
    ['reference', { reference: 'RX-1' }],
    ['reason', { reason: 'recall' }],
  ])('names %s, whichever of the two has it', (field, changes) => {
    expect(differingFields(movement(), movement(changes))).toEqual([field]);
    expect(differingFields(movement(changes), movement())).toEqual([field]);
  });

  it('names all of them, sorted', () => {
    const other = movement({ scan_type: 'transfer', direction: 'out', quantity: 2, lot_number: undefined, serial_number: 'S01' });

    expect(differingFields(movement(), other)).toEqual(['direction', 'lot_number', 'quantity', 'scan_type', 'serial_number']);
  });
});

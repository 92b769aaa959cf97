import { describe, expect, it } from 'vitest';
import { recordedScan } from '../../../src/scan/recorded-scan.ts';
import { receivedAt, scanOf } from '../../support/scans.ts';

describe('recordedScan', () => {
  it('writes a scan with nothing optional', () => {
    expect(recordedScan(scanOf({ lot_number: undefined }))).toStrictEqual({
      facility_uuid: 'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF',
      scanner_id: 'SCN-04',
      scan_type: 'dispense',
      ndc: '00093721410',
      quantity: '1',
      unit: 'EA',
      received_at: 1_762_206_340_000,
      occurred_at: 1_762_206_340_000,
      time_basis: 'receipt',
    });
  });

  it('writes a scan with everything, under the names of the wire', () => {
    const scan = scanOf({
      scan_type: 'return',
      direction: 'in',
      ndc: undefined,
      gtin: '304060512016',
      serial_number: 'S01',
      expiration_date: '2027-02-28',
      quantity: 12.25,
      unit: 'GM',
      scan_uuid: '7d444840-9dc0-11d1-b245-5ffdce74fad2',
      captured_at: '2025-11-03T21:45:39Z',
      sent_at: '2025-11-03T21:45:39.600Z',
      reference: 'RX-100234',
      reason: 'recall',
      actor: 'jd',
    });

    expect(recordedScan(scan)).toStrictEqual({
      facility_uuid: 'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF',
      scanner_id: 'SCN-04',
      scan_type: 'return',
      ndc: '00406051201',
      gtin: '00304060512016',
      lot_number: 'A1207',
      serial_number: 'S01',
      expiration_date: '2027-02-28',
      quantity: '12.25',
      unit: 'GM',
      direction: 'in',
      scan_uuid: '7d444840-9dc0-11d1-b245-5ffdce74fad2',
      reference: 'RX-100234',
      reason: 'recall',
      actor: 'jd',
      captured_at: 1_762_206_339_000,
      sent_at: 1_762_206_339_600,
      received_at: 1_762_206_340_000,
      occurred_at: 1_762_206_339_000,
      time_basis: 'device',
      skew_ms: 400,
    });
  });

  it('keeps a device ahead of the gate as a negative skew', () => {
    expect(recordedScan(scanOf({ sent_at: receivedAt + 250 })).skew_ms).toBe(-250);
  });

  it('writes no time where the device said NaN', () => {
    const recorded = recordedScan(scanOf({ captured_at: 'NaN', sent_at: 'NaN' }));

    expect(recorded).not.toHaveProperty('captured_at');
    expect(recorded).not.toHaveProperty('sent_at');
    expect(recorded).not.toHaveProperty('skew_ms');
    expect(recorded.occurred_at).toBe(receivedAt);
  });
});

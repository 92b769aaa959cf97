import { describe, expect, test } from 'vitest';
import { defaultScannerClass } from '../../../src/identity/scanner-class.ts';
import { decide } from '../../../src/ledger/decide.ts';
import type { ScanTransmission } from '../../../src/ledger/ledger.ts';
import { facilityA, noon, scanAt } from '../../../src/testing/wire-scans.ts';
import { type Known, knownBooks, knownLine } from './known-books.ts';

/** What is decided: the kind, the line, the reason, the gap and the flags. */
function ruled(transmission: ScanTransmission, known: Known): unknown[] {
  const ruling = decide(knownBooks(known), transmission);
  switch (ruling.kind) {
    case 'commit':
      return ['commit', ...ruling.flags];
    case 'suppress':
      return ['suppress', ruling.of.entry.line, ruling.reason, ruling.gapMs, ...ruling.flags];
    default:
      return ['conflict', ruling.of.entry.line, ...ruling.differs, ...ruling.flags];
  }
}

const movement = {
  facility_uuid: facilityA,
  scanner_id: 'SCN-04',
  scan_type: 'dispense',
  product: '00093721410',
  quantity: '1',
  unit: 'EA',
  lot_number: 'A1207',
};

describe('by scan id', () => {
  const { identity } = scanAt(0, { scan_uuid: 'A' });
  const known = { fingerprint: identity.fingerprint, line: knownLine(7, 0), movement };

  test('a known id with the same content is suppressed by the line it means, whatever the time', () => {
    const scanIds = { A: known };
    expect(ruled(scanAt(0, { scan_uuid: 'A' }), { scanIds })).toEqual(['suppress', 7, 'same_scan_id', 0]);
    expect(ruled(scanAt(2_999, { scan_uuid: 'A' }), { scanIds })).toEqual(['suppress', 7, 'same_scan_id', 2_999]);
  });

  test('a known id at another time of the device is suppressed all the same, and put up for review', () => {
    const scanIds = { A: known };
    const again = ['suppress', 7, 'same_scan_id', 86_400_000, 'possible_under_count'];
    expect(ruled(scanAt(86_400_000, { scan_uuid: 'A' }), { scanIds })).toEqual(again);
    const timed = { scan_uuid: 'A', captured_at: undefined };
    expect(ruled(scanAt(86_400_000, timed), { scanIds })).toEqual(['suppress', 7, 'same_scan_id', 86_400_000]);
  });

  test('a known id stands above a line of the same content that is nearer', () => {
    const books = { scanIds: { A: known }, lines: [knownLine(9, 2_500)] };
    expect(ruled(scanAt(2_500, { scan_uuid: 'A' }), books)).toEqual(['suppress', 7, 'same_scan_id', 2_500]);
  });

  test('a known id with other content is a conflict, though another line holds that content', () => {
    const books = { scanIds: { A: known }, lines: [knownLine(9, 0)] };
    expect(ruled(scanAt(0, { scan_uuid: 'A', quantity: 2, lot_number: undefined, reference: 'RX-1' }), books)).toEqual([
      'conflict',
      7,
      'lot_number',
      'quantity',
      'reference',
    ]);
  });

  test('an unknown id, and no id, are decided by content', () => {
    const books = { scanIds: { A: known }, lines: [knownLine(9, 0)] };
    expect(ruled(scanAt(100, { scan_uuid: 'B' }), books)).toEqual(['suppress', 9, 'same_content', 100]);
    expect(ruled(scanAt(100), books)).toEqual(['suppress', 9, 'same_content', 100]);
  });
});

describe('by content', () => {
  test.each([
    [0, ['suppress', 1, 'same_content', 0]],
    [1, ['suppress', 1, 'same_content', 1]],
    [2_999, ['suppress', 1, 'same_content', 2_999, 'possible_under_count']],
    [3_000, ['commit', 'possible_double_count']],
    [-2_999, ['suppress', 1, 'same_content', 2_999, 'possible_under_count']],
    [-3_000, ['commit', 'possible_double_count']],
    [8_999, ['commit', 'possible_double_count']],
    [9_000, ['commit']],
    [-9_000, ['commit']],
  ])('a scan %i ms from a line, with a window of 3000 ms', (ms, expected) => {
    expect(ruled(scanAt(ms), { lines: [knownLine(1, 0)] })).toEqual(expected);
  });

  test('the window of an earlier line is the one that was in force for it', () => {
    expect(ruled(scanAt(4_000), { lines: [knownLine(1, 0, { windowMs: 5_000 })] })[0]).toBe('suppress');
    expect(ruled(scanAt(1_000), { lines: [knownLine(1, 0, { windowMs: 1_000 })] })[0]).toBe('commit');
  });

  test('to a later line, the window of the scan itself reaches', () => {
    const wide = scanAt(0, {}, { scannerClass: { ...defaultScannerClass, windowMs: 5_000 } });
    expect(ruled(wide, { lines: [knownLine(1, 4_999, { windowMs: 1 })] })[0]).toBe('suppress');
    expect(ruled(wide, { lines: [knownLine(1, 5_000, { windowMs: 1 })] })[0]).toBe('commit');
  });

  test('of two lines the nearer one is duplicated, and of two equally near the earlier, in whatever order they are known', () => {
    const lines = [knownLine(1, 0), knownLine(2, 5_000)];
    for (const known of [lines, lines.toReversed()]) {
      expect(ruled(scanAt(2_400), { lines: known }).slice(0, 4)).toEqual(['suppress', 1, 'same_content', 2_400]);
      expect(ruled(scanAt(2_600), { lines: known }).slice(0, 4)).toEqual(['suppress', 2, 'same_content', 2_400]);
      expect(ruled(scanAt(2_500), { lines: known }).slice(0, 4)).toEqual(['suppress', 1, 'same_content', 2_500]);
    }
  });
});

describe('flags', () => {
  test('a gap is put up for review from the one of the class on', () => {
    const scannerClass = { ...defaultScannerClass, reviewGapMs: 50 };
    const lines = [knownLine(1, 0)];
    expect(ruled(scanAt(49, {}, { scannerClass }), { lines })).toEqual(['suppress', 1, 'same_content', 49]);
    expect(ruled(scanAt(50, {}, { scannerClass }), { lines })).toEqual([
      'suppress',
      1,
      'same_content',
      50,
      'possible_under_count',
    ]);
  });

  test.each([
    ['two ids and the time of receipt', 'A', 'B', undefined, true],
    ['two ids and the time of the device', 'A', 'B', noon, false],
    ['one id and the time of receipt', undefined, 'B', undefined, false],
    ['an id that only the line has', 'A', undefined, undefined, false],
  ])('%s', (_what, lineId, scan_uuid, captured_at, review) => {
    const lines = [knownLine(1, 0, lineId === undefined ? {} : { scanId: lineId })];
    const flags = ruled(scanAt(0, { scan_uuid, captured_at }), { lines }).slice(4);
    expect(flags).toEqual(review ? ['possible_under_count'] : []);
  });

  test('a scan before the latest of its scanner is out of order, one at the same time is not', () => {
    expect(ruled(scanAt(999), { lastOccurredAt: noon + 1_000 })).toEqual(['commit', 'out_of_order']);
    expect(ruled(scanAt(1_000), { lastOccurredAt: noon + 1_000 })).toEqual(['commit']);
    expect(ruled(scanAt(0), {})).toEqual(['commit']);
  });

  test('those of the time rules come first and are kept in every outcome', () => {
    const late = (changes = {}) => scanAt(0, changes, { receivedMs: 60_001 });
    const { identity } = late({ scan_uuid: 'A' });
    const scanIds = { A: { fingerprint: identity.fingerprint, line: knownLine(1, 0), movement } };
    expect(ruled(late(), { lastOccurredAt: noon + 1 })).toEqual(['commit', 'late', 'out_of_order']);
    expect(ruled(late({ scan_uuid: 'A' }), { scanIds })).toEqual(['suppress', 1, 'same_scan_id', 0, 'late']);
    expect(ruled(late({ scan_uuid: 'A', quantity: 2 }), { scanIds })).toEqual(['conflict', 1, 'quantity', 'late']);
  });
});

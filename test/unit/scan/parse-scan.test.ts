import { describe, expect, it } from 'vitest';
import { defaultTimeRules } from '../../../src/scan/occurred-at.ts';
import { fixedClock, readScan, receivedAt, refusalOf, scanOf, wireScan } from '../../support/scans.ts';

describe('parseScan', () => {
  it('reads a scan with nothing optional', () => {
    expect(scanOf({ lot_number: undefined })).toStrictEqual({
      facilityUuid: 'F'.repeat(36),
      scannerId: 'SCN-04',
      scanType: 'dispense',
      product: { ndc11: '00093721410', ndc12: '000093721410' },
      quantity: '1',
      unit: 'EA',
      receivedAt: 1_762_206_340_000,
      occurredAt: 1_762_206_340_000,
      timeBasis: 'receipt',
      flags: [],
      asSent: {},
    });
  });

  it('reads a scan with every field', () => {
    const scan = scanOf({
      scan_type: 'return',
      direction: 'in',
      ndc: '0406-0512-01',
      gtin: '00304060512016',
      serial_number: 'S01',
      expiration_date: '2027-02-28',
      quantity: '12.25',
      unit: 'GM',
      scan_uuid: '7d444840-9dc0-11d1-b245-5ffdce74fad2',
      captured_at: 1_762_206_339_000,
      sent_at: 1_762_206_339_600,
      reference: 'RX-100234',
      reason: 'recall',
      actor: 'jd',
    });

    expect(scan).toStrictEqual({
      facilityUuid: 'F'.repeat(36),
      scannerId: 'SCN-04',
      scanType: 'return',
      product: { ndc11: '00406051201', ndc12: '000406051201', gtin14: '00304060512016' },
      lotNumber: 'A1207',
      serialNumber: 'S01',
      expirationDate: '2027-02-28',
      quantity: '12.25',
      unit: 'GM',
      direction: 'in',
      scanId: '7d444840-9dc0-11d1-b245-5ffdce74fad2',
      reference: 'RX-100234',
      reason: 'recall',
      actor: 'jd',
      capturedAt: 1_762_206_339_000,
      sentAt: 1_762_206_339_600,
      receivedAt: 1_762_206_340_000,
      occurredAt: 1_762_206_339_000,
      timeBasis: 'device',
      flags: [],
      asSent: { ndc: '0406-0512-01' },
    });
  });

  it('reads the same again at another time, but for the times', () => {
    const clock = fixedClock();
    const first = readScan(wireScan(), { receivedAt: clock.nowMs() });
    clock.advance(5_000);
    const second = readScan(wireScan(), { receivedAt: clock.nowMs() });

    expect(second).toEqual({ ...first, receivedAt: first.receivedAt + 5_000, occurredAt: first.occurredAt + 5_000 });
  });

  it('leaves the value that it was given as it was', () => {
    const input = Object.freeze(wireScan({ lot_number: ' A1207\r\n' }));
    readScan(input);

    expect(input['lot_number']).toBe(' A1207\r\n');
  });
});

describe('text of a scan', () => {
  it.each(['facility_uuid', 'scanner_id', 'lot_number', 'serial_number', 'scan_uuid', 'reference', 'reason', 'actor'])(
    'is cleaned in %s, and kept as it was sent',
    (field) => {
      const clean = Object.values(scanOf({ [field]: 'LOT\u00C9' }));
      const scan = scanOf({ [field]: '\uFEFF LOT\u200BE\u0301\r\n' });

      expect(clean).toContain('LOT\u00C9');
      expect(Object.values(scan).slice(0, -1)).toEqual(clean.slice(0, -1));
      expect(scan.asSent).toEqual({ [field]: '\uFEFF LOT\u200BE\u0301\r\n' });
    },
  );

  it('keeps case and leading zeros of a lot', () => {
    expect(scanOf({ lot_number: '00a1207' }).lotNumber).toBe('00a1207');
  });

  it.each(['219E01', '1E5', '100000', '0x1F', '1_000', 'Infinity', 'NaN', 'null', 'true', '__proto__', 'constructor'])(
    'keeps the lot and the serial %s as text',
    (text) => {
      expect(scanOf({ lot_number: text, serial_number: text })).toMatchObject({ lotNumber: text, serialNumber: text });
    },
  );

  it('is compared as given in a facility id', () => {
    expect(scanOf({ facility_uuid: '7D444840-9DC0-11D1-B245-5FFDCE74FAD2' }).facilityUuid).toBe(
      '7D444840-9DC0-11D1-B245-5FFDCE74FAD2',
    );
  });

  it('may be as long as the protocol says', () => {
    const longest = {
      facility_uuid: 'f'.repeat(64),
      scanner_id: 's'.repeat(64),
      lot_number: 'l'.repeat(64),
      serial_number: 'n'.repeat(64),
      scan_uuid: 'u'.repeat(128),
      reference: 'r'.repeat(128),
      reason: 'w'.repeat(500),
      actor: 'a'.repeat(128),
    };

    expect(scanOf(longest).asSent).toEqual({});
    for (const [field, text] of Object.entries(longest)) {
      expect(refusalOf(wireScan({ [field]: `${text}x` })).rejection).toMatchObject({ code: 'SG_FIELD_LONG', field });
    }
  });
});

describe('what a scan keeps as it was sent', () => {
  it('is every field that was read as something else', () => {
    const scan = scanOf({
      ndc: undefined,
      gtin: '312345678906',
      quantity: '1.0',
      expiration_date: ' 2027-02-28',
      captured_at: '2025-11-03T21:45:39Z',
      sent_at: '1762206339.6',
    });

    expect(scan.asSent).toEqual({
      gtin: '312345678906',
      quantity: '1.0',
      expiration_date: ' 2027-02-28',
      captured_at: '2025-11-03T21:45:39Z',
      sent_at: '1762206339.6',
    });
  });

  it('is the time of a clock that was never set, from which no age can be told', () => {
    const scan = scanOf({ scan_uuid: 'trigger-1', captured_at: 73_705_258, sent_at: 73_735_258 });

    expect(scan).toMatchObject({ occurredAt: scan.receivedAt, timeBasis: 'receipt', flags: ['clock_suspect'] });
    expect(scan.asSent).toEqual({ captured_at: 73_705_258, sent_at: 73_735_258 });
  });

  it('is the NDC that a case was sent with', () => {
    const scan = scanOf({ ndc: '0406-0512-01', gtin: '10304060512013' });

    expect(scan.product).toEqual({ gtin14: '10304060512013', unitNdc11: '00406051201' });
    expect(scan.asSent).toEqual({ ndc: '0406-0512-01' });
  });
});

describe('quantity of a scan', () => {
  it('is 1 when it is left out', () => {
    expect(scanOf().quantity).toBe('1');
  });

  it('may be 0 for a count', () => {
    expect(scanOf({ scan_type: 'count', quantity: 0 }).quantity).toBe('0');
  });

  it('may be negative for an adjust', () => {
    expect(scanOf({ scan_type: 'adjust', quantity: '-2.50', reason: 'broken vial' }).quantity).toBe('-2.5');
  });

  it('may be a fraction', () => {
    expect(scanOf({ quantity: 10.5, unit: 'ML' })).toMatchObject({ quantity: '10.5', unit: 'ML' });
  });
});

describe('direction of a scan', () => {
  it.each(['transfer', 'return'])('is in or out for a %s', (scan_type) => {
    expect(scanOf({ scan_type, direction: 'in' }).direction).toBe('in');
    expect(scanOf({ scan_type, direction: 'out' }).direction).toBe('out');
  });
});

describe('scan id', () => {
  it('is the one in the body', () => {
    expect(scanOf({ scan_uuid: 'a-1' }).scanId).toBe('a-1');
  });

  it('is the one of the transport, cleaned like any text', () => {
    expect(scanOf({}, { transportScanId: ' a-1\u200B' }).scanId).toBe('a-1');
  });

  it('may be in both, in two spellings of one text', () => {
    expect(scanOf({ scan_uuid: 'E\u0301-1' }, { transportScanId: '\u00C9-1 ' }).scanId).toBe('\u00C9-1');
  });
});

describe('time of a scan', () => {
  it('is the claim of the device', () => {
    expect(scanOf({ captured_at: '2025-11-03T21:45:39Z' })).toMatchObject({
      capturedAt: 1_762_206_339_000,
      occurredAt: 1_762_206_339_000,
      timeBasis: 'device',
      flags: [],
    });
  });

  it.each(['2036-02-07T06:28:16Z', '1970-01-01T00:00:12Z', '1900-01-01T00:00:00Z', 'NaN', 0, -1, 12])(
    'is the receipt, and flagged, when the device says %s',
    (captured_at) => {
      expect(scanOf({ captured_at })).toMatchObject({
        occurredAt: receivedAt,
        timeBasis: 'receipt',
        flags: ['clock_suspect'],
      });
    },
  );

  it('leaves the next scan of the same device alone', () => {
    scanOf({ captured_at: '2036-02-07T06:28:16Z' });

    expect(scanOf({ captured_at: '2025-11-03T21:45:39Z' }).flags).toEqual([]);
  });

  it('is the receipt less the age, when the clock is wrong and the sending says how old', () => {
    expect(scanOf({ captured_at: '1970-01-01T00:00:12Z', sent_at: '1970-01-01T00:00:14.500Z' })).toMatchObject({
      occurredAt: receivedAt - 2_500,
      timeBasis: 'device',
      flags: ['clock_suspect'],
    });
  });

  it('is never taken from a GTIN, though thirteen digits could be milliseconds', () => {
    expect(scanOf({ ndc: undefined, gtin: '1772719200000' })).toMatchObject({
      product: { gtin14: '01772719200000' },
      occurredAt: receivedAt,
      timeBasis: 'receipt',
    });
  });

  it('may be older than 31 days where the time rules say so', () => {
    const captured_at = '2020-01-01T00:00:00Z';

    expect(scanOf({ captured_at }).timeBasis).toBe('receipt');
    expect(scanOf({ captured_at }, { timeRules: { ...defaultTimeRules, ageMsMax: Number.POSITIVE_INFINITY } })).toMatchObject({
      occurredAt: 1_577_836_800_000,
      flags: ['late'],
    });
  });

  it('carries the flags of the transport after its own', () => {
    const scan = scanOf({ captured_at: receivedAt - 60_001 }, { flags: ['time_ambiguous'] });

    expect(scan.flags).toEqual(['late', 'time_ambiguous']);
  });
});

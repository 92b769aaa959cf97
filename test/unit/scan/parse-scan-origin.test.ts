import { describe, expect, it } from 'vitest';
import { refusalOf, wireScan } from '../../support/scans.ts';

describe('the origin of what is refused', () => {
  it('is facility, scanner and scan id, normalised', () => {
    const { origin } = refusalOf({
      facility_uuid: ' FAC\u200B-1\r\n',
      scanner_id: 'S\u0045\u0301',
      scan_uuid: 'a-1\t',
      lot_number: 5,
    });

    expect(origin).toEqual({ facilityUuid: 'FAC-1', scannerId: 'S\u00C9', scanId: 'a-1' });
  });

  it('is what can be read of it, whatever else is wrong', () => {
    expect(refusalOf(wireScan({ lot_number: '\uD800\u0000' })).origin).toEqual({
      facilityUuid: 'F'.repeat(36),
      scannerId: 'SCN-04',
    });
    expect(refusalOf({ scanner_id: 'SCN-04' }).origin).toEqual({ scannerId: 'SCN-04' });
  });

  it.each([
    ['a number', 5],
    ['null', null],
    ['empty', ''],
    ['too long', 'F'.repeat(65)],
    ['half a surrogate pair', '\uD800'],
    ['with a separator', 'F|G'],
    ['the one that stands for none', '-'],
  ])('has no facility where that is %s', (_, facility_uuid) => {
    expect(refusalOf(wireScan({ facility_uuid, lot_number: 5 })).origin).toEqual({ scannerId: 'SCN-04' });
  });

  it('has the scan id of the transport where the body has none', () => {
    expect(refusalOf(wireScan({ quantity: 0 }), { transportScanId: ' key-1' }).origin.scanId).toBe('key-1');
    expect(refusalOf(wireScan({ quantity: 0, scan_uuid: 'a-1' }), { transportScanId: 'key-1' }).origin.scanId).toBe('a-1');
  });

  it.each([undefined, null, 'text', 5, true, []])('is empty for %j', (value) => {
    expect(refusalOf(value).origin).toEqual({});
  });
});

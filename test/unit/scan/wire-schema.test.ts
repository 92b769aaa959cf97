import { describe, expect, it } from 'vitest';
import { wireFields, wireScanSchema } from '../../../src/scan/wire-schema.ts';

describe('wireScanSchema', () => {
  it('has the fields of the protocol and no other', () => {
    expect(wireFields.toSorted()).toEqual([
      'actor',
      'barcode',
      'barcode_base64',
      'captured_at',
      'direction',
      'expiration_date',
      'facility_uuid',
      'gtin',
      'lot_number',
      'ndc',
      'quantity',
      'reason',
      'reference',
      'scan_type',
      'scan_uuid',
      'scanner_id',
      'sent_at',
      'serial_number',
      'unit',
    ]);
    expect(wireScanSchema).toHaveProperty('additionalProperties', false);
  });

  it('requires what every scan has', () => {
    expect(wireScanSchema.required.toSorted()).toEqual(['facility_uuid', 'scan_type', 'scanner_id']);
  });

  it('describes every field', () => {
    const described = Object.values(wireScanSchema.properties).map(
      (property) => (property as { description?: string }).description,
    );

    expect(described.filter((text) => text === undefined || text === '')).toEqual([]);
  });
});

/** A dispense of an hour ago, as a scanner sends it. Fields that are `undefined` are left out of the JSON. */
export function dispense(facility: string, changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    facility_uuid: facility,
    scanner_id: 'SCN-04',
    scan_type: 'dispense',
    ndc: '0093-7214-10',
    lot_number: 'A1207',
    captured_at: recently,
    ...changes,
  };
}

/** An hour before this test file was loaded, epoch ms: late, and believed. */
export const recently = Date.now() - 3_600_000;

/** Matches the ids that the ledger makes. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

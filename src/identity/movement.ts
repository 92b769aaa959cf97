import type { Draft } from '../base/draft.ts';
import type { RecordedScan } from '../scan/recorded-scan.ts';

/**
 * What a scan says happened: every field but times, actor and raw form. Two transmissions under one scan id that differ here
 * are a conflict (R1). Keys are the names on the wire, so that an answer can say what differs.
 */
export interface Movement {
  readonly facility_uuid: string;
  readonly scanner_id: string;
  readonly scan_type: string;
  readonly product: string;
  readonly quantity: string;
  readonly unit: string;
  readonly lot_number?: string;
  readonly serial_number?: string;
  readonly expiration_date?: string;
  readonly direction?: string;
  readonly reference?: string;
  readonly reason?: string;
}

export function movementOf(scan: RecordedScan): Movement {
  const { facility_uuid, scanner_id, scan_type, quantity, unit, ndc, gtin } = scan;
  const product = ndc ?? gtin ?? '';
  const movement: Draft<Movement> = {
    facility_uuid,
    scanner_id,
    scan_type,
    product,
    quantity,
    unit,
  };
  if (scan.lot_number !== undefined) movement.lot_number = scan.lot_number;
  if (scan.serial_number !== undefined) movement.serial_number = scan.serial_number;
  if (scan.expiration_date !== undefined) movement.expiration_date = scan.expiration_date;
  if (scan.direction !== undefined) movement.direction = scan.direction;
  if (scan.reference !== undefined) movement.reference = scan.reference;
  if (scan.reason !== undefined) movement.reason = scan.reason;
  return movement;
}

/** The wire names of the fields in which two movements differ, sorted. */
export function differingFields(a: Movement, b: Movement): string[] {
  const fields = new Set([...Object.keys(a), ...Object.keys(b)] as (keyof Movement)[]);
  return [...fields].filter((field) => a[field] !== b[field]).sort();
}

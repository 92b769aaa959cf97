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
  const { facility_uuid, scanner_id, scan_type, quantity, unit } = scan;
  return {
    facility_uuid,
    scanner_id,
    scan_type,
    product: scan.ndc ?? scan.gtin ?? '',
    quantity,
    unit,
    ...(scan.lot_number !== undefined && { lot_number: scan.lot_number }),
    ...(scan.serial_number !== undefined && { serial_number: scan.serial_number }),
    ...(scan.expiration_date !== undefined && { expiration_date: scan.expiration_date }),
    ...(scan.direction !== undefined && { direction: scan.direction }),
    ...(scan.reference !== undefined && { reference: scan.reference }),
    ...(scan.reason !== undefined && { reason: scan.reason }),
  };
}

/** The wire names of the fields in which two movements differ, sorted. */
export function differingFields(a: Movement, b: Movement): string[] {
  const fields = new Set([...Object.keys(a), ...Object.keys(b)] as (keyof Movement)[]);
  return [...fields].filter((field) => a[field] !== b[field]).sort();
}

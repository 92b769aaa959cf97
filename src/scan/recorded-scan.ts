import type { Carrier } from './decode/reading.ts';
import type { Scan } from './scan.ts';
import type { Direction, ScanType, Unit } from './scan-type.ts';

/** A scan as the journal and the answers write it: names of the wire, normalised text, times in integer epoch ms. */
export interface RecordedScan {
  readonly facility_uuid: string;
  readonly scanner_id: string;
  readonly scan_type: ScanType;
  /** In eleven digits; in twelve where the labeler has six. */
  readonly ndc?: string;
  readonly gtin?: string;
  readonly lot_number?: string;
  readonly serial_number?: string;
  readonly expiration_date?: string;
  readonly quantity: string;
  readonly unit: Unit;
  readonly direction?: Direction;
  readonly scan_uuid?: string;
  readonly reference?: string;
  readonly reason?: string;
  readonly actor?: string;
  /** What kind of barcode product, lot, serial and expiry were read from. */
  readonly carrier?: Carrier;
  /** Symbology identifier of the scanner, as in `]d2`. */
  readonly symbology?: string;
  readonly captured_at?: number;
  readonly sent_at?: number;
  readonly received_at: number;
  readonly occurred_at: number;
  readonly time_basis: 'device' | 'receipt';
  /** `received_at - sent_at`, where both are known. */
  readonly skew_ms?: number;
}

export function recordedScan(scan: Scan): RecordedScan {
  const optional = {
    ndc: scan.product.ndc11 ?? scan.product.ndc12,
    gtin: scan.product.gtin14,
    lot_number: scan.lotNumber,
    serial_number: scan.serialNumber,
    expiration_date: scan.expirationDate,
    direction: scan.direction,
    scan_uuid: scan.scanId,
    reference: scan.reference,
    reason: scan.reason,
    actor: scan.actor,
    carrier: scan.barcode?.carrier,
    symbology: scan.barcode?.symbology,
    captured_at: finite(scan.capturedAt),
    sent_at: finite(scan.sentAt),
    skew_ms: finite(scan.receivedAt - (scan.sentAt ?? Number.NaN)),
  };
  return {
    facility_uuid: scan.facilityUuid,
    scanner_id: scan.scannerId,
    scan_type: scan.scanType,
    quantity: scan.quantity,
    unit: scan.unit,
    received_at: scan.receivedAt,
    occurred_at: scan.occurredAt,
    time_basis: scan.timeBasis,
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Partial<RecordedScan>),
  };
}

function finite(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

import type { Draft } from '../base/draft.ts';
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
  const { product, barcode, receivedAt } = scan;
  const ndc = product.ndc11 ?? product.ndc12;
  const capturedAt = finite(scan.capturedAt);
  const sentAt = finite(scan.sentAt);
  // Filled in, because it is made three times of every scan.
  const recorded: Draft<RecordedScan> = {
    facility_uuid: scan.facilityUuid,
    scanner_id: scan.scannerId,
    scan_type: scan.scanType,
    quantity: scan.quantity,
    unit: scan.unit,
    received_at: receivedAt,
    occurred_at: scan.occurredAt,
    time_basis: scan.timeBasis,
  };
  if (ndc !== undefined) recorded.ndc = ndc;
  if (product.gtin14 !== undefined) recorded.gtin = product.gtin14;
  if (scan.lotNumber !== undefined) recorded.lot_number = scan.lotNumber;
  if (scan.serialNumber !== undefined) recorded.serial_number = scan.serialNumber;
  if (scan.expirationDate !== undefined) recorded.expiration_date = scan.expirationDate;
  if (scan.direction !== undefined) recorded.direction = scan.direction;
  if (scan.scanId !== undefined) recorded.scan_uuid = scan.scanId;
  if (scan.reference !== undefined) recorded.reference = scan.reference;
  if (scan.reason !== undefined) recorded.reason = scan.reason;
  if (scan.actor !== undefined) recorded.actor = scan.actor;
  if (barcode !== undefined) recorded.carrier = barcode.carrier;
  if (barcode?.symbology !== undefined) recorded.symbology = barcode.symbology;
  if (capturedAt !== undefined) recorded.captured_at = capturedAt;
  if (sentAt !== undefined) Object.assign(recorded, { sent_at: sentAt, skew_ms: receivedAt - sentAt });
  return recorded;
}

function finite(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

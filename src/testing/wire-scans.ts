/**
 * Transmissions for suites, simulations and benchmarks, made the way of every scan: from the wire, by the gate's own functions
 * (R8). Instants are given in milliseconds after `noon`.
 */
import { admit } from '../gate/arrival.ts';
import { defaultScannerClass, type ScannerClass } from '../identity/scanner-class.ts';
import type { RawInput, RejectedTransmission, ScanTransmission, Transmission } from '../ledger/ledger.ts';
import type { WireScan } from '../scan/wire-schema.ts';

/** 2026-03-05T12:00:00Z, epoch ms. */
export const noon = 1_772_712_000_000;

export const facilityA = '0b9f7f52-5f5e-4d0e-9a51-6f1f0a1c7a01';
export const facilityB = '6c1d2f3a-8f0b-4d57-8a0c-2b1e9d3c4b02';

/** Fields to set, or to leave out where they are `undefined`. */
export type WireChanges = { readonly [Field in keyof WireScan]?: WireScan[Field] | undefined };

/** How a transmission is sent and judged. */
export interface Sending {
  /** When it reaches the gate, ms after noon; when the trigger was pulled, unless said. */
  readonly receivedMs?: number;
  readonly scannerClass?: ScannerClass;
}

/** A complete scan on the wire, captured so many milliseconds after noon. It has no `scan_uuid` unless given one. */
export function wireScan(capturedMs: number, changes: WireChanges = {}): WireScan {
  const scan: WireChanges = {
    facility_uuid: facilityA,
    scanner_id: 'SCN-04',
    scan_type: 'dispense',
    ndc: '00093721410',
    lot_number: 'A1207',
    captured_at: noon + capturedMs,
    ...changes,
  };
  return Object.fromEntries(Object.entries(scan).filter(([, value]) => value !== undefined)) as WireScan;
}

/** What the gate makes of a JSON value that reaches it: a scan, or a rejection that holds the JSON text. */
export function transmission(value: unknown, { receivedMs = 0, scannerClass = defaultScannerClass }: Sending = {}): Transmission {
  const raw = (): RawInput => ({ bytes: new TextEncoder().encode(JSON.stringify(value)) });
  const receivedAt = noon + receivedMs;
  return admit({ value, receivedAt, transport: 'library', raw }, { policy: () => scannerClass });
}

/** The transmission of a scan that was captured so many milliseconds after noon. */
export function scanAt(capturedMs: number, changes: WireChanges = {}, sending: Sending = {}): ScanTransmission {
  const made = transmission(wireScan(capturedMs, changes), { receivedMs: capturedMs, ...sending });
  if (made.kind !== 'scan') throw new TypeError(made.rejection.message);
  return made;
}

/** The transmission of what is no scan: by default, one whose quantity is not a number. */
export function rejectionAt(receivedMs: number, changes: WireChanges = { quantity: 'one' }): RejectedTransmission {
  const made = transmission(wireScan(receivedMs, changes), { receivedMs });
  if (made.kind !== 'rejection') throw new TypeError('This is a scan.');
  return made;
}

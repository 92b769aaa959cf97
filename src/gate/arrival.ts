/**
 * From an arrival to a transmission: decode, validate, identify. Pure; the same for every transport (R8).
 *
 * In: a JSON value, or what was unreadable, with its raw bytes. Out: a scan with its identity, or a rejection that keeps the raw
 * bytes. Values that look like patient data are taken out before anything is kept.
 */
import { identify } from '../identity/identify.ts';
import type { ScannerClass } from '../identity/scanner-class.ts';
import type { Transport } from '../ledger/entry-ref.ts';
import type { RawInput, Transmission } from '../ledger/ledger.ts';
import { parseScan, type ScanContext } from '../scan/parse-scan.ts';
import { withoutPatientData } from '../scan/patient-data.ts';

export interface Arrival extends ScanContext {
  readonly transport: Transport;
  /** The decoded JSON value; nothing where it could not be decoded, and `fault` says why. */
  readonly value?: unknown;
  /** What was received, asked for only when it has to be kept. */
  readonly raw: () => RawInput;
}

/** Which class a scanner belongs to. */
export type ScannerPolicy = (scannerId: string, facilityUuid: string) => ScannerClass;

export function admit(arrival: Arrival, policy: ScannerPolicy): Transmission {
  const { value, receivedAt, transport } = arrival;
  const decoding = { profileOf: (scannerId: string, facilityUuid: string) => policy(scannerId, facilityUuid).profile };
  const parsed = parseScan(value, { decoding, ...arrival });
  if (!parsed.ok) {
    const { rejection, origin } = parsed.error;
    const raw = rejection.code === 'SG_PATIENT_DATA' ? redacted(value) : arrival.raw();
    return { kind: 'rejection', rejection, origin, receivedAt, transport, raw };
  }
  const scan = parsed.value;
  const scannerClass = policy(scan.scannerId, scan.facilityUuid);
  return { kind: 'scan', scan, identity: identify(scan, scannerClass), scannerClass, transport };
}

function redacted(value: unknown): RawInput {
  return { bytes: Buffer.from(JSON.stringify(withoutPatientData(value)), 'utf8'), redacted: true };
}

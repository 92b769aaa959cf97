/**
 * From an arrival to a transmission: decode, validate, identify, look up. The same for every transport (R8).
 *
 * In: a JSON value, or what was unreadable, with its raw bytes. Out: a scan with its identity and what is known of its product, or a
 * rejection that keeps the raw bytes. Values that look like patient data are taken out before anything is kept.
 */
import { listingOf } from '../directory/listing-of.ts';
import type { ProductDirectory } from '../directory/product-directory.ts';
import { identify } from '../identity/identify.ts';
import type { ScannerClass } from '../identity/scanner-class.ts';
import type { Transport } from '../ledger/entry-ref.ts';
import type { RawInput, RejectedTransmission, Transmission } from '../ledger/ledger.ts';
import { parseScan, type ScanContext } from '../scan/parse-scan.ts';
import { withoutPatientData } from '../scan/patient-data.ts';
import { productText } from '../scan/product.ts';
import type { Rejection } from '../scan/rejection.ts';
import type { Origin, Scan } from '../scan/scan.ts';
import type { WireField } from '../scan/wire-schema.ts';

export interface Arrival extends ScanContext {
  readonly transport: Transport;
  /** The decoded JSON value; nothing where it could not be decoded, and `fault` says why. */
  readonly value?: unknown;
  /** What was received, asked for only when it has to be kept. */
  readonly raw: () => RawInput;
}

/** Which class a scanner belongs to. */
export type ScannerPolicy = (scannerId: string, facilityUuid: string) => ScannerClass;

/** By what an arrival is read. */
export interface Admission {
  readonly policy: ScannerPolicy;
  /** Without one, schedules are unknown. */
  readonly directory?: ProductDirectory;
  /** What becomes of a scan whose product a loaded directory does not know; `quarantine` when left out. */
  readonly unknownProduct?: 'quarantine' | 'commit';
}

export function admit(arrival: Arrival, { policy, directory, unknownProduct = 'quarantine' }: Admission): Transmission {
  const profileOf = (scannerId: string, facilityUuid: string) => policy(scannerId, facilityUuid).profile;
  const decoding = { profileOf, ...(directory !== undefined && { directory: (ndc10: string) => directory.ndc11Of(ndc10) }) };
  const parsed = parseScan(arrival.value, { decoding, ...arrival });
  if (!parsed.ok) return rejected(arrival, parsed.error.rejection, parsed.error.origin);
  const scan = parsed.value;
  const scannerClass = policy(scan.scannerId, scan.facilityUuid);
  const { transport } = arrival;
  // Asked first: what an import adds between the two questions is then committed as unknown, and not taken for what the whole list lacks.
  const isLoaded = directory?.isLoaded() === true;
  const listing = directory && listingOf(scan.product, directory);
  const isUnlisted = listing === undefined && isLoaded && unknownProduct === 'quarantine';
  return {
    kind: 'scan',
    scan,
    identity: identify(scan, scannerClass),
    scannerClass,
    transport,
    ...(listing !== undefined && { listing }),
    ...(isUnlisted && { unlisted: rejected(arrival, unlisted(scan, arrival.value), originOf(scan)) }),
  };
}

function rejected(arrival: Arrival, rejection: Rejection, origin: Origin): RejectedTransmission {
  const { value, receivedAt, transport } = arrival;
  const raw = rejection.code === 'SG_PATIENT_DATA' ? redacted(value) : arrival.raw();
  return { kind: 'rejection', rejection, origin, receivedAt, transport, raw };
}

const productFields = ['barcode_base64', 'barcode', 'ndc', 'gtin'] as const satisfies readonly WireField[];

function unlisted({ product }: Scan, sent: unknown): Rejection {
  const field = productFields.find((name) => Object.hasOwn(Object(sent), name)) ?? 'ndc';
  const message = `The product directory does not know ${productText(product)}. Import a directory that lists it, and release the scan from quarantine.`;
  return { code: 'SG_PRODUCT_UNLISTED', field, message };
}

function originOf({ facilityUuid, scannerId, scanId }: Scan): Origin {
  return { facilityUuid, scannerId, ...(scanId !== undefined && { scanId }) };
}

function redacted(value: unknown): RawInput {
  return { bytes: Buffer.from(JSON.stringify(withoutPatientData(value)), 'utf8'), redacted: true };
}

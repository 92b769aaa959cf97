/**
 * A scan that came as a barcode: what the symbol says, and what was sent beside it, brought together.
 *
 * In: the wire fields, the year of the scan, the scanner's profile. Out: product, lot, serial and expiry. What is sent twice must
 * agree; what the symbol does not say may be sent beside it, and is never overwritten with nothing.
 */
import { ok, type Result } from '../base/result.ts';
import { decodeBarcode } from './decode/decode.ts';
import { decodeRejection } from './decode/decode-rejection.ts';
import type { ScannerProfile } from './decode/profile.ts';
import type { Carrier, Reading, ReadingFlag } from './decode/reading.ts';
import type { Ndc10Directory } from './ndc.ts';
import { type Product, parseProduct, productOf, productText } from './product.ts';
import { quoted, type Rejection, reject } from './rejection.ts';
import type { WireScan } from './wire-schema.ts';

export interface Decoding {
  readonly profileOf?: (scannerId: string, facilityUuid: string) => ScannerProfile | undefined;
  readonly directory?: Ndc10Directory;
}

export interface BarcodeContext {
  readonly scanYear: number;
  /** Asked for only when there is a barcode. */
  readonly profileOf: () => ScannerProfile;
  readonly directory: Ndc10Directory;
}

/** What identifies the package, from a symbol, from fields, or from both. */
export interface PackageFields extends SentFields {
  readonly product: Product;
  readonly flags: readonly ReadingFlag[];
  readonly barcode?: { readonly carrier: Carrier; readonly symbology?: string };
}

/** The same, as it was sent in fields of its own. */
export interface SentFields {
  readonly lotNumber: string | undefined;
  readonly serialNumber: string | undefined;
  readonly expirationDate: string | undefined;
}

export function readPackage(wire: WireScan, sent: SentFields, context: BarcodeContext): Result<PackageFields, Rejection> {
  if (wire.barcode === undefined && wire.barcode_base64 === undefined) {
    const product = parseProduct(wire, context.directory);
    if (!product.ok) return product;
    const { lotNumber, serialNumber, expirationDate } = sent;
    return ok({ product: product.value, flags: [], lotNumber, serialNumber, expirationDate });
  }
  const field = wire.barcode_base64 === undefined ? 'barcode' : 'barcode_base64';
  const raw = rawOf(wire);
  if (!raw.ok) return raw;
  const { scanYear, directory } = context;
  const reading = decodeBarcode(raw.value, { scanYear, directory, profile: context.profileOf() });
  if (!reading.ok) return decodeRejection(field, reading.error);
  return combine(field, wire, sent, reading.value, context);
}

function combine(
  field: string,
  wire: WireScan,
  sent: SentFields,
  reading: Reading,
  context: BarcodeContext,
): Result<PackageFields, Rejection> {
  const product = agreedProduct(field, wire, reading, context.directory);
  if (!product.ok) return product;
  const lot = agreed(field, 'lot_number', reading.lotNumber, sent.lotNumber);
  if (!lot.ok) return lot;
  const serial = agreed(field, 'serial_number', reading.serialNumber, sent.serialNumber);
  if (!serial.ok) return serial;
  const expiration = agreed(field, 'expiration_date', reading.expirationDate, sent.expirationDate);
  if (!expiration.ok) return expiration;
  return ok({
    product: product.value,
    flags: reading.flags,
    barcode: { carrier: reading.carrier, ...(reading.symbology !== undefined && { symbology: reading.symbology.id }) },
    lotNumber: lot.value,
    serialNumber: serial.value,
    expirationDate: expiration.value,
  });
}

function agreedProduct(field: string, wire: WireScan, reading: Reading, directory: Ndc10Directory): Result<Product, Rejection> {
  const decoded = productOf(reading);
  const given = wire.ndc === undefined && wire.gtin === undefined ? undefined : parseProduct(wire, directory);
  if (given === undefined) return decoded ?? noProduct(field, reading);
  if (!given.ok || decoded === undefined) return given;
  const together = oneProduct(decoded.value, given.value, directory);
  if (together !== undefined) return ok(together);
  const name = wire.ndc === undefined ? 'gtin' : 'ndc';
  return disagree(field, name, productText(decoded.value), productText(given.value));
}

function agreed(
  field: string,
  name: string,
  inSymbol: string | undefined,
  inField: string | undefined,
): Result<string | undefined, Rejection> {
  if (inSymbol !== undefined && inField !== undefined && inSymbol !== inField) return disagree(field, name, inSymbol, inField);
  return ok(inSymbol ?? inField);
}

/** What a symbol and the fields beside it name together, unless they have a code of one kind in which they differ. */
function oneProduct(decoded: Product, given: Product, directory: Ndc10Directory): Product | undefined {
  const shared = (['ndc11', 'ndc12', 'gtin14'] as const).filter(
    (code) => decoded[code] !== undefined && given[code] !== undefined,
  );
  if (shared.length === 0) return completed(decoded, given, directory);
  return shared.every((code) => decoded[code] === given[code]) ? { ...given, ...decoded } : undefined;
}

/** A GTIN that may hold one of several NDCs, with the one that was sent beside it; a case, with the NDC of the unit inside. */
function completed(decoded: Product, given: Product, directory: Ndc10Directory): Product | undefined {
  const gtin = decoded.gtin14 ?? given.gtin14;
  const ndc = given.ndc11 ?? decoded.ndc11;
  const both = gtin === undefined || ndc === undefined ? undefined : parseProduct({ gtin, ndc }, directory);
  if (both?.ok !== true) return undefined;
  // A GTIN of a case beside the symbol of an NDC: what was scanned is not the case.
  return decoded.gtin14 === undefined && both.value.ndc11 === undefined ? undefined : both.value;
}

function disagree(field: string, name: string, inSymbol: string, inField: string): { ok: false; error: Rejection } {
  return reject(
    'SG_FIELDS_DISAGREE',
    name,
    `${field} says ${quoted(inSymbol)} and ${name} says ${quoted(inField)}. Send the barcode alone, or both the same.`,
  );
}

function noProduct(field: string, { sscc, hibc }: Reading): { ok: false; error: Rejection } {
  const what =
    sscc !== undefined
      ? 'It names a logistic unit (SSCC), not a package that can be counted.'
      : hibc !== undefined
        ? 'It names a HIBC product, which is neither an NDC nor a GTIN.'
        : 'It holds neither an NDC nor a GTIN.';
  return decodeRejection(field, {
    reason: 'no_product',
    message: `${what} Scan the code of the package, or send its ndc beside it.`,
  });
}

/** The bytes are what the scanner sent; text beside them may have lost its separators, and nothing else. */
function rawOf({ barcode, barcode_base64 }: WireScan): Result<string | Uint8Array, Rejection> {
  if (barcode_base64 === undefined) return ok(barcode ?? '');
  const standard = barcode_base64.trim().replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  const bytes = Buffer.from(standard, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== standard) {
    return reject('SG_FIELD_VALUE', 'barcode_base64', 'barcode_base64 is not base64.');
  }
  if (barcode !== undefined && withoutControls(bytes.toString('latin1')) !== withoutControls(barcode)) {
    return reject(
      'SG_FIELDS_DISAGREE',
      'barcode',
      'barcode and barcode_base64 hold different texts. Send one of them, or both the same.',
    );
  }
  return ok(bytes);
}

function withoutControls(text: string): string {
  return text.replace(/[\p{Cc} ]/gu, '');
}

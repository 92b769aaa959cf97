/**
 * From a decoded JSON value to a scan.
 *
 * In: anything, and when it was received. Out: a scan, normalised, with the time that it happened; or the first reason why
 * it is none, with whatever says where it came from. It coerces nothing, ignores nothing, and reads no clock.
 */
import type { Draft } from '../base/draft.ts';
import { ok, type Result } from '../base/result.ts';
import { type BarcodeContext, type Decoding, type PackageFields, readPackage } from './barcode-fields.ts';
import { parseCalendarDate } from './calendar-date.ts';
import { parseInstant } from './instant.ts';
import { type DeviceTimes, defaultTimeRules, type OccurredAt, occurredAtOf, type TimeRules } from './occurred-at.ts';
import { findPatientData } from './patient-data.ts';
import { parseQuantity } from './quantity.ts';
import { quoted, type Rejection, reject } from './rejection.ts';
import { type Flag, type Origin, type Scan, unreadableFacility } from './scan.ts';
import { needsDirection } from './scan-type.ts';
import { parseText } from './text.ts';
import { checkShape } from './wire-check.ts';
import { type TextField, textLengthMax, type WireField, type WireScan } from './wire-schema.ts';

export interface ScanContext {
  /** When the transmission reached this software, epoch ms by the gate's clock. */
  readonly receivedAt: number;
  readonly timeRules?: TimeRules;
  /** A scan id that the transport carried (`Idempotency-Key`). */
  readonly transportScanId?: string;
  /** What the transport found wrong already: the value is read only for where it came from. */
  readonly fault?: Rejection;
  /** How barcodes of this scanner are read. */
  readonly decoding?: Decoding;
  /** Refuse a scan with neither a scan id nor a believable time: read a second time, nothing would tell that it is the same. */
  readonly mustBeRepeatable?: boolean;
  /** What the transport has to say of the time, such as `time_ambiguous`. */
  readonly flags?: readonly Flag[];
}

export interface Refused {
  readonly rejection: Rejection;
  readonly origin: Origin;
}

export function parseScan(input: unknown, context: ScanContext): Result<Scan, Refused> {
  const scan = readScan(input, context);
  return scan.ok ? scan : { ok: false, error: { rejection: scan.error, origin: originOf(input, context) } };
}

function readScan(input: unknown, context: ScanContext): Result<Scan, Rejection> {
  const patientField = findPatientData(input);
  if (patientField !== undefined) {
    return reject(
      'SG_PATIENT_DATA',
      patientField,
      `The field ${quoted(patientField)} looks like patient data, which ScanGate does not keep. Send an opaque reference.`,
    );
  }
  if (context.fault !== undefined) return { ok: false, error: context.fault };
  const shape = checkShape(input);
  if (!shape.ok) return shape;
  const wire = shape.value;
  const fields = readFields(wire, context);
  if (!fields.ok) return fields;
  const meaning =
    checkMeaning(fields.value, wire) ?? (context.mustBeRepeatable === true ? checkRepeatable(fields.value) : undefined);
  if (meaning !== undefined) return meaning;
  return ok(Object.assign(fields.value, { asSent: asSent(wire, fields.value) }));
}

/** The fields of a scan, with the flags of its barcode and its time. */
type Fields = Omit<Scan, 'asSent'>;

function readFields(wire: WireScan, context: ScanContext): Result<Fields, Rejection> {
  const texts = readTexts(wire, context.transportScanId);
  if (!texts.ok) return texts;
  const { facility_uuid = '', scanner_id = '', lot_number, serial_number } = texts.value;
  const expiration = optional(wire.expiration_date, (raw) => parseCalendarDate('expiration_date', raw));
  if (!expiration.ok) return expiration;
  const quantity = parseQuantity('quantity', wire.quantity ?? 1);
  if (!quantity.ok) return quantity;
  const times = readTimes(wire, context);
  if (!times.ok) return times;
  const sent = { lotNumber: lot_number, serialNumber: serial_number, expirationDate: expiration.value };
  const found = readPackage(wire, sent, barcodeContext(scanner_id, facility_uuid, times.value.occurredAt, context));
  if (!found.ok) return found;
  const flags = [...times.value.flags, ...(context.flags ?? []), ...found.value.flags];
  return ok(fieldsOf(wire, texts.value, times.value, found.value, { quantity: quantity.value, flags }));
}

function fieldsOf(
  { scan_type, unit = 'EA', direction }: WireScan,
  { facility_uuid = '', scanner_id = '', scan_uuid, reference, reason, actor }: Texts,
  { receivedAt, capturedAt, sentAt, occurredAt, basis }: Times,
  { product, lotNumber, serialNumber, expirationDate, barcode }: PackageFields,
  { quantity, flags }: Pick<Fields, 'quantity' | 'flags'>,
): Fields {
  const fields: Draft<Fields> = {
    facilityUuid: facility_uuid,
    scannerId: scanner_id,
    scanType: scan_type,
    product,
    quantity,
    unit,
    receivedAt,
    occurredAt,
    timeBasis: basis,
    flags,
  };
  if (lotNumber !== undefined) fields.lotNumber = lotNumber;
  if (serialNumber !== undefined) fields.serialNumber = serialNumber;
  if (expirationDate !== undefined) fields.expirationDate = expirationDate;
  if (direction !== undefined) fields.direction = direction;
  if (scan_uuid !== undefined) fields.scanId = scan_uuid;
  if (reference !== undefined) fields.reference = reference;
  if (reason !== undefined) fields.reason = reason;
  if (actor !== undefined) fields.actor = actor;
  if (barcode !== undefined) fields.barcode = barcode;
  if (capturedAt !== undefined) fields.capturedAt = capturedAt;
  if (sentAt !== undefined) fields.sentAt = sentAt;
  return fields;
}

type Times = DeviceTimes & OccurredAt;

function readTimes(wire: WireScan, { receivedAt, timeRules = defaultTimeRules }: ScanContext): Result<Times, Rejection> {
  const capturedAt = optional(wire.captured_at, (raw) => parseInstant('captured_at', raw));
  if (!capturedAt.ok) return capturedAt;
  const sentAt = optional(wire.sent_at, (raw) => parseInstant('sent_at', raw));
  if (!sentAt.ok) return sentAt;
  const device: DeviceTimes = { receivedAt, capturedAt: capturedAt.value, sentAt: sentAt.value };
  const { occurredAt, basis, flags } = occurredAtOf(device, timeRules);
  return ok({ receivedAt, capturedAt: device.capturedAt, sentAt: device.sentAt, occurredAt, basis, flags });
}

/** The century of a date in a barcode is that of the scan, not of the computer. */
function barcodeContext(
  scannerId: string,
  facilityUuid: string,
  occurredAt: number,
  { decoding = {} }: ScanContext,
): BarcodeContext {
  return {
    scanYear: new Date(occurredAt).getUTCFullYear(),
    profileOf: () => decoding.profileOf?.(scannerId, facilityUuid) ?? {},
    directory: decoding.directory ?? (() => undefined),
  };
}

type Texts = Partial<Record<TextField, string>>;

const textFields = Object.keys(textLengthMax) as readonly TextField[];

function readTexts(wire: WireScan, transportScanId: string | undefined): Result<Texts, Rejection> {
  const texts: Texts = {};
  for (const field of textFields) {
    const raw = wire[field];
    if (raw === undefined) continue;
    const text = parseText(field, raw, textLengthMax[field]);
    if (!text.ok) return text;
    texts[field] = text.value;
  }
  if (texts.facility_uuid === unreadableFacility) {
    return reject('SG_FIELD_VALUE', 'facility_uuid', 'facility_uuid is "-", which stands for what names no facility.');
  }
  const scanId = agreedScanId(texts.scan_uuid, transportScanId);
  if (!scanId.ok) return scanId;
  if (scanId.value !== undefined) texts.scan_uuid = scanId.value;
  return ok(texts);
}

function agreedScanId(inBody: string | undefined, inTransport: string | undefined): Result<string | undefined, Rejection> {
  if (inTransport === undefined) return ok(inBody);
  const text = parseText('Idempotency-Key', inTransport, textLengthMax.scan_uuid);
  if (!text.ok || inBody === undefined || inBody === text.value) return text;
  return reject(
    'SG_FIELDS_DISAGREE',
    'scan_uuid',
    `scan_uuid is ${quoted(inBody)} and Idempotency-Key is ${quoted(text.value)}. They name one scan: send one of them, or both the same.`,
  );
}

/** What only the fields together can tell. */
function checkMeaning(fields: Fields, wire: WireScan): { ok: false; error: Rejection } | undefined {
  const { scanType, quantity } = fields;
  const negative = quantity.startsWith('-');
  if (negative && scanType !== 'adjust') {
    return reject('SG_QUANTITY_RANGE', 'quantity', `quantity is ${quantity}; only an adjust may be negative.`);
  }
  if (quantity === '0' && scanType !== 'count') {
    return reject('SG_QUANTITY_RANGE', 'quantity', `quantity is 0; ${scanType} of nothing is not recorded.`);
  }
  if (needsDirection(scanType) && wire.direction === undefined) {
    return reject(
      'SG_DIRECTION',
      'direction',
      `A ${scanType} needs a direction, in or out: the word does not say whether stock grows or shrinks.`,
    );
  }
  if (!needsDirection(scanType) && wire.direction !== undefined) {
    return reject('SG_DIRECTION', 'direction', `A ${scanType} takes no direction. Leave the field out.`);
  }
  if (scanType === 'adjust' && fields.reason === undefined) {
    return reject('SG_REASON_MISSING', 'reason', 'An adjust needs a reason.');
  }
  return undefined;
}

/** A time that was taken from the receipt, or corrected by it, is another one at the next reading. */
function checkRepeatable({ scanId, capturedAt, occurredAt }: Fields): { ok: false; error: Rejection } | undefined {
  if (scanId !== undefined || occurredAt === capturedAt) return undefined;
  const what = capturedAt === undefined ? 'no captured_at' : 'a captured_at that cannot be believed';
  return reject(
    'SG_TIME_UNUSABLE',
    'captured_at',
    `The row has ${what} and no scan_uuid, so a second import could not tell that it is the same scan.`,
  );
}

/** What cannot be told from the normalised fields. */
const alwaysKept: ReadonlySet<string> = new Set(['ndc', 'barcode', 'barcode_base64']);

/** The normalised field that stands for one on the wire. */
const normalised: { readonly [Field in WireField]?: (fields: Fields) => string | number | undefined } = {
  facility_uuid: ({ facilityUuid }) => facilityUuid,
  scanner_id: ({ scannerId }) => scannerId,
  lot_number: ({ lotNumber }) => lotNumber,
  serial_number: ({ serialNumber }) => serialNumber,
  scan_uuid: ({ scanId }) => scanId,
  reference: ({ reference }) => reference,
  reason: ({ reason }) => reason,
  actor: ({ actor }) => actor,
  ndc: ({ product }) => product.ndc11,
  gtin: ({ product }) => product.gtin14,
  expiration_date: ({ expirationDate }) => expirationDate,
  quantity: ({ quantity }) => quantity,
  captured_at: ({ capturedAt }) => capturedAt,
  sent_at: ({ sentAt }) => sentAt,
};

function asSent(wire: WireScan, fields: Fields): Scan['asSent'] {
  const kept: Draft<Scan['asSent']> = {};
  for (const field of Object.keys(wire) as WireField[]) {
    const value = normalised[field]?.(fields);
    const raw = wire[field];
    if (raw === undefined || (value === undefined && !alwaysKept.has(field))) continue;
    if (String(value) !== String(raw)) kept[field] = raw;
  }
  return kept;
}

/** Where even a refused transmission came from. */
function originOf(input: unknown, context: ScanContext): Origin {
  if (typeof input !== 'object' || input === null) return {};
  const fields = input as Partial<Record<string, unknown>>;
  const read = (field: TextField, raw: unknown = fields[field]): string | undefined => {
    const text = typeof raw === 'string' ? parseText(field, raw, textLengthMax[field]) : undefined;
    return text?.ok && text.value !== unreadableFacility ? text.value : undefined;
  };
  return {
    ...present('facilityUuid', read('facility_uuid')),
    ...present('scannerId', read('scanner_id')),
    ...present('scanId', read('scan_uuid', fields['scan_uuid'] ?? context.transportScanId)),
  };
}

function optional<T, U>(raw: T | undefined, parse: (raw: T) => Result<U, Rejection>): Result<U | undefined, Rejection> {
  return raw === undefined ? ok(undefined) : parse(raw);
}

function present<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

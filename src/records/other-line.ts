/** One line of a file of another system, as a movement of stock. */
import { ok, type Result } from '../base/result.ts';
import { parseCalendarDate } from '../scan/calendar-date.ts';
import { parseInstant, parseLocalTime } from '../scan/instant.ts';
import { type Product, parseProduct, productText } from '../scan/product.ts';
import { parseQuantity } from '../scan/quantity.ts';
import { type Rejection, reject } from '../scan/rejection.ts';
import { type Direction, directions, needsDirection, type ScanType, scanTypes, signedDelta, units } from '../scan/scan-type.ts';
import { normaliseText } from '../scan/text.ts';
import type { Days } from './days.ts';
import type { Movement } from './tallies.ts';

export const otherFields = [
  ...['facility_uuid', 'ndc', 'gtin', 'lot_number', 'delta', 'quantity', 'scan_type', 'direction', 'unit'],
  ...['occurred_at', 'date', 'reference', 'serial_number'],
] as const;

export type OtherRow = Readonly<Record<string, string>>;

/** @param productOf the product as the ledger calls it. */
export function readOtherLine(
  row: OtherRow,
  days: Days,
  productOf: (product: Product) => string = productText,
): Result<Movement, Rejection> {
  const { facility_uuid: facility = '', ndc, gtin, lot_number = '', unit = 'EA', reference, serial_number } = row;
  if (normaliseText(facility) === '') return reject('SG_FIELD_MISSING', 'facility_uuid', 'The row names no facility.');
  const product = parseProduct({ ...(ndc !== undefined && { ndc }), ...(gtin !== undefined && { gtin }) }, () => undefined);
  if (!product.ok) return product;
  const isUnit = units.some((known) => known === unit);
  if (!isUnit) return reject('SG_FIELD_VALUE', 'unit', `unit is none of ${units.join(', ')}.`);
  const delta = deltaOf(row);
  if (!delta.ok) return delta;
  const day = dayOf(row, days);
  if (!day.ok) return day;
  const name = reference ?? serial_number;
  const cell = {
    facility_uuid: normaliseText(facility),
    product: productOf(product.value),
    lot_number: normaliseText(lot_number),
    unit,
    day: day.value,
  };
  return ok({ cell, delta: delta.value, ...(name !== undefined && { name: normaliseText(name) }) });
}

function deltaOf({ delta, quantity, scan_type, direction }: OtherRow): Result<string, Rejection> {
  if (delta !== undefined) return parseQuantity('delta', delta);
  if (quantity === undefined) return reject('SG_FIELD_MISSING', 'quantity', 'The row has neither a delta nor a quantity.');
  const read = parseQuantity('quantity', quantity);
  if (!read.ok) return read;
  const type = scanTypes.find((known) => known === scan_type);
  if (type === undefined) {
    const message = `A quantity needs a scan_type, one of ${scanTypes.join(', ')}; a signed one is a delta.`;
    return reject('SG_FIELD_VALUE', 'scan_type', message);
  }
  return signed(
    type,
    read.value,
    directions.find((known) => known === direction),
  );
}

function signed(type: ScanType, quantity: string, direction: Direction | undefined): Result<string, Rejection> {
  if (needsDirection(type) && direction === undefined) {
    return reject('SG_DIRECTION', 'direction', `A ${type} needs a direction, in or out.`);
  }
  return ok(signedDelta(type, quantity, direction));
}

/** A local time, and a date, are of the zone in which days are counted. */
function dayOf({ occurred_at, date }: OtherRow, days: Days): Result<string, Rejection> {
  if (date !== undefined) return parseCalendarDate('date', date);
  if (occurred_at === undefined) return reject('SG_FIELD_MISSING', 'occurred_at', 'The row has neither occurred_at nor date.');
  if (parseLocalTime(occurred_at) !== undefined) return parseCalendarDate('occurred_at', normaliseText(occurred_at).slice(0, 10));
  const instant = parseInstant('occurred_at', occurred_at);
  if (!instant.ok) return instant;
  if (Number.isFinite(instant.value)) return ok(days.of(instant.value));
  return reject('SG_TIME_INVALID', 'occurred_at', 'occurred_at is no time.');
}

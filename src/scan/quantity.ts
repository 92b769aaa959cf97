/**
 * Quantities: decimal text with at most six fractional digits, never a binary float.
 *
 * In: a JSON number or text. Out: the shortest decimal text of it (`1`, `1.0` and `"1"` are `1`). Arithmetic is done on
 * millionths as integers, so that a thousand movements of 0.001 and back are exactly 0.
 */
import { ok, type Result } from '../base/result.ts';
import { quoted, type Rejection, reject } from './rejection.ts';
import { normaliseText } from './text.ts';

const fractionDigitsMax = 6;
const millionthsPerUnit = 10n ** BigInt(fractionDigitsMax);

/** Above this, a barcode was scanned into the quantity field. */
export const quantityMax = 999_999;

const decimal = /^([+-]?)(\d+)(?:\.(\d+))?$/;
const spreadsheetNumber = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;

export function parseQuantity(field: string, raw: string | number): Result<string, Rejection> {
  const text = typeof raw === 'number' ? String(raw) : normaliseText(raw);
  if (text === '') return reject('SG_FIELD_EMPTY', field, `${field} is empty. Give a number, or leave the field out.`);
  const match = decimal.exec(text);
  if (match === null) {
    if (spreadsheetNumber.test(text) && typeof raw === 'string') {
      return reject('SG_SPREADSHEET_DAMAGE', field, `${field} is ${quoted(text)}: damaged by a spreadsheet, digits may be gone.`);
    }
    return reject('SG_QUANTITY_INVALID', field, `${field} is ${quoted(text)}, which is not a decimal number such as 1 or 0.5.`);
  }
  const [, sign = '', whole = '', fraction = ''] = match;
  const significantFraction = withoutLastZeros(fraction);
  if (significantFraction.length > fractionDigitsMax) {
    return reject(
      'SG_QUANTITY_INVALID',
      field,
      `${field} is ${quoted(text)}: at most ${fractionDigitsMax} digits after the point are kept.`,
    );
  }
  const significantWhole = whole.replace(/^0+(?=\d)/, '');
  const value = significantFraction === '' ? significantWhole : `${significantWhole}.${significantFraction}`;
  if (Number(value) > quantityMax) {
    return reject(
      'SG_QUANTITY_RANGE',
      field,
      `${field} is ${quoted(text)}; at most ${quantityMax} is believable. Was a barcode scanned into it?`,
    );
  }
  return ok(sign === '-' && value !== '0' ? `-${value}` : value);
}

/** The sum of normalised quantities, exact. */
export function sumQuantities(quantities: Iterable<string>): string {
  let sum = 0n;
  for (const quantity of quantities) sum += toMillionths(quantity);
  return fromMillionths(sum);
}

export function negateQuantity(quantity: string): string {
  return fromMillionths(-toMillionths(quantity));
}

function toMillionths(quantity: string): bigint {
  const match = decimal.exec(quantity);
  if (match === null) throw new TypeError(`${quoted(quantity)} is not a normalised quantity.`);
  const [, sign = '', whole = '', fraction = ''] = match;
  const magnitude = BigInt(whole) * millionthsPerUnit + BigInt(fraction.padEnd(fractionDigitsMax, '0'));
  return sign === '-' ? -magnitude : magnitude;
}

function fromMillionths(millionths: bigint): string {
  const magnitude = millionths < 0n ? -millionths : millionths;
  const whole = magnitude / millionthsPerUnit;
  const fraction = withoutLastZeros(String(magnitude % millionthsPerUnit).padStart(fractionDigitsMax, '0'));
  return `${millionths < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** A loop, because the regular expression for it takes quadratic time on a long run of zeros. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

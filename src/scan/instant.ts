/**
 * A point in time as it comes over the wire.
 *
 * In: RFC 3339 text with an offset, or a count since 1970 whose unit its digits leave no doubt of. Out: epoch
 * milliseconds. Refused: a local time, anything else. The engine's own lenient parser is never asked.
 */
import { ok, type Result } from '../base/result.ts';
import { isCalendarDate } from './calendar-date.ts';
import { quoted, type Rejection, reject } from './rejection.ts';
import { normaliseText } from './text.ts';

/** A wall-clock time of no zone. */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

const form = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?\s?(.*)$/;
const offsetForm = /^([+-])(\d{2})(?::?(\d{2}))?$/;

/**
 * @returns epoch milliseconds; `NaN` for the text `NaN`, which is what a device without a clock says: it is a time that
 * cannot be believed (see the rules of `occurredAt`), not one that cannot be read.
 */
export function parseInstant(field: string, raw: string | number): Result<number, Rejection> {
  const text = typeof raw === 'number' ? String(raw) : normaliseText(raw);
  if (text === 'NaN') return ok(Number.NaN);
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return parseCount(field, text, typeof raw === 'number');
  const parsed = parseDateTime(text);
  if (parsed === undefined) return unreadable(field, text);
  if (parsed.offset === '') {
    return reject(
      'SG_TIME_ZONE_MISSING',
      field,
      `${field} is ${quoted(text)}, a local time. Add the offset, as in 2026-03-05T14:05:09-05:00, or Z.`,
    );
  }
  const offsetMs = parseOffset(parsed.offset);
  if (offsetMs === undefined || !parsed.hasTime) return unreadable(field, text);
  return ok(utcMs(parsed.local) - offsetMs);
}

/** A local time of a file whose zone is known from elsewhere, or nothing where the text is not one. */
export function parseLocalTime(raw: string): LocalTime | undefined {
  const parsed = parseDateTime(normaliseText(raw));
  return parsed?.offset === '' && parsed.hasTime ? parsed.local : undefined;
}

function parseDateTime(text: string): { local: LocalTime; offset: string; hasTime: boolean } | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, offset = ''] = match;
  const local: LocalTime = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    millisecond: Number((fraction ?? '').slice(0, 3).padEnd(3, '0')),
  };
  const real = isCalendarDate(local.year, local.month, local.day) && local.hour < 24 && local.minute < 60 && local.second < 60;
  return real ? { local, offset, hasTime: hour !== undefined } : undefined;
}

function parseOffset(text: string): number | undefined {
  if (/^z$/i.test(text)) return 0;
  const match = offsetForm.exec(text);
  if (match === null) return undefined;
  const [, sign, hours, minutes = '0'] = match;
  if (Number(hours) > 18 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function utcMs(local: LocalTime): number {
  const at = new Date(0);
  at.setUTCFullYear(local.year, local.month - 1, local.day);
  return at.setUTCHours(local.hour, local.minute, local.second, local.millisecond);
}

/**
 * 10 digits are seconds, 13 milli-, 16 micro- and 19 nanoseconds of this age. A shorter number is near 1970 in any unit: a clock
 * that was never set, and no other time can be told from it either, so it is `NaN`. Shorter text is no time at all, but a day, a year or
 * another column (`12`, `2026`).
 */
function parseCount(field: string, text: string, isNumber: boolean): Result<number, Rejection> {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = whole.replace(/^0+(?=\d)/, '');
  if (isNumber && digits.length < 10) return ok(Number.NaN);
  const exponent = { 10: 3, 13: 0, 16: -3, 19: -6 }[digits.length];
  if (exponent === undefined) {
    return reject(
      'SG_TIME_INVALID',
      field,
      `${field} is ${quoted(text)}: with ${digits.length} digits its unit is in doubt. Send 2026-03-05T14:05:09Z.`,
    );
  }
  const shifted = exponent >= 0 ? digits + fraction.slice(0, exponent).padEnd(exponent, '0') : digits.slice(0, exponent);
  const milliseconds = Number(shifted);
  return ok(text.startsWith('-') && milliseconds !== 0 ? -milliseconds : milliseconds);
}

function unreadable(field: string, text: string): { ok: false; error: Rejection } {
  return reject('SG_TIME_INVALID', field, `${field} is ${quoted(text)}, which is not a time such as 2026-03-05T14:05:09Z.`);
}

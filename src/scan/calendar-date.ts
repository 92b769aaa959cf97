import { ok, type Result } from '../base/result.ts';
import { quoted, type Rejection, reject } from './rejection.ts';
import { normaliseText } from './text.ts';

/** A real date of the calendar in the form `2026-12-31`: JavaScript's own parser would roll 31 February over to March. */
export function parseCalendarDate(field: string, raw: string): Result<string, Rejection> {
  const text = normaliseText(raw);
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null || !isCalendarDate(Number(match[1]), Number(match[2]), Number(match[3]))) {
    return reject(
      'SG_DATE_INVALID',
      field,
      `${field} is ${quoted(text)}, which is not a date of the calendar such as 2026-12-31.`,
    );
  }
  return ok(text);
}

export function isCalendarDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= lastDayOfMonth(year, month);
}

export function lastDayOfMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

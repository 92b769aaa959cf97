/**
 * GS1's six-digit dates. The century depends on the year in which the scan was made (General Specifications 7.12), never on the
 * clock of the computer: a replay gives the same date.
 */
import { isCalendarDate, lastDayOfMonth } from '../calendar-date.ts';

/** `YYMMDD` as an ISO date; day 00 is the last day of the month, where that is allowed. */
export function gs1Date(digits: string, scanYear: number, dayZeroAllowed: boolean): string | undefined {
  const year = fullYear(twoDigitsAt(digits, 0), scanYear);
  const month = twoDigitsAt(digits, 2);
  const day = twoDigitsAt(digits, 4);
  if (month < 1 || month > 12) return undefined;
  if (day === 0 && dayZeroAllowed) return isoDate(year, month, lastDayOfMonth(year, month));
  return isCalendarDate(year, month, day) ? isoDate(year, month, day) : undefined;
}

/** 51 to 99 years ahead is the century before, 50 to 99 years behind the one after. */
export function fullYear(twoDigits: number, scanYear: number): number {
  const century = scanYear - (scanYear % 100);
  const difference = twoDigits - (scanYear % 100);
  if (difference >= 51) return century - 100 + twoDigits;
  return difference <= -50 ? century + 100 + twoDigits : century + twoDigits;
}

export function isoDate(year: number, month: number, day: number): string {
  return `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}

function twoDigitsAt(text: string, at: number): number {
  return (text.charCodeAt(at) - 0x30) * 10 + (text.charCodeAt(at + 1) - 0x30);
}

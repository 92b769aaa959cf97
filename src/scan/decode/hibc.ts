/**
 * HIBC labels (ANSI/HIBC 2.6): primary, secondary, or both in one symbol, closed by a modulo-43 character.
 *
 * In: text that begins with `+`. Out: labeler, product, unit of measure, lot, serial, dates and quantity.
 */
import { ok, type Result } from '../../base/result.ts';
import { isCalendarDate, lastDayOfMonth } from '../calendar-date.ts';
import { quoted } from '../rejection.ts';
import { fullYear, isoDate } from './gs1-date.ts';
import { type DecodeFault, newReading, type Reading, type ReadingPart, refuse } from './reading.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%';

/** The character that makes a HIBC text right. */
export function hibcCheckCharacter(text: string): string {
  let sum = 0;
  for (const character of text) sum += alphabet.indexOf(character);
  return alphabet[sum % 43] ?? '';
}

/** A space behind a HIBC is what scanners add, unless it is the check character and no other fits. */
export function withSpaceCheck(text: string): string {
  const isComplete = hibcCheckCharacter(text.slice(0, -1)) === text.slice(-1);
  return !isComplete && hibcCheckCharacter(text) === ' ' ? `${text} ` : text;
}

export function readHibc(text: string, scanYear: number): Result<Reading, DecodeFault> {
  const bad = [...text].find((character) => !alphabet.includes(character));
  if (bad !== undefined) {
    const hint = /[a-z]/.test(bad) ? ' Is caps lock on? HIBC has capital letters only.' : '';
    return refuse('bad_charset', `${quoted(text)} holds ${quoted(bad)}, which HIBC cannot.${hint}`);
  }
  const [data, check] = [text.slice(0, -1), text.slice(-1)];
  if (data.length < 3) return refuse('truncated', `${quoted(text)} is too short for a HIBC.`);
  const expected = hibcCheckCharacter(data);
  if (check !== expected) {
    return refuse(
      'bad_check_character',
      `The check character of ${quoted(text)} is ${quoted(check)} and should be ${quoted(expected)}: it was misread.`,
    );
  }
  return new HibcReader(data, scanYear).read();
}

type Said = 'lotNumber' | 'serialNumber' | 'expirationDate' | 'productionDate' | 'count';

class HibcReader {
  readonly #data: string;
  readonly #scanYear: number;
  readonly #reading = newReading('hibc');
  readonly #parts: ReadingPart[] = [];

  constructor(data: string, scanYear: number) {
    this.#data = data;
    this.#scanYear = scanYear;
  }

  read(): Result<Reading, DecodeFault> {
    const isSecondary = /^\+[$\d]/.test(this.#data);
    // A secondary symbol of its own ends in the check character of its primary, which links the two.
    const text = isSecondary ? this.#data.slice(0, -1) : this.#data;
    const [first = '', ...segments] = text.slice(1).split('/');
    let at = 1;
    const fault = isSecondary ? this.#secondary(first, at) : this.#primary(first, at);
    if (fault !== undefined) return fault;
    at += first.length + 1;
    for (const segment of segments) {
      const segmentFault = this.#secondary(segment, at);
      if (segmentFault !== undefined) return segmentFault;
      at += segment.length + 1;
    }
    this.#reading.parts = this.#parts;
    const { count } = this.#reading;
    if (count !== undefined && count !== 1) this.#reading.flags.push('count_in_symbol');
    return ok(this.#reading);
  }

  #primary(text: string, at: number): { ok: false; error: DecodeFault } | undefined {
    const [, lic = '', pcn = '', unit = ''] = /^([A-Z][A-Z0-9]{3})([A-Z0-9]{1,18})(\d)$/.exec(text) ?? [];
    if (lic === '') return refuse('bad_hibc', `${quoted(text)} is not a labeler, a product and a unit of measure.`);
    this.#reading.hibc = { lic, pcn, unitOfMeasure: Number(unit) };
    this.#part('labeler', lic, at);
    this.#part('product', pcn, at + lic.length);
    this.#part('unit of measure', unit, at + lic.length + pcn.length);
    return undefined;
  }

  #secondary(text: string, at: number): { ok: false; error: DecodeFault } | undefined {
    const [, tag = '', rest = ''] = /^(\$\$\+|\$\+|\$\$|\$|14D|16D|S|Q|(?=\d{5}))(.*)$/.exec(text) ?? [];
    const start = at + tag.length;
    if (tag === '$') return this.#set('lotNumber', 'lot', rest, start);
    if (tag === '$+' || tag === 'S') return this.#set('serialNumber', 'serial', rest, start);
    if (tag === '$$') return this.#counted(rest, start, 'lotNumber');
    if (tag === '$$+') return this.#counted(rest, start, 'serialNumber');
    if (tag === '14D') return this.#longDate('expirationDate', 'expiration', rest, start);
    if (tag === '16D') return this.#longDate('productionDate', 'production', rest, start);
    if (tag === 'Q') return this.#quantity(rest, start);
    if (/^\d{5}/.test(text)) return this.#dated(`5${text}`, at - 1, 'lotNumber');
    return refuse('bad_hibc', `${quoted(text)} is no part that a HIBC has.`);
  }

  /** After `$$`: a quantity of two or five digits, where there is one; then what has a date. */
  #counted(text: string, at: number, field: 'lotNumber' | 'serialNumber'): { ok: false; error: DecodeFault } | undefined {
    const digits = { 8: 2, 9: 5 }[text[0] ?? ''];
    if (digits === undefined) return this.#dated(text, at, field);
    const quantity = text.slice(1, 1 + digits);
    if (quantity.length < digits) return refuse('truncated', `The quantity ${quoted(quantity)} breaks off.`);
    return this.#quantity(quantity, at + 1) ?? this.#dated(text.slice(1 + digits), at + 1 + digits, field);
  }

  /** A date in the form that its first digit names, then the lot or the serial. */
  #dated(text: string, at: number, field: 'lotNumber' | 'serialNumber'): { ok: false; error: DecodeFault } | undefined {
    if (text === '') return undefined;
    const form = dateForms[text[0] ?? ''];
    if (form === undefined) return refuse('bad_date', `${quoted(text)} begins with no form of date that HIBC has.`);
    const dateText = text.slice(form.skip, form.skip + form.length);
    const date = dateText.length === form.length && /^\d*$/.test(dateText) ? form.read(dateText, this.#scanYear) : undefined;
    if (form.length > 0) {
      if (date === undefined) return refuse('bad_date', `${quoted(dateText)} is not a date of the calendar.`);
      const fault = this.#say('expirationDate', date, 'expiration', dateText, at + form.skip);
      if (fault !== undefined) return fault;
    }
    const rest = text.slice(form.skip + form.length);
    return rest === ''
      ? undefined
      : this.#set(field, field === 'lotNumber' ? 'lot' : 'serial', rest, at + form.skip + form.length);
  }

  #set(
    field: 'lotNumber' | 'serialNumber',
    source: string,
    text: string,
    at: number,
  ): { ok: false; error: DecodeFault } | undefined {
    if (!/^[A-Z0-9\-. $+%]{1,20}$/.test(text))
      return refuse(text === '' ? 'empty_element' : 'bad_hibc', `${quoted(text)} is not a ${source} of 1 to 20 characters.`);
    return this.#say(field, text, source, text, at);
  }

  #longDate(
    field: 'expirationDate' | 'productionDate',
    source: string,
    text: string,
    at: number,
  ): { ok: false; error: DecodeFault } | undefined {
    const [year, month, day] = [text.slice(0, 4), text.slice(4, 6), text.slice(6)].map(Number);
    if (!/^\d{8}$/.test(text) || !isCalendarDate(year ?? 0, month ?? 0, day ?? 0))
      return refuse('bad_date', `${quoted(text)} is not a date of the calendar.`);
    return this.#say(field, isoDate(year ?? 0, month ?? 0, day ?? 0), source, text, at);
  }

  #quantity(text: string, at: number): { ok: false; error: DecodeFault } | undefined {
    if (!/^\d{1,5}$/.test(text)) return refuse('bad_hibc', `${quoted(text)} is not a quantity.`);
    return this.#say('count', Number(text), 'quantity', text, at);
  }

  /** Notes what one part says. Said twice it must be the same: nobody knows which of two lots is the right one. */
  #say<F extends Said>(
    field: F,
    value: NonNullable<Reading[F]>,
    source: string,
    text: string,
    at: number,
  ): { ok: false; error: DecodeFault } | undefined {
    const before = this.#reading[field];
    if (before !== undefined && before !== value)
      return refuse('bad_hibc', `The ${source} stands twice: ${quoted(before)} and ${quoted(value)}.`);
    this.#reading[field] = value;
    this.#part(source, text, at);
    return undefined;
  }

  #part(what: string, text: string, at: number): void {
    this.#parts.push({ source: `HIBC ${what}`, text, at });
  }
}

interface DateForm {
  /** Digits that name the form. */
  readonly skip: number;
  readonly length: number;
  readonly read: (digits: string, scanYear: number) => string | undefined;
}

const monthYear: DateForm = {
  skip: 0,
  length: 4,
  read: (digits, scanYear) => {
    const [month, year] = [Number(digits.slice(0, 2)), fullYear(Number(digits.slice(2)), scanYear)];
    return month >= 1 && month <= 12 ? isoDate(year, month, lastDayOfMonth(year, month)) : undefined;
  },
};

/** By the first digit after `$$`. A month without a day ends on its last day, as GS1's day 00. */
const dateForms: Readonly<Record<string, DateForm>> = {
  0: monthYear,
  1: monthYear,
  2: { skip: 1, length: 6, read: (d, year) => dayOf(d.slice(4, 6), d.slice(0, 2), d.slice(2, 4), year) },
  3: { skip: 1, length: 6, read: (d, year) => dayOf(d.slice(0, 2), d.slice(2, 4), d.slice(4, 6), year) },
  4: {
    skip: 1,
    length: 8,
    read: (d, year) => (Number(d.slice(6)) < 24 ? dayOf(d.slice(0, 2), d.slice(2, 4), d.slice(4, 6), year) : undefined),
  },
  5: { skip: 1, length: 5, read: (d, year) => dayOfYear(d, year) },
  6: { skip: 1, length: 7, read: (d, year) => (Number(d.slice(5)) < 24 ? dayOfYear(d, year) : undefined) },
  7: { skip: 1, length: 0, read: () => undefined },
};

function dayOf(year: string, month: string, day: string, scanYear: number): string | undefined {
  const full = fullYear(Number(year), scanYear);
  return isCalendarDate(full, Number(month), Number(day)) ? isoDate(full, Number(month), Number(day)) : undefined;
}

/** `YYJJJ`: the day counted from 1 January. */
function dayOfYear(digits: string, scanYear: number): string | undefined {
  const year = fullYear(Number(digits.slice(0, 2)), scanYear);
  let day = Number(digits.slice(2, 5));
  for (let month = 1; month <= 12; month += 1) {
    const length = lastDayOfMonth(year, month);
    if (day >= 1 && day <= length) return isoDate(year, month, day);
    day -= length;
  }
  return undefined;
}

/**
 * GS1 element strings: application identifiers and values one after the other, as GS1 DataMatrix, GS1-128, GS1 QR and DataBar carry
 * them (General Specifications 7.8).
 *
 * In: text with 0x1D as the separator. Out: its elements, each of the right length, characters, check digit and date. Where a
 * separator is missing nothing is guessed: what is too long is refused.
 */
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../rejection.ts';
import { type ApplicationIdentifier, identifierAt } from './ai-table.ts';
import { hasCheckDigit } from './check-digit.ts';
import { gs1Date } from './gs1-date.ts';
import { type DecodeFault, type ReadingPart, refuse } from './reading.ts';

export const groupSeparator = '\u001d';

/** One element: the identifier, and its value as the text of a part. */
export interface Gs1Element extends ReadingPart {
  readonly ai: string;
}

export function readElementString(text: string, scanYear: number): Result<Gs1Element[], DecodeFault> {
  const elements: Gs1Element[] = [];
  let at = text.startsWith(groupSeparator) ? 1 : 0;
  if (at === text.length) return refuse('empty', 'The barcode is empty.');
  while (at < text.length) {
    if (text[at] === groupSeparator) return refuse('empty_element', 'Two separators stand together: an element is empty.');
    const identifier = identifierAt(text, at);
    if (identifier === undefined) return unknown(text, at);
    const start = at + identifier.ai.length;
    const end = endOf(text, start, identifier);
    const value = text.slice(start, end);
    const fault = checkValue(identifier, value, scanYear);
    if (fault !== undefined) return fault;
    elements.push({ source: identifier.source, ai: identifier.ai, text: value, at: start });
    at = text[end] === groupSeparator ? end + 1 : end;
  }
  return withoutRepeats(elements);
}

function endOf(text: string, start: number, { predefined, lengthMax }: ApplicationIdentifier): number {
  if (!predefined) {
    const separator = text.indexOf(groupSeparator, start);
    return separator === -1 ? text.length : separator;
  }
  // Not by `indexOf`, which would look through the rest of the text for every element.
  const full = Math.min(text.length, start + lengthMax);
  let end = start;
  while (end < full && text.charCodeAt(end) !== 0x1d) end += 1;
  return end;
}

/** Whether a value is one that its identifier can have. */
export function checkValue(
  identifier: ApplicationIdentifier,
  value: string,
  scanYear: number,
): { ok: false; error: DecodeFault } | undefined {
  const { ai, lengthMin, lengthMax, form, checkedLength, isDate } = identifier;
  if (value === '') return refuse('empty_element', `AI (${ai}) holds nothing.`);
  if (value.length > lengthMax) {
    if (value.includes(']')) return wrongCharacters(ai, value);
    return refuse(
      'ai_too_long',
      `AI (${ai}) holds ${value.length} characters, at most ${lengthMax} fit: a separator is missing, or it was misread.`,
    );
  }
  if (value.length < lengthMin)
    return refuse('truncated', `AI (${ai}) holds ${value.length} characters of ${lengthMin}: the read breaks off.`);
  if (!form.test(value)) return wrongCharacters(ai, value);
  if (checkedLength > 0 && !hasCheckDigit(value, checkedLength)) {
    return refuse('bad_check_digit', `The check digit of AI (${ai}) ${quoted(value)} is wrong: it was misread. Scan it again.`);
  }
  if (isDate && (gs1Date(value, scanYear, ai.length === 2) === undefined || (ai === '7003' && !isTime(value.slice(6))))) {
    return refuse('bad_date', `AI (${ai}) holds ${quoted(value)}, which is not a date of the calendar.`);
  }
  return undefined;
}

/** `hhmm` of a day. */
function isTime(digits: string): boolean {
  return digits < '2400' && digits.slice(2) < '60';
}

function wrongCharacters(ai: string, value: string): { ok: false; error: DecodeFault } {
  const glued = /\][A-Za-z][0-9]/.test(value) ? ' Two reads are glued together.' : '';
  return refuse('bad_charset', `AI (${ai}) holds ${quoted(value)}, with a character or length that it cannot have.${glued}`);
}

function unknown(text: string, at: number): { ok: false; error: DecodeFault } {
  const rest = text.slice(at, at + 4);
  if (/^\d?$/.test(text.slice(at))) return refuse('truncated', `The read breaks off after ${quoted(text.slice(0, at))}.`);
  return refuse('unknown_ai', `No GS1 application identifier begins with ${quoted(rest)}.`);
}

/** The same value twice is one; two values are a contradiction. */
export function withoutRepeats(elements: readonly Gs1Element[]): Result<Gs1Element[], DecodeFault> {
  const kept: Gs1Element[] = [];
  for (const element of elements) {
    const first = kept.find(({ ai }) => ai === element.ai);
    if (first === undefined) kept.push(element);
    else if (first.text !== element.text) {
      return refuse('repeated_ai', `AI (${element.ai}) stands twice: ${quoted(first.text)} and ${quoted(element.text)}.`);
    }
  }
  return ok(kept);
}

/**
 * JSON as a scanner may send it, read without losing anything.
 *
 * In: text. Out: its value, or its items where it is an array, each with its own text and its own fault. Refused, and not rounded
 * or merged as `JSON.parse` would: a number that binary floats cannot hold, a key that stands twice in one object, nesting
 * deeper than a scan can be. Syntax is left to the engine's own parser.
 */
import { ok, type Result } from '../base/result.ts';
import { looksLikePatientData } from './patient-data.ts';
import { printable, quoted, type Rejection, reject } from './rejection.ts';

export interface JsonItem {
  readonly value: unknown;
  /** The item as it was sent. */
  readonly text: string;
  readonly fault?: Rejection;
}

export interface JsonDocument {
  readonly isArray: boolean;
  /** The items of an array, or the one value. */
  readonly items: readonly JsonItem[];
}

const depthMax = 8;

const [space, quote, comma, minus, backslash] = [0x20, 0x22, 0x2c, 0x2d, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** One value; the first fault in it refuses it. */
export function readJson(text: string): Result<unknown, Rejection> {
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  const rejection = findFaults(text).find((span) => span.rejection !== undefined)?.rejection;
  const fault = rejection && gravest(rejection, text);
  return fault === undefined ? parsed : { ok: false, error: fault };
}

/** One value, or the items of an array, each with its own fault. */
export function readJsonDocument(text: string): Result<JsonDocument, Rejection> {
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  const spans = findFaults(text);
  const isArray = Array.isArray(parsed.value);
  const values: readonly unknown[] = isArray ? (parsed.value as unknown[]) : [parsed.value];
  const items = values.map((value, index): JsonItem => {
    const { start = 0, end = text.length, rejection } = spans[index] ?? {};
    const own = text.slice(start, end);
    return { value, text: own, ...(rejection !== undefined && { fault: gravest(rejection, own) }) };
  });
  return ok({ isArray, items });
}

const quotedByEngine = /, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON/s;

function parse(text: string): Result<unknown, Rejection> {
  if (isAbsurdlyDeep(text)) return { ok: false, error: tooDeep() };
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    // Without what the engine quotes of the text, which may be anybody's data.
    const why = error instanceof Error ? printable(error.message.replace(quotedByEngine, ''), 120) : 'it cannot be read';
    return reject('SG_JSON_INVALID', undefined, `This is not JSON: ${why}.`);
  }
}

/** Where one item lies, and the first thing that is wrong in it. */
interface ItemSpan {
  start: number;
  end: number;
  rejection: Rejection | undefined;
}

interface Frame {
  /** The keys so far, of an object. */
  readonly keys: Set<string> | undefined;
  expectsKey: boolean;
  key: string;
}

/** Walks valid JSON once, without recursion. */
function findFaults(text: string): ItemSpan[] {
  const isArray = /^\s*\[/.test(text);
  const frames: Frame[] = [];
  const spans: ItemSpan[] = [];
  let current: ItemSpan | undefined;
  for (let at = 0, end = 0; at < text.length; at = end) {
    const first = text.charCodeAt(at);
    end = tokenEnd(text, at, first);
    if (first <= space) continue;
    if (isArray && isBetweenItems(first, frames)) current = undefined;
    else {
      current ??= opened(spans, at);
      current.end = end;
      current.rejection ??= isTooDeep(first, frames, isArray) ? tooDeep() : faultOf(first, text, at, end, frames);
    }
    track(first, frames);
  }
  return spans;
}

function opened(spans: ItemSpan[], start: number): ItemSpan {
  const span = { start, end: start, rejection: undefined };
  spans.push(span);
  return span;
}

function isBetweenItems(first: number, frames: readonly Frame[]): boolean {
  return frames.length === 0 || (frames.length === 1 && (first === comma || first === closeBracket));
}

/** The end of the token that begins here: text, a number or word, or one character. */
function tokenEnd(text: string, at: number, first: number): number {
  if (first === quote) return textEnd(text, at);
  let end = at + 1;
  if (isWordCharacter(first)) while (isWordCharacter(text.charCodeAt(end))) end += 1;
  return end;
}

function textEnd(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
  return slashes % 2 === 1;
}

/** Of numbers and of true, false and null: `+ - .`, digits, letters. */
function isWordCharacter(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === minus ||
    code === 0x2e ||
    code === 0x2b ||
    code === 0x45
  );
}

function faultOf(first: number, text: string, at: number, end: number, frames: readonly Frame[]): Rejection | undefined {
  const frame = frames.at(-1);
  if (first === quote && frame?.keys !== undefined && frame.expectsKey) {
    frame.key = String(JSON.parse(text.slice(at, end)));
    if (frame.keys.has(frame.key)) return repeatedKey(frames);
    frame.keys.add(frame.key);
  }
  const isNumber = first === minus || (first >= 0x30 && first <= 0x39);
  return isNumber && !isExact(text.slice(at, end)) ? inexactNumber(text.slice(at, end), frames) : undefined;
}

/**
 * Patient data is the gravest fault. A repeated key can hide it: the engine keeps the last value of such a key, and with it the text of
 * the first would be kept as evidence.
 */
function gravest(rejection: Rejection, text: string): Rejection {
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = tokenEnd(text, at, text.charCodeAt(at));
    if (text.charCodeAt(at) !== quote || !/^\s*:/.test(text.slice(end, end + 64))) continue;
    const key = String(JSON.parse(text.slice(at, end)));
    if (looksLikePatientData(key)) {
      return {
        code: 'SG_PATIENT_DATA',
        field: printable(key, 80),
        message: `The field ${quoted(key)} looks like patient data, which ScanGate does not keep. Send an opaque reference.`,
      };
    }
  }
  return rejection;
}

/** The array that holds the items does not count. */
function isTooDeep(first: number, frames: readonly Frame[], isArray: boolean): boolean {
  return (first === openBrace || first === openBracket) && frames.length >= depthMax + (isArray ? 1 : 0);
}

function track(first: number, frames: Frame[]): void {
  if (first === openBrace) frames.push({ keys: new Set(), expectsKey: true, key: '' });
  else if (first === openBracket) frames.push({ keys: undefined, expectsKey: false, key: '' });
  else if (first === closeBrace || first === closeBracket) frames.pop();
  else {
    const frame = frames.at(-1);
    if (frame?.keys !== undefined) frame.expectsKey = first === comma;
  }
}

/** Whether brackets outside of text go so deep that parsing them would cost more than they are worth. */
function isAbsurdlyDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = textEnd(text, at) - 1;
    else if (code === openBrace || code === openBracket) depth += 1;
    else if (code === closeBrace || code === closeBracket) depth -= 1;
    if (depth > 8 * depthMax) return true;
  }
  return false;
}

function tooDeep(): Rejection {
  return { code: 'SG_ITEM_TOO_DEEP', message: `JSON is nested deeper than ${depthMax} levels; a scan is flat.` };
}

function repeatedKey(frames: readonly Frame[]): Rejection {
  const field = pathOf(frames);
  return { code: 'SG_KEY_REPEATED', field, message: `The key ${quoted(field)} stands twice in one object. Send it once.` };
}

function inexactNumber(text: string, frames: readonly Frame[]): Rejection {
  const field = pathOf(frames);
  return {
    code: 'SG_NUMBER_INEXACT',
    field,
    message: `The number ${quoted(text)} in ${quoted(field)} would be rounded. Send it as text, in quotation marks.`,
  };
}

function pathOf(frames: readonly Frame[]): string {
  const keys = frames.filter(({ keys }) => keys !== undefined).map(({ key }) => key);
  return printable(keys.join('.'), 80);
}

/** Whether a binary float holds this decimal and gives it back: up to 15 significant digits, or an integer within 2^53. */
function isExact(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return false;
  if (value !== 0 && text.length <= 15) return true;
  const digits = text.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
  if (value === 0) return digits === '';
  return digits.length <= 15 || (/^-?\d+$/.test(text) && Number.isSafeInteger(value));
}

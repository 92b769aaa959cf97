/**
 * GS1 Digital Link URIs (GS1 Digital Link Standard: URI Syntax 1.4): a key and its qualifiers in the path, other identifiers in the
 * query. Each is percent-decoded exactly once, and checked as in an element string.
 */
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../rejection.ts';
import { applicationIdentifiers } from './ai-table.ts';
import { checkValue, type Gs1Element, withoutRepeats } from './element-string.ts';
import { type DecodeFault, refuse } from './reading.ts';

/** The order in which qualifiers of a GTIN may stand; any may be left out. */
const qualifierOrder = ['22', '10', '21', '235'];

/** What GS1 names itself, and the names under which others serve it, are both Digital Links: the path decides. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

export interface DigitalLink {
  readonly elements: readonly Gs1Element[];
  readonly zeroSuppressed: boolean;
}

export function readDigitalLink(text: string, scanYear: number): Result<DigitalLink, DecodeFault> {
  const address = /^(https?:\/\/[^/?#]+)([^?#]*)(?:\?([^#]*))?/i.exec(text);
  const [, host = '', path = '', query = ''] = address ?? [];
  const segments = path.split('/').slice(1);
  const keyAt = segments.findIndex((segment, index) => segment === '01' && segments[index + 1] !== undefined);
  if (keyAt === -1)
    return refuse('not_digital_link', `${quoted(text)} is a web address that names no product: it has no /01/ with a GTIN.`);
  const stem = segments.slice(0, keyAt);
  if (stem.some((segment, index) => qualifierOrder.includes(segment) && index === keyAt - 2)) {
    return refuse('bad_qualifier_order', 'A qualifier stands before the GTIN; it belongs after it.');
  }
  const keyStart = host.length + stem.reduce((length, segment) => length + segment.length + 1, 1);
  const pairs = pairsOf(segments.slice(keyAt), keyStart, text);
  if (!pairs.ok) return pairs;
  const [key, ...qualifiers] = pairs.value;
  const order = qualifiers.map(({ ai }) => qualifierOrder.indexOf(ai));
  if (order.some((rank, index) => rank === -1 || rank <= (order[index - 1] ?? -1))) {
    return refuse(
      'bad_qualifier_order',
      `The qualifiers ${qualifiers.map(({ ai }) => ai).join(', ')} are not in the order 22, 10, 21.`,
    );
  }
  const attributes = attributesOf(query, host.length + path.length + 1);
  if (!attributes.ok) return attributes;
  const gtin = key?.text ?? '';
  const zeroSuppressed = /^(?:\d{8}|\d{12}|\d{13})$/.test(gtin);
  const padded = { source: 'AI 01', ai: '01', at: key?.at ?? 0, text: zeroSuppressed ? gtin.padStart(14, '0') : gtin };
  return check([padded, ...qualifiers, ...attributes.value], zeroSuppressed, scanYear);
}

function check(elements: readonly Gs1Element[], zeroSuppressed: boolean, scanYear: number): Result<DigitalLink, DecodeFault> {
  for (const { ai, text } of elements) {
    const identifier = applicationIdentifiers().get(ai);
    const fault = identifier && checkValue(identifier, text, scanYear);
    if (fault !== undefined) return fault;
  }
  const once = withoutRepeats(elements);
  return once.ok ? ok({ elements: once.value, zeroSuppressed }) : once;
}

/** @param start where the first segment begins in the text. */
function pairsOf(segments: readonly string[], start: number, text: string): Result<Gs1Element[], DecodeFault> {
  const trimmed = segments.at(-1) === '' ? segments.slice(0, -1) : segments;
  if (trimmed.length % 2 !== 0)
    return refuse('not_digital_link', `The path of ${quoted(text)} ends in the middle of an identifier and its value.`);
  const elements: Gs1Element[] = [];
  let at = start;
  for (let index = 0; index < trimmed.length; index += 2) {
    const [ai = '', raw = ''] = trimmed.slice(index, index + 2);
    const value = decoded(raw);
    if (value === undefined) return refuse('bad_escape', `${quoted(raw)} has a broken percent escape.`);
    elements.push({ source: `AI ${ai}`, ai, text: value, at: at + ai.length + 1 });
    at += ai.length + raw.length + 2;
  }
  return ok(elements);
}

/**
 * Of the query, what is an identifier; `linkType` and whatever else a resolver understands is not ours.
 *
 * @param start where the query begins in the text.
 */
function attributesOf(query: string, start: number): Result<Gs1Element[], DecodeFault> {
  const elements: Gs1Element[] = [];
  let end = start - 1;
  for (const pair of query.split(/[&;]/)) {
    const at = end + 1;
    end = at + pair.length;
    const [key = ''] = pair.split('=', 1);
    if (!/^\d{2,4}$/.test(key)) continue;
    const raw = pair.slice(key.length + 1);
    if (!applicationIdentifiers().has(key))
      return refuse('unknown_ai', `${quoted(key)} in the query is not a GS1 application identifier.`);
    const value = decoded(raw);
    if (value === undefined) return refuse('bad_escape', `${quoted(raw)} has a broken percent escape.`);
    elements.push({ source: `AI ${key}`, ai: key, text: value, at: at + key.length + 1 });
  }
  return ok(elements);
}

function decoded(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

/**
 * From what a scanner sent to what it says. Pure and deterministic: the year of the scan decides centuries, never a clock.
 *
 * In: text or bytes, the profile of the scanner, the year of the scan, a product directory if there is one. Out: a reading, with every
 * part and where it stood; or the first reason why there is none. Never an exception, and never a field that the input does not hold.
 */

import type { Result } from '../../base/result.ts';
import type { Ndc10Directory } from '../ndc.ts';
import { quoted } from '../rejection.ts';
import { scientificNumber } from '../scientific-number.ts';
import { isBracketed, readBracketed } from './bracketed.ts';
import { type CleanedRead, cleanRead } from './clean.ts';
import { isWebAddress, readDigitalLink } from './digital-link.ts';
import { type Gs1Element, readElementString } from './element-string.ts';
import { readEightDigits, readGtin } from './gtin.ts';
import { readHibc, withSpaceCheck } from './hibc.ts';
import { interpretElements, withProduct } from './interpret.ts';
import type { ScannerProfile } from './profile.ts';
import { type Carrier, type DecodeFault, newReading, type Reading, refuse } from './reading.ts';
import { looksUnseparated } from './suspicion.ts';
import type { Symbology } from './symbology.ts';

export interface DecodeContext {
  /** The year in which the scan was made. */
  readonly scanYear: number;
  readonly profile?: ScannerProfile;
  readonly directory?: Ndc10Directory;
}

const nothingKnown: Ndc10Directory = () => undefined;
const noProfile: ScannerProfile = {};

export function decodeBarcode(raw: string | Uint8Array, context: DecodeContext): Result<Reading, DecodeFault> {
  const text = typeof raw === 'string' ? raw : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1');
  const cleaned = cleanRead(text, context.profile ?? noProfile);
  if (!cleaned.ok) return cleaned;
  const { symbology, repaired } = cleaned.value;
  const reading = readClean(cleaned.value, context);
  if (!reading.ok) return reading;
  reading.value.symbology = symbology;
  if (repaired) reading.value.flags.push('label_repaired');
  return reading;
}

function readClean(read: CleanedRead, context: DecodeContext): Result<Reading, DecodeFault> {
  const { text, symbology } = read;
  if (symbology?.content === 'gs1') return isBracketed(text) ? readLabel(text, context) : readElements(text, context);
  if (symbology?.content === 'ean') return readEan(text, symbology, context);
  return readPlain(read, context);
}

/** What says nothing of its own kind: recognised by its form. */
function readPlain({ text, symbology, spaceBehind }: CleanedRead, context: DecodeContext): Result<Reading, DecodeFault> {
  const starred = /^\*([^*]+)\*$/.exec(text)?.[1];
  if (starred !== undefined) return readStarred(starred, context);
  if (isWebAddress(text)) return readLink(text, context);
  if (isBracketed(text)) return readLabel(text, context);
  if (text.startsWith('+')) return readHibc(spaceBehind ? withSpaceCheck(text) : text, context.scanYear);
  const code = readCode(text, symbology !== undefined, context);
  if (code !== undefined) return code;
  const elements = readElements(text, context);
  if (elements.ok && symbology !== undefined) elements.value.flags.push('not_gs1_symbology');
  return elements;
}

/** Code 39 as its printed text: a star before and behind. */
function readStarred(text: string, context: DecodeContext): Result<Reading, DecodeFault> {
  const reading = text.startsWith('+') ? readHibc(text, context.scanYear) : readCode(text, true, context);
  if (reading === undefined) return refuse('unknown_carrier', `${quoted(text)} between stars is not a product code.`);
  if (reading.ok) reading.value.parts = reading.value.parts.map((part) => ({ ...part, at: part.at + 1 }));
  return reading;
}

/**
 * A bare GTIN or NDC, or nothing where the text is neither.
 *
 * @param isNoUpc the symbol cannot be a UPC-A without its check digit, so that eleven digits are an NDC.
 */
function readCode(text: string, isNoUpc: boolean, context: DecodeContext): Result<Reading, DecodeFault> | undefined {
  if (/^\d+$/.test(text)) return readDigits(text, isNoUpc, context);
  if (scientificNumber.test(text)) return fromGtin(readGtin(text), text, context);
  return /^[\d*]{4,6}-[\d*]{3,5}(?:-\d{1,2})?$/.test(text) ? readBareNdc(text, context) : undefined;
}

function readDigits(text: string, isNoUpc: boolean, context: DecodeContext): Result<Reading, DecodeFault> | undefined {
  const { eightDigits } = context.profile ?? noProfile;
  const { length } = text;
  if (length > 14) return undefined;
  if (length >= 12) return readBareGtin(text, context);
  if (length === 10 || (length === 11 && (isNoUpc || text.startsWith('0')))) return readBareNdc(text, context);
  if (length === 8 && eightDigits !== undefined) return fromGtin(readEightDigits(text, eightDigits), text, context);
  return refuseLength(text);
}

function refuseLength(text: string): { ok: false; error: DecodeFault } {
  const advice = 'Let the scanner send check digits and symbology identifiers.';
  return refuse(
    'wrong_length',
    `${quoted(text)} has ${text.length} digits: it is no product code, or it fits several. ${advice}`,
  );
}

function readEan(text: string, { id }: Symbology, context: DecodeContext): Result<Reading, DecodeFault> {
  if (!/^\d{8}$/.test(text)) return fromGtin(readGtin(text), text, context);
  return fromGtin(readEightDigits(text, id === ']E4' ? 'gtin8' : 'upce'), text, context);
}

function readBareGtin(text: string, context: DecodeContext): Result<Reading, DecodeFault> {
  const gtin = readGtin(text);
  if (gtin.ok || !text.startsWith('01') || gtin.error.reason !== 'bad_check_digit') return fromGtin(gtin, text, context);
  return refuse('truncated', `${quoted(text)} is no GTIN, and as AI (01) it breaks off. Scan it again.`);
}

function fromGtin(gtin: Result<string, DecodeFault>, text: string, { directory }: DecodeContext): Result<Reading, DecodeFault> {
  if (!gtin.ok) return gtin;
  const reading = newReading('gtin');
  reading.parts = [{ source: 'GTIN', text, at: 0 }];
  reading.gtin14 = gtin.value;
  return withProduct(reading, undefined, directory ?? nothingKnown);
}

function readBareNdc(text: string, { directory }: DecodeContext): Result<Reading, DecodeFault> {
  const reading = newReading('ndc');
  reading.parts = [{ source: 'NDC', text, at: 0 }];
  return withProduct(reading, text, directory ?? nothingKnown);
}

function readElements(text: string, context: DecodeContext): Result<Reading, DecodeFault> {
  const elements = readElementString(text, context.scanYear);
  if (!elements.ok) return elements;
  const reading = interpret('gs1_element_string', elements.value, context);
  if (reading.ok && looksUnseparated(elements.value, context.scanYear)) reading.value.flags.push('possible_missing_separator');
  return reading;
}

function readLabel(text: string, context: DecodeContext): Result<Reading, DecodeFault> {
  const elements = readBracketed(text, context.scanYear);
  return elements.ok ? interpret('gs1_bracketed', elements.value, context) : elements;
}

function readLink(text: string, context: DecodeContext): Result<Reading, DecodeFault> {
  const link = readDigitalLink(text, context.scanYear);
  if (!link.ok) return link;
  const reading = interpret('gs1_digital_link', link.value.elements, context);
  if (reading.ok && link.value.zeroSuppressed) reading.value.flags.push('zero_suppressed_gtin');
  return reading;
}

function interpret(
  carrier: Carrier,
  elements: readonly Gs1Element[],
  { scanYear, directory }: DecodeContext,
): Result<Reading, DecodeFault> {
  return interpretElements(carrier, elements, { scanYear, directory: directory ?? nothingKnown });
}

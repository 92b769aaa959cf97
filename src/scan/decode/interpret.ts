/** From the elements of a barcode to what they say. */
import { ok, type Result } from '../../base/result.ts';
import { type Ndc10Directory, ndc10Candidates, readNdc, readNdc10, shortForms } from '../ndc.ts';
import { quoted } from '../rejection.ts';
import type { Gs1Element } from './element-string.ts';
import { gs1Date } from './gs1-date.ts';
import { ndc10InGtin } from './gtin.ts';
import { type Carrier, type DecodeFault, newReading, type Reading, refuse } from './reading.ts';

export interface Interpreting {
  readonly scanYear: number;
  readonly directory: Ndc10Directory;
}

export function interpretElements(
  carrier: Carrier,
  elements: readonly Gs1Element[],
  context: Interpreting,
): Result<Reading, DecodeFault> {
  const reading = newReading(carrier);
  reading.parts = elements;
  let ndc: string | undefined;
  for (const { ai, text } of elements) {
    if (ai === '715') ndc = text;
    else say(reading, ai, text, context.scanYear);
  }
  if (reading.count !== undefined && reading.count !== 1) reading.flags.push('count_in_symbol');
  return withProduct(reading, ndc, context.directory, 'one_symbol');
}

/** Notes what one element says. Those that say nothing of the product or its dates are parts of the reading, and no more. */
function say(reading: Reading, ai: string, text: string, scanYear: number): void {
  switch (ai) {
    case '00':
      reading.sscc = text;
      break;
    case '01':
      reading.gtin14 = text;
      break;
    case '10':
      reading.lotNumber = text;
      break;
    case '11':
      reading.productionDate = gs1Date(text, scanYear, true);
      break;
    case '15':
      reading.bestBeforeDate = gs1Date(text, scanYear, true);
      break;
    case '17':
      // AI 7003 says the day and the hour as well.
      if (reading.expirationTime === undefined) reading.expirationDate = gs1Date(text, scanYear, true);
      break;
    case '21':
      reading.serialNumber = text;
      break;
    case '30':
      reading.count = Number(text);
      break;
    case '7003':
      reading.expirationDate = gs1Date(text, scanYear, false);
      reading.expirationTime = `${text.slice(6, 8)}:${text.slice(8, 10)}`;
      break;
  }
}

/**
 * Adds the NDC of the GTIN, of the text beside it (AI 715), or of both when they agree. A GTIN that holds no NDC is that of any NDC
 * which its own symbol names, and of none that was sent in another field.
 */
export function withProduct(
  reading: Reading,
  ndcText: string | undefined,
  directory: Ndc10Directory,
  source: 'one_symbol' | 'two_fields' = 'two_fields',
): Result<Reading, DecodeFault> {
  const { gtin14 } = reading;
  if (gtin14 !== undefined && /^0+$/.test(gtin14)) {
    return refuse('placeholder_gtin', `${quoted(gtin14)} is a placeholder, not a GTIN.`);
  }
  if (gtin14 !== undefined) {
    reading.packagingIndicator = gtin14.charCodeAt(0) - 0x30;
    if (reading.packagingIndicator !== 0) reading.flags.push('packaging_level');
  }
  const ndc10 = gtin14 === undefined ? undefined : ndc10InGtin(gtin14);
  if (ndcText !== undefined) {
    const isUnrelated = gtin14 !== undefined && ndc10 === undefined && source === 'two_fields';
    return withNdc(reading, ndcText, isUnrelated ? '' : ndc10, directory);
  }
  if (ndc10 !== undefined) inferNdc(reading, ndc10);
  return ok(reading);
}

/** An NDC that was written out: it must be one, and that of the ten digits in the GTIN beside it, where there are any. */
function withNdc(
  reading: Reading,
  ndcText: string,
  ndc10: string | undefined,
  directory: Ndc10Directory,
): Result<Reading, DecodeFault> {
  const ndc = readNdc(ndcText, directory);
  if (!ndc.ok) return ndc;
  const { ndc11, ndc12 } = ndc.value;
  const { gtin14 } = reading;
  if (ndc10 !== undefined && !shortForms(ndc11 ?? '').includes(ndc10)) {
    return refuse(
      'contradiction',
      `The NDC ${quoted(ndcText)} is not that of GTIN ${quoted(gtin14 ?? '')}. Send the one that was scanned.`,
    );
  }
  reading.ndc11 = ndc11;
  reading.ndc12 = ndc12;
  return ok(reading);
}

/**
 * The NDC inside a GTIN, as far as its ten digits leave no doubt. A directory is not asked: what is committed under the GTIN today must be
 * the same tomorrow, when a directory knows more.
 */
function inferNdc(reading: Reading, ndc10: string): void {
  const ndc = readNdc10(ndc10, () => undefined);
  if (ndc.ok) {
    reading.ndc11 = ndc.value.ndc11;
    reading.ndc12 = ndc.value.ndc12;
  } else reading.ndc11Candidates = ndc10Candidates(ndc10);
}

/**
 * What was scanned: an NDC, a GTIN, or both when they name one package.
 *
 * In: the text of `ndc` and `gtin`. Out: the product, and the one text that stands for it in every identity: the NDC in
 * eleven digits when it is known, else the GTIN in fourteen. A case or carton (GTIN indicator 1 to 9) is its GTIN, never
 * the NDC of the unit inside. Refused: everything that fits two products; nothing is guessed.
 */
import { ok, type Result } from '../base/result.ts';
import { quoted, type Rejection, reject } from './rejection.ts';
import { normaliseText } from './text.ts';

export interface Product {
  /** 5-4-2 without hyphens. */
  readonly ndc11?: string;
  /** GTIN-12 and GTIN-13 padded on the left. */
  readonly gtin14?: string;
}

const scientific = /^\d+(?:[.,]\d*)?e[+-]?\d+$/i;
const digitsOnly = /^\d+$/;

export function parseProduct(fields: { ndc?: string; gtin?: string }): Result<Product, Rejection> {
  if (fields.ndc === undefined && fields.gtin === undefined) {
    return reject('SG_PRODUCT_MISSING', 'ndc', 'The scan names no product. Send an ndc or a gtin.');
  }
  const ndc = fields.ndc === undefined ? ok(undefined) : parseNdc(fields.ndc);
  if (!ndc.ok) return ndc;
  const gtin = fields.gtin === undefined ? ok(undefined) : parseGtin(fields.gtin);
  if (!gtin.ok) return gtin;
  return combine(ndc.value, gtin.value);
}

/** The text of the product in identity and claim key. */
export function productText(product: Product): string {
  const text = product.ndc11 ?? product.gtin14;
  if (text === undefined) throw new TypeError('A product has an NDC or a GTIN.');
  return text;
}

function combine(ndc11: string | undefined, gtin14: string | undefined): Result<Product, Rejection> {
  if (gtin14 === undefined) return ok(ndc11 === undefined ? {} : { ndc11 });
  const ndc10 = ndc10Of(gtin14);
  if (ndc11 !== undefined && (ndc10 === undefined || !shortForms(ndc11).includes(ndc10))) {
    return reject(
      'SG_FIELDS_DISAGREE',
      'gtin',
      `gtin ${gtin14} is not a package of ndc ${ndc11}. Send the one that was scanned.`,
    );
  }
  if (gtin14[0] !== '0') return ok({ gtin14 });
  const known = ndc11 ?? (ndc10 === undefined ? undefined : ndc11Of(ndc10));
  return ok(known === undefined ? { gtin14 } : { ndc11: known, gtin14 });
}

/** 4-4-2, 5-3-2, 5-4-1 and 5-4-2 with hyphens, or eleven digits. */
export function parseNdc(raw: string): Result<string, Rejection> {
  const text = normaliseText(raw);
  if (text === '') return reject('SG_FIELD_EMPTY', 'ndc', 'ndc is empty. Give a value, or leave the field out.');
  if (scientific.test(text) || /^\d{5,9}$/.test(text)) {
    const what = scientific.test(text) ? 'its last digits are gone' : 'its leading zeros are gone';
    return reject('SG_SPREADSHEET_DAMAGE', 'ndc', `ndc is ${quoted(text)}: damaged by a spreadsheet, ${what}.`);
  }
  if (/^\d{11}$/.test(text)) return ok(text);
  if (/^\d{10}$/.test(text)) {
    return reject(
      'SG_NDC_AMBIGUOUS',
      'ndc',
      `ndc is ${quoted(text)}: ten digits fit up to three products. Send the hyphens, or eleven digits.`,
    );
  }
  const parts = /^(\d{4,5})-(\d{3,4})-(\d{1,2})$/.exec(text);
  const [, labeler = '', product = '', pack = ''] = parts ?? [];
  const shape = `${labeler.length}-${product.length}-${pack.length}`;
  if (!['4-4-2', '5-3-2', '5-4-1', '5-4-2'].includes(shape)) {
    return reject(
      'SG_NDC_INVALID',
      'ndc',
      `ndc is ${quoted(text)}, which is not 4-4-2, 5-3-2, 5-4-1 or 5-4-2 with hyphens, nor eleven digits.`,
    );
  }
  return ok(labeler.padStart(5, '0') + product.padStart(4, '0') + pack.padStart(2, '0'));
}

/** GTIN-12, GTIN-13 or GTIN-14 with its check digit. */
export function parseGtin(raw: string): Result<string, Rejection> {
  const text = normaliseText(raw);
  if (text === '') return reject('SG_FIELD_EMPTY', 'gtin', 'gtin is empty. Give a value, or leave the field out.');
  if (scientific.test(text)) {
    return reject(
      'SG_SPREADSHEET_DAMAGE',
      'gtin',
      `gtin is ${quoted(text)}: damaged by a spreadsheet, its last digits are gone.`,
    );
  }
  if (!digitsOnly.test(text) || text.length < 12 || text.length > 14) {
    return reject('SG_GTIN_INVALID', 'gtin', `gtin is ${quoted(text)}, which is not 12, 13 or 14 digits.`);
  }
  const gtin14 = text.padStart(14, '0');
  if (!hasCheckDigit(gtin14)) {
    return reject('SG_CHECK_DIGIT', 'gtin', `The check digit of gtin ${quoted(text)} is wrong: it was misread. Scan it again.`);
  }
  return ok(gtin14);
}

/** GS1 General Specifications, 7.9: weights 3 and 1 from the right, modulo 10. */
function hasCheckDigit(gtin14: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...gtin14].entries()) sum += Number(digit) * (index % 2 === 0 ? 3 : 1);
  return sum % 10 === 0;
}

/** The ten digits of the NDC in a GTIN of the US drug prefix 03, which does not say where the hyphens are. */
function ndc10Of(gtin14: string): string | undefined {
  return gtin14.slice(1, 3) === '03' ? gtin14.slice(3, 13) : undefined;
}

/** Ten digits that begin with 0 are 4-4-2: no five-digit labeler begins with 0 (FDA NDC directory). Others are undecidable here. */
function ndc11Of(ndc10: string): string | undefined {
  return ndc10.startsWith('0') ? `0${ndc10}` : undefined;
}

/** The ten-digit forms that an NDC-11 can have come from: one padding zero fewer. */
function shortForms(ndc11: string): string[] {
  return [0, 5, 9].filter((at) => ndc11[at] === '0').map((at) => ndc11.slice(0, at) + ndc11.slice(at + 1));
}

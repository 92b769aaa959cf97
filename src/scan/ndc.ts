/**
 * National Drug Codes in all their spellings.
 *
 * In: text. Out: the NDC in eleven digits (5-4-2), in twelve (6-4-2, 21 CFR 207 as of 2033-03-07), or in ten whose hyphens nobody
 * can know. Refused: everything that is not the NDC of a package. Nothing is guessed.
 */

import { ok, type Result } from '../base/result.ts';
import { hasCheckDigit } from './decode/check-digit.ts';
import { type DecodeFault, refuse } from './decode/reading.ts';
import { quoted } from './rejection.ts';
import { scientificNumber } from './scientific-number.ts';

export interface Ndc {
  /** Absent for a labeler of six digits, which has no form of eleven. */
  readonly ndc11?: string;
  readonly ndc12: string;
}

/** Finds the NDC-11 that ten digits stand for: a product directory. */
export type Ndc10Directory = (ndc10: string) => string | undefined;

const nothingKnown: Ndc10Directory = () => undefined;
const shapes = new Set(['4-4-2', '5-3-2', '5-4-1', '5-4-2', '6-4-2']);
const dashes = /[\u2010-\u2015\u2212]/g;

export function readNdc(raw: string, directory: Ndc10Directory = nothingKnown): Result<Ndc, DecodeFault> {
  const text = raw.replace(dashes, '-').replace(/^ndc[\s:#]*/i, '');
  if (scientificNumber.test(text)) {
    return refuse('ndc_must_be_string', `${quoted(text)} was damaged by a spreadsheet: its last digits are gone.`);
  }
  if (/^[0*-]+$/.test(text)) return refuse('placeholder_ndc', `${quoted(text)} is a placeholder, not an NDC.`);
  if (/^\d{11}$/.test(text)) return ok(ndcOf11(text));
  if (/^\d{12}$/.test(text)) return readNdc12(text);
  if (/^\d{10}$/.test(text)) return readNdc10(text, directory);
  if (/^\d{5,9}$/.test(text)) {
    return refuse(
      'ndc_must_be_string',
      `${quoted(text)} has ${text.length} digits: damaged by a spreadsheet, its leading zeros are gone.`,
    );
  }
  return readHyphenated(text);
}

/** Twelve digits are 6-4-2, but for those of a UPC-A that holds an NDC of ten, which begin with 3 and end in a check digit. */
function readNdc12(text: string): Result<Ndc, DecodeFault> {
  if (!text.startsWith('3') || !hasCheckDigit(text)) return ok(ndcOf12(text));
  return refuse('bad_ndc_format', `${quoted(text)} is a UPC-A, not an NDC. Send it as gtin or as barcode.`);
}

/** Ten digits without hyphens. Those that begin with 0 are 4-4-2: no labeler of five digits begins with 0 (FDA's directory). */
export function readNdc10(ndc10: string, directory: Ndc10Directory): Result<Ndc, DecodeFault> {
  const known = ndc10.startsWith('0') ? `0${ndc10}` : directory(ndc10);
  if (known !== undefined) return ok(ndcOf11(known));
  const candidates = ndc10Candidates(ndc10);
  return refuse(
    'ndc10_format_unknown',
    `${quoted(ndc10)} fits ${candidates.join(' and ')}. Send the hyphens or eleven digits, or load a product directory.`,
    candidates,
  );
}

/** 5-3-2 and 5-4-1 of ten digits. */
export function ndc10Candidates(ndc10: string): string[] {
  if (ndc10.startsWith('0')) return [`0${ndc10}`];
  return [`${ndc10.slice(0, 5)}0${ndc10.slice(5)}`, `${ndc10.slice(0, 9)}0${ndc10.slice(9)}`];
}

/** The forms of ten digits that an NDC-11 can have come from: one padding zero fewer. A labeler that begins with 0 has four digits. */
export function shortForms(ndc11: string): string[] {
  if (ndc11.startsWith('0')) return [ndc11.slice(1)];
  return [5, 9].filter((at) => ndc11[at] === '0').map((at) => ndc11.slice(0, at) + ndc11.slice(at + 1));
}

export function ndcOf11(ndc11: string): Ndc {
  return { ndc11, ndc12: `0${ndc11}` };
}

function ndcOf12(ndc12: string): Ndc {
  return ndc12.startsWith('0') ? { ndc11: ndc12.slice(1), ndc12 } : { ndc12 };
}

function readHyphenated(text: string): Result<Ndc, DecodeFault> {
  // FDA's older lists pad the one segment that is short to 5-4-2 with an asterisk.
  const isPadded = /^(?:\*\d{4}-\d{4}-\d\d|\d{5}-\*\d{3}-\d\d|\d{5}-\d{4}-\*\d)$/.test(text);
  const segments = (isPadded ? text.replace('*', '0') : text).split('-');
  const [labeler = '', product = '', pack = ''] = segments;
  if (segments.length === 2 && /^\d{4,6}$/.test(labeler) && /^\d{3,4}$/.test(product)) {
    return refuse('not_a_package_ndc', `${quoted(text)} names a product, not a package: its last segment is missing.`);
  }
  const digits = segments.length === 3 && segments.every((segment) => /^\d+$/.test(segment));
  if (!digits || !shapes.has(segments.map(({ length }) => length).join('-'))) {
    return refuse(
      'bad_ndc_format',
      `${quoted(text)} is not 4-4-2, 5-3-2, 5-4-1, 5-4-2 or 6-4-2 with hyphens, nor eleven or twelve digits.`,
    );
  }
  return ok(ndcOf12(labeler.padStart(6, '0') + product.padStart(4, '0') + pack.padStart(2, '0')));
}

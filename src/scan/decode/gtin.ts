/**
 * GTINs, bare or in EAN/UPC and ITF symbols, and the NDC inside those of the US drug prefix.
 *
 * In: digits. Out: fourteen digits whose check digit is right.
 */

import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../rejection.ts';
import { scientificNumber } from '../scientific-number.ts';
import { hasCheckDigit } from './check-digit.ts';
import { type DecodeFault, refuse } from './reading.ts';

export function readGtin(text: string): Result<string, DecodeFault> {
  if (scientificNumber.test(text)) {
    return refuse('not_a_string_identifier', `${quoted(text)} was damaged by a spreadsheet: its last digits are gone.`);
  }
  if (!/^\d{12,14}$/.test(text)) return refuse('wrong_length', `${quoted(text)} is not 12, 13 or 14 digits.`);
  return checked(text.padStart(14, '0'), text);
}

/** Eight digits of an EAN-8 symbol, or of a UPC-E symbol, which is expanded and not padded. */
export function readEightDigits(text: string, as: 'gtin8' | 'upce'): Result<string, DecodeFault> {
  const digits = as === 'upce' ? expandUpcE(text) : text;
  if (digits === undefined) return refuse('wrong_length', `${quoted(text)} is not a UPC-E: its number system is not 0 or 1.`);
  return checked(digits.padStart(14, '0'), text);
}

function checked(gtin14: string, text: string): Result<string, DecodeFault> {
  if (/^0+$/.test(gtin14)) return refuse('placeholder_gtin', `${quoted(text)} is a placeholder, not a GTIN.`);
  if (hasCheckDigit(gtin14)) return ok(gtin14);
  return refuse('bad_check_digit', `The check digit of ${quoted(text)} is wrong: it was misread. Scan it again.`);
}

/** GS1 General Specifications 5.2.2.4.2: the last of the six digits says where the zeros were. */
function expandUpcE(text: string): string | undefined {
  const [, system = '', body = '', last = '', check = ''] = /^([01])(\d{5})(\d)(\d)$/.exec(text) ?? [];
  if (system === '') return undefined;
  const item = '012'.includes(last)
    ? `${body.slice(0, 2)}${last}0000${body.slice(2)}`
    : last === '3'
      ? `${body.slice(0, 3)}00000${body.slice(3)}`
      : last === '4'
        ? `${body.slice(0, 4)}00000${body.slice(4)}`
        : `${body}0000${last}`;
  return system + item + check;
}

/** The ten digits of the NDC in a GTIN that begins, after its indicator, with 03. */
export function ndc10InGtin(gtin14: string): string | undefined {
  return gtin14.slice(1, 3) === '03' ? gtin14.slice(3, 13) : undefined;
}

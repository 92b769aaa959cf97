import { fail } from '../../base/result.ts';
import { printable } from '../rejection.ts';
import type { Symbology } from './symbology.ts';

/** What kind of symbol or text a reading came from. */
export type Carrier = 'gs1_element_string' | 'gs1_bracketed' | 'gs1_digital_link' | 'gtin' | 'hibc' | 'ndc';

/** What a decoder wants a person to know of a barcode that it accepted. */
export const readingFlags = {
  possible_missing_separator: 'A lot or serial ends in what looks like another field: the scanner may have dropped a separator.',
  not_gs1_symbology: 'GS1 data in a symbol that does not say it is GS1: the label is made wrongly.',
  zero_suppressed_gtin: 'A Digital Link whose GTIN lacks its leading zeros.',
  packaging_level: 'A case or carton: one of it is not one unit.',
  count_in_symbol: 'The symbol says that it holds more than one; the quantity that was sent counts, or 1.',
  label_repaired: 'The text was repaired by the profile of the scanner: case, keyboard layout, prefix or suffix.',
} as const;

export type ReadingFlag = keyof typeof readingFlags;

/** Why a barcode was refused. */
export const refusals = {
  empty: 'Nothing was read.',
  unknown_symbology: 'The symbology identifier is not one of ISO/IEC 15424.',
  unknown_ai: 'There is no such GS1 application identifier.',
  truncated: 'The read breaks off.',
  empty_element: 'An element holds nothing.',
  ai_too_long: 'An element is longer than it can be: a separator is missing.',
  bad_charset: 'A character that the element cannot hold.',
  bad_check_digit: 'The check digit is wrong: it was misread.',
  bad_check_character: 'The check character is wrong: it was misread.',
  bad_date: 'Not a date of the calendar.',
  repeated_ai: 'One application identifier stands twice, with different values.',
  not_digital_link: 'A web address that is not a GS1 Digital Link.',
  bad_qualifier_order: 'The qualifiers of a GS1 Digital Link are out of order.',
  bad_escape: 'A web address with a broken percent escape.',
  wrong_length: 'Digits of a length that no product code has, or that fits several.',
  not_a_string_identifier: 'A product code in the form of a number: digits are gone.',
  ndc_must_be_string: 'An NDC in the form of a number: digits are gone.',
  placeholder_gtin: 'A GTIN of nothing but zeros.',
  placeholder_ndc: 'An NDC of nothing but zeros.',
  bad_ndc_format: 'Not an NDC.',
  not_a_package_ndc: 'The NDC of a product, not of a package: the last segment is missing.',
  ndc10_format_unknown: 'Ten digits that fit more than one NDC.',
  bad_hibc: 'Not a HIBC.',
  contradiction: 'Two parts of a barcode name different products.',
  no_product: 'The barcode names no product that the ledger can count.',
  unknown_carrier: 'Not a barcode that is understood.',
} as const;

export type Refusal = keyof typeof refusals;

/** A reason, and a sentence that says it of this very barcode. */
export interface DecodeFault {
  readonly reason: Refusal;
  readonly message: string;
  /** What the text could have meant, where that is known. */
  readonly candidates?: readonly string[];
}

/** One element of a barcode, as it stood there. */
export interface ReadingPart {
  /** `AI 17`, `HIBC lot`, … */
  readonly source: string;
  readonly text: string;
  /** Where its text begins in the cleaned input, in UTF-16 units. */
  readonly at: number;
}

/** What a barcode says. What it does not say is `undefined`. */
export interface Reading {
  readonly carrier: Carrier;
  symbology: Symbology | undefined;
  parts: readonly ReadingPart[];
  readonly flags: ReadingFlag[];
  gtin14: string | undefined;
  /** First digit of the GTIN: 0 the unit, 1 to 8 higher levels, 9 variable measure. */
  packagingIndicator: number | undefined;
  /** Of the unit; for a case, of the unit inside. */
  ndc11: string | undefined;
  ndc12: string | undefined;
  /** What an undecidable NDC-10 could be. */
  ndc11Candidates: readonly string[] | undefined;
  lotNumber: string | undefined;
  serialNumber: string | undefined;
  /** A day, as in 2026-12-31. */
  expirationDate: string | undefined;
  /** The hour of AI 7003, as in 14:30. */
  expirationTime: string | undefined;
  productionDate: string | undefined;
  bestBeforeDate: string | undefined;
  /** How many it says it holds. */
  count: number | undefined;
  /** A logistic unit: not a countable package. */
  sscc: string | undefined;
  hibc: HibcProduct | undefined;
}

/** A reading to be filled in. Every field is there from the start: half a million a second are made. */
export function newReading(carrier: Carrier): Reading {
  return {
    carrier,
    symbology: undefined,
    parts: [],
    flags: [],
    gtin14: undefined,
    packagingIndicator: undefined,
    ndc11: undefined,
    ndc12: undefined,
    ndc11Candidates: undefined,
    lotNumber: undefined,
    serialNumber: undefined,
    expirationDate: undefined,
    expirationTime: undefined,
    productionDate: undefined,
    bestBeforeDate: undefined,
    count: undefined,
    sscc: undefined,
    hibc: undefined,
  };
}

export interface HibcProduct {
  /** Labeler identification code. */
  readonly lic: string;
  /** Product or catalogue number. */
  readonly pcn: string;
  readonly unitOfMeasure: number;
}

export function refuse(reason: Refusal, message: string, candidates?: readonly string[]): { ok: false; error: DecodeFault } {
  const shown = printable(message, 240);
  return fail(candidates === undefined ? { reason, message: shown } : { reason, message: shown, candidates });
}

/**
 * What was scanned: an NDC, a GTIN, or both when they name one package.
 *
 * In: the text of `ndc` and `gtin`, or a reading of a barcode. Out: the product, and the one text that stands for it in every
 * identity: the NDC in eleven digits when it is known, else the NDC in twelve, else the GTIN in fourteen. A case or carton (GTIN
 * indicator 1 to 9) is its GTIN, never the NDC of the unit inside. Nothing is guessed.
 */
import { ok, type Result } from '../base/result.ts';
import { decodeRejection } from './decode/decode-rejection.ts';
import { readGtin } from './decode/gtin.ts';
import { withProduct } from './decode/interpret.ts';
import { newReading, type Reading } from './decode/reading.ts';
import { type Ndc10Directory, readNdc } from './ndc.ts';
import { type Rejection, reject } from './rejection.ts';
import { normaliseText } from './text.ts';

export interface Product {
  /** 5-4-2 without hyphens. */
  readonly ndc11?: string;
  /** 6-4-2 without hyphens. */
  readonly ndc12?: string;
  /** GTIN-12 and GTIN-13 padded on the left. */
  readonly gtin14?: string;
  /** Of a case or carton: the NDC of the unit inside, which it is not. */
  readonly unitNdc11?: string;
}

export interface ProductFields {
  readonly ndc?: string;
  readonly gtin?: string;
}

export function parseProduct(fields: ProductFields, directory: Ndc10Directory): Result<Product, Rejection> {
  if (fields.ndc === undefined && fields.gtin === undefined) {
    return reject('SG_PRODUCT_MISSING', 'ndc', 'The scan names no product. Send an ndc or a gtin.');
  }
  const ndc = fields.ndc === undefined ? ok(undefined) : textOf('ndc', fields.ndc);
  if (!ndc.ok) return ndc;
  const gtin = fields.gtin === undefined ? ok(undefined) : textOf('gtin', fields.gtin);
  if (!gtin.ok) return gtin;
  return combine(ndc.value, gtin.value, directory);
}

function combine(ndc: string | undefined, gtin: string | undefined, directory: Ndc10Directory): Result<Product, Rejection> {
  if (gtin === undefined) {
    const read = readNdc(ndc ?? '', directory);
    return read.ok ? ok(read.value) : decodeRejection('ndc', read.error);
  }
  const gtin14 = readGtin(gtin);
  if (!gtin14.ok) return decodeRejection('gtin', gtin14.error);
  const reading = newReading('gtin');
  reading.gtin14 = gtin14.value;
  const both = withProduct(reading, ndc, directory);
  if (!both.ok) return decodeRejection('gtin', both.error);
  const product = productOf(both.value);
  return product ?? reject('SG_PRODUCT_MISSING', 'gtin', 'The scan names no product.');
}

/** The product that a barcode names, or nothing where it names none that can be counted. */
export function productOf({ gtin14, packagingIndicator, ndc11, ndc12 }: Reading): { ok: true; value: Product } | undefined {
  if (gtin14 !== undefined && packagingIndicator !== 0) {
    return ok({ gtin14, ...(ndc11 !== undefined && { unitNdc11: ndc11 }) });
  }
  if (gtin14 === undefined && ndc12 === undefined) return undefined;
  return ok({
    ...(ndc11 !== undefined && { ndc11 }),
    ...(ndc12 !== undefined && { ndc12 }),
    ...(gtin14 !== undefined && { gtin14 }),
  });
}

/** The text of the product in identity and claim key. */
export function productText(product: Product): string {
  const text = product.ndc11 ?? product.ndc12 ?? product.gtin14;
  if (text === undefined) throw new TypeError('A product has an NDC or a GTIN.');
  return text;
}

function textOf(field: 'ndc' | 'gtin', raw: string): Result<string, Rejection> {
  const text = normaliseText(raw);
  return text === '' ? reject('SG_FIELD_EMPTY', field, `${field} is empty. Give a value, or leave the field out.`) : ok(text);
}

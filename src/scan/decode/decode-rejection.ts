import type { ScanCode } from '../../base/errors.ts';
import { type Rejection, reject } from '../rejection.ts';
import type { DecodeFault, Refusal } from './reading.ts';

/** Reasons that have a code of their own; all others are `SG_BARCODE_INVALID` with the reason beside it. */
const codes: Partial<Record<Refusal, ScanCode>> = {
  bad_check_digit: 'SG_CHECK_DIGIT',
  bad_check_character: 'SG_CHECK_DIGIT',
  ndc_must_be_string: 'SG_SPREADSHEET_DAMAGE',
  not_a_string_identifier: 'SG_SPREADSHEET_DAMAGE',
  ndc10_format_unknown: 'SG_NDC_AMBIGUOUS',
  bad_ndc_format: 'SG_NDC_INVALID',
  not_a_package_ndc: 'SG_NDC_INVALID',
  placeholder_ndc: 'SG_PRODUCT_PLACEHOLDER',
  placeholder_gtin: 'SG_PRODUCT_PLACEHOLDER',
  wrong_length: 'SG_GTIN_INVALID',
  contradiction: 'SG_FIELDS_DISAGREE',
  no_product: 'SG_PRODUCT_MISSING',
};

/** A fault of decoding as the refusal of a scan. */
export function decodeRejection(field: string, { reason, message }: DecodeFault): { ok: false; error: Rejection } {
  const { error } = reject(codes[reason] ?? 'SG_BARCODE_INVALID', field, `${field}: ${message}`);
  return { ok: false, error: { ...error, reason } };
}

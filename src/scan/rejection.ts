import type { ErrorCode } from '../base/errors.ts';
import { fail } from '../base/result.ts';

/** Why something is not a scan: a code for programs, the field on the wire, a sentence for people. */
export interface Rejection {
  readonly code: ErrorCode;
  readonly field?: string;
  readonly message: string;
  /** For a barcode: why exactly. */
  readonly reason?: string;
}

export function reject(code: ErrorCode, field: string | undefined, message: string): { ok: false; error: Rejection } {
  return fail(field === undefined ? { code, message } : { code, field: printable(field, 80), message });
}

/** A value as it may appear in a sentence. */
export function quoted(value: unknown): string {
  return `"${printable(String(value), 40)}"`;
}

/** Text that can be shown and stored anywhere: cut, and with a code point's name for what cannot be seen. */
export function printable(text: string, lengthMax: number): string {
  const shown = text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
  return shown.replace(/[\p{C}\u2028\u2029]/gu, codePointName);
}

export function codePointName(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * The one normalisation of text, used for key, ledger, journal and answer alike.
 *
 * In: text as it was sent. Out: NFC, without invisible format characters and without white space around it; case, leading
 * zeros and everything else kept. Refused: what is empty then, or holds a character that no identity may hold. Idempotent.
 */
import { ok, type Result } from '../base/result.ts';
import { codePointName, type Rejection, reject } from './rejection.ts';

/**
 * Everything that Unicode says is shown as nothing: zero-width, soft hyphen, byte-order mark. Not all format characters are:
 * the Arabic number sign is seen, and two lots that differ in it are two lots.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
const space = /\p{White_Space}/u;

/**
 * Control characters, line and paragraph separators, halves of a surrogate pair, the separator of the identity text, and
 * the replacement character, which is what is left of text that was read in the wrong encoding.
 */
const forbidden = /[\p{Cc}\p{Cs}\u2028\u2029|\uFFFD]/u;

/** In UTF-16 code units. No field needs more, however it is spelled, and cleaning takes more than linear time. */
const cleanedLengthMax = 2_048;

/**
 * Text that is longer than any field, or is not well-formed, comes back as it is: it is refused. To take characters out of it
 * could join the halves of a surrogate pair.
 */
export function normaliseText(raw: string): string {
  if (raw.length > cleanedLengthMax || !raw.isWellFormed()) return raw;
  return withoutOuterSpace(raw.replace(invisible, '')).normalize('NFC');
}

/** A loop, because the regular expression for it takes quadratic time on a long run of spaces inside the text. */
function withoutOuterSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && space.test(text.charAt(start))) start += 1;
  while (end > start && space.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

export function parseText(field: string, raw: string, lengthMax: number): Result<string, Rejection> {
  const text = normaliseText(raw);
  if (text === '') return reject('SG_FIELD_EMPTY', field, `${field} is empty. Give a value, or leave the field out.`);
  const bad = forbidden.exec(text)?.[0];
  if (bad !== undefined) {
    return reject('SG_FIELD_CHARACTER', field, `${field} holds ${describe(bad)}, which it must not.`);
  }
  const length = [...text].length;
  if (length > lengthMax) {
    return reject('SG_FIELD_LONG', field, `${field} has ${length} characters; at most ${lengthMax} are allowed.`);
  }
  return ok(text);
}

function describe(character: string): string {
  const name = codePointName(character);
  if (character === '|') return `the character | (${name})`;
  if (character === '\uFFFD') return `the replacement character (${name}: text was read in the wrong encoding)`;
  if (/\p{Cs}/u.test(character)) return `half of a surrogate pair (${name})`;
  return `a control character (${name})`;
}

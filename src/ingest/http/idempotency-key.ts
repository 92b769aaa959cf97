import type { IncomingMessage } from 'node:http';
import { ok, type Result } from '../../base/result.ts';
import { quoted, type Rejection, reject } from '../../scan/rejection.ts';

const name = 'Idempotency-Key';

/** Printable ASCII without white space, and without what separates or quotes in a header. */
const bare = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x7e]+$/;
const inQuotes = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * The scan id in `Idempotency-Key`, if there is one. The draft of the header makes it text in quotation marks, most clients send it
 * bare: both name the same scan. Anything else is refused: half understood, it would be the id of another scan.
 */
export function transportScanIdOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): Result<string | undefined, Rejection> {
  const isKey = (_: string, at: number): boolean => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name.toLowerCase();
  const values = new Set(rawHeaders.filter(isKey).map((value) => value.trim()));
  const [value] = values;
  if (value === undefined) return ok(undefined);
  if (values.size > 1) return reject('SG_REQUEST_INVALID', name, `${name} is sent more than once, with different values.`);
  if (bare.test(value)) return ok(value);
  const unquoted = inQuotes.exec(value)?.[1];
  if (unquoted !== undefined) return ok(unquoted.replaceAll(/\\(["\\])/g, '$1'));
  return reject(
    'SG_REQUEST_INVALID',
    name,
    `${name} is ${quoted(value)}; it is one id of ASCII characters, bare or in quotation marks.`,
  );
}

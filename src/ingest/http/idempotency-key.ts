import type { IncomingHttpHeaders } from 'node:http';

/**
 * The scan id in `Idempotency-Key`, if there is one. The draft of the header makes it text in quotation marks, most clients send it
 * bare: both name the same scan.
 */
export function transportScanIdOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['idempotency-key'];
  const value = Array.isArray(header) ? header.join(', ') : header;
  const [, inQuotes] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(value?.trim() ?? '') ?? [];
  return inQuotes?.replaceAll(/\\(["\\])/g, '$1') ?? value;
}

import canonicalize from 'canonicalize';

/**
 * JSON in the one form of RFC 8785: keys sorted by UTF-16 code unit, no white space. It is what the journal hashes, so
 * two servers, or a server and an inspector with another tool, compute the same digest.
 *
 * @throws TypeError for what JSON cannot hold (`undefined`, `NaN`).
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('This value has no JSON form.');
  return text;
}

import canonicalize from 'canonicalize';

/**
 * JSON in the one form of RFC 8785: keys sorted by UTF-16 code unit, no white space. It is what the journal hashes, so
 * two servers, or a server and an inspector with another tool, compute the same digest.
 *
 * @throws TypeError for what JSON cannot hold (`undefined`, `NaN`, half of a surrogate pair).
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalText(value);
  if (text === undefined) throw new TypeError('This value has no JSON form.');
  return text;
}

function canonicalText(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch (cause) {
    throw new TypeError('This value has no JSON form.', { cause });
  }
}

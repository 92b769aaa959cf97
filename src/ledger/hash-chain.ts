import { sha256Hex } from '../base/digest.ts';

/** What the first record of a facility follows. */
export const genesisHash = '0'.repeat(64);

/**
 * SHA-256 of the previous hash (64 hexadecimal digits) followed by the canonical JSON of the record (RFC 8785), both UTF-8.
 * Anyone can recompute it: `printf '%s%s' "$previous" "$record" | sha256sum`.
 */
export function chainHash(previousHash: string, recordJson: string): string {
  return sha256Hex(previousHash + recordJson);
}

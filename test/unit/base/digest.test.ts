import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/base/digest.ts';

// Each from `printf '…' | sha256sum`.
describe('sha256Hex', () => {
  it('digests the vectors of FIPS 180-4', () => {
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('takes text as UTF-8', () => {
    expect(sha256Hex('\u00c9')).toBe('a755f65d4e5201d92b6f264d1508ea0bec9913dd7b20a96ebde25de3cda84a84');
  });

  it('takes bytes as they are, NUL and all', () => {
    expect(sha256Hex(Uint8Array.of(0xc3, 0x89, 0x00, 0xff))).toBe(
      '0e27b96a5db3ecdfd19faeccca84863cf22281260f8c0d93b601e6c7021ce103',
    );
  });
});

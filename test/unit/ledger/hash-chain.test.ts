import { expect, test } from 'vitest';
import { chainHash, genesisHash } from '../../../src/ledger/hash-chain.ts';

/*
 * The expected digests are those of coreutils:
 *
 *   zeros=$(printf '0%.0s' $(seq 64))
 *   first=$(printf '%s%s' "$zeros" '{"a":1,"b":"é"}' | sha256sum | cut -d' ' -f1)
 *   printf '%s%s' "$first" '{"b":2}' | sha256sum
 */
const first = '08b7698f3d6b80ae5d83c9c2f8bea5af5a7db11a3d65c608b96a338365227b68';
const second = '577ba521495bd7509438b1e10357a318a6745cc1069de5268ba155c483f4e674';

test('a chain begins after 64 zeros', () => {
  expect(genesisHash).toBe('0000000000000000000000000000000000000000000000000000000000000000');
  expect(chainHash(genesisHash, '{"a":1,"b":"é"}')).toBe(first);
});

test('each hash covers the one before it', () => {
  expect(chainHash(first, '{"b":2}')).toBe(second);
  expect(chainHash(genesisHash, '{"b":2}')).not.toBe(second);
});

test('one letter more or less in a record is another hash', () => {
  expect(chainHash(genesisHash, '{"a":1,"b":"e"}')).not.toBe(first);
  expect(chainHash(genesisHash, '{"a":1,"b":"é"} ')).not.toBe(first);
});

import { describe, test } from 'vitest';
import { MemoryClaimStore } from '../../src/claim/memory-claim-store.ts';
import { type ClaimStorePair, claimStoreContract } from '../../src/testing/claim-store-contract.ts';

/** The claims of one process: both workers hold the same store. */
async function openPair(): Promise<ClaimStorePair> {
  let nowMs = 1_772_712_000_000;
  const store = new MemoryClaimStore({ nowMs: () => nowMs });
  const later = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  return { first: store, second: store, later, close: () => store.close() };
}

describe('the memory claim store', () => {
  for (const { name, run } of claimStoreContract(openPair)) test(name, run);
});

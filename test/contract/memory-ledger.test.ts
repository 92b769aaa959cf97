import { describe, test } from 'vitest';
import { MemoryBooks, MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { ledgerContract } from '../../src/testing/ledger-contract.ts';
import type { LedgerPair } from '../../src/testing/ledger-pair.ts';

async function openPair(): Promise<LedgerPair> {
  const books = new MemoryBooks();
  return { first: new MemoryLedger(books), second: new MemoryLedger(books), close: async () => {} };
}

describe('the memory ledger', () => {
  for (const { name, run } of ledgerContract(openPair)) test(name, run);
});

import { beforeAll, describe, test } from 'vitest';
import { ledgerContract } from '../../src/testing/ledger-contract.ts';
import type { LedgerPair } from '../../src/testing/ledger-pair.ts';
import { startBooks } from '../support/postgres-books.ts';

let books: Awaited<ReturnType<typeof startBooks>>;

beforeAll(async () => {
  books = await startBooks();
});

/** Two pools of three connections each that write to one database. */
async function openPair(): Promise<LedgerPair> {
  const { open } = await books.newBooks();
  const [first, second] = await Promise.all([open({ connectionsMax: 3 }), open({ connectionsMax: 3 })]);
  const close = async (): Promise<void> => {
    await Promise.all([first.close(), second.close()]);
  };
  return { first, second, close };
}

describe('the PostgreSQL ledger', () => {
  for (const { name, run } of ledgerContract(openPair)) test(name, run);
});

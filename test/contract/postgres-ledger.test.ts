import { afterAll, beforeAll, describe, test } from 'vitest';
import { PostgresLedger } from '../../src/ledger/postgres-ledger.ts';
import { ledgerContract } from '../../src/testing/ledger-contract.ts';
import type { LedgerPair } from '../../src/testing/ledger-pair.ts';
import { type Books, startBooks } from '../support/postgres-books.ts';

let newBooks: () => Promise<Books>;
let first: PostgresLedger;
let second: PostgresLedger;

/** Two pools of three connections each. They last: to start a server process takes longer than most cases do. */
beforeAll(async () => {
  ({ newBooks } = await startBooks());
  const { url } = await newBooks();
  const open = (): Promise<PostgresLedger> => PostgresLedger.open(url, { connectionsMax: 3, connectMs: 30_000 });
  [first, second] = await Promise.all([open(), open()]);
});

afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
});

async function openPair(): Promise<LedgerPair> {
  await newBooks();
  return { first, second, close: async () => {} };
}

describe('the PostgreSQL ledger', () => {
  for (const { name, run } of ledgerContract(openPair)) test(name, run);
});

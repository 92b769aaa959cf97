import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { randomIds } from '../../src/base/ids.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { SqliteBooks } from '../../src/ledger/sqlite-books.ts';
import { readerOf } from '../../src/ledger/sqlite-reader.ts';
import { ledgerContract } from '../../src/testing/ledger-contract.ts';
import type { LedgerPair } from '../../src/testing/ledger-pair.ts';

/** The books without their thread, behind the port. */
function ledgerOf(books: SqliteBooks): Ledger {
  return {
    ...readerOf(books),
    append: async (...args) => books.append(...args),
    resolve: async (request) => books.resolve(request),
    close: async () => books.close(),
  };
}

async function openPair(): Promise<LedgerPair> {
  const folder = await mkdtemp(join(tmpdir(), 'scangate-books-'));
  const open = (): Ledger =>
    ledgerOf(new SqliteBooks(join(folder, 'ledger.sqlite'), systemClock, randomIds, { busyMs: 5_000, check: true }));
  const [first, second] = [open(), open()];
  const close = async (): Promise<void> => {
    await Promise.all([first.close(), second.close()]);
    await rm(folder, { recursive: true });
  };
  return { first, second, close };
}

describe('the SQLite books', () => {
  for (const { name, run } of ledgerContract(openPair)) test(name, run);
});

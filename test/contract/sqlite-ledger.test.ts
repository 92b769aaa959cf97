import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteLedger } from 'scangate/sqlite';
import { describe, test } from 'vitest';
import { ledgerContract } from '../../src/testing/ledger-contract.ts';
import type { LedgerPair } from '../../src/testing/ledger-pair.ts';

/** Two threads that write to one file. */
async function openPair(): Promise<LedgerPair> {
  const folder = await mkdtemp(join(tmpdir(), 'scangate-ledger-'));
  const open = (): Promise<SqliteLedger> => SqliteLedger.open(join(folder, 'ledger.sqlite'));
  const [first, second] = await Promise.all([open(), open()]);
  const close = async (): Promise<void> => {
    await Promise.all([first.close(), second.close()]);
    await rm(folder, { recursive: true });
  };
  return { first, second, close };
}

describe('the SQLite ledger', () => {
  for (const { name, run } of ledgerContract(openPair)) test(name, run);
});

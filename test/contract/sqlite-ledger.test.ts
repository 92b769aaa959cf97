import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SqliteLedger } from 'scangate/sqlite';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { schemaSql } from '../../src/ledger/sqlite-schema.ts';
import { ledgerContract } from '../../src/testing/ledger-contract.ts';
import type { LedgerPair } from '../../src/testing/ledger-pair.ts';

let folder: string;
let path: string;
let first: SqliteLedger;
let second: SqliteLedger;

/** Two threads that write to one file. They last: to start a thread takes longer than most cases do. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scangate-ledger-'));
  path = join(folder, 'ledger.sqlite');
  [first, second] = await Promise.all([SqliteLedger.open(path), SqliteLedger.open(path)]);
});

afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await rm(folder, { recursive: true });
});

/** Rows can only be added, so all tables are made anew, under the open ledgers. */
function emptyBooks(): void {
  const file = new Database(path);
  // Tables that refer to each other cannot be dropped one by one otherwise.
  file.pragma('foreign_keys = OFF');
  const makeAnew = file.transaction(() => {
    const tables = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    for (const table of tables) file.exec(`DROP TABLE ${String(table)}`);
    file.exec(schemaSql);
  });
  makeAnew.immediate();
  file.close();
}

async function openPair(): Promise<LedgerPair> {
  emptyBooks();
  return { first, second, close: async () => {} };
}

describe('the SQLite ledger', () => {
  for (const { name, run } of ledgerContract(openPair)) test(name, run);
});

/** The ledger file of a server, read from beside it, as the commands do. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { systemClock } from '../../src/base/clock.ts';
import { randomIds } from '../../src/base/ids.ts';
import { SqliteBooks } from '../../src/ledger/sqlite-books.ts';

export function ledgerFile(data: string): string {
  return join(data, 'ledger.sqlite');
}

/** What the ledger keeps of something that was refused. */
export function quarantinedBytes(data: string, quarantineId: string): Buffer {
  return read(data, 'SELECT raw FROM quarantine WHERE id = ?', quarantineId)[0] as Buffer;
}

/** What `scangate verify` would find, without a process of its own. */
export function breaksIn(data: string): readonly unknown[] {
  const books = new SqliteBooks(ledgerFile(data), systemClock, randomIds, { readonly: true, busyMs: 5_000, check: false });
  try {
    return books.audit().breaks;
  } finally {
    books.close();
  }
}

/** The first column of every row. */
export function read(data: string, sql: string, ...parameters: unknown[]): unknown[] {
  const database = new Database(ledgerFile(data), { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    return database
      .prepare(sql)
      .pluck()
      .all(...parameters);
  } finally {
    database.close();
  }
}

/** The ledger file of a server, read from beside it, as the commands do. */
import { join } from 'node:path';
import Database from 'better-sqlite3';

export function ledgerFile(data: string): string {
  return join(data, 'ledger.sqlite');
}

/** What the ledger keeps of something that was refused. */
export function quarantinedBytes(data: string, quarantineId: string): Buffer {
  return read(data, 'SELECT raw FROM quarantine WHERE id = ?', quarantineId)[0] as Buffer;
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

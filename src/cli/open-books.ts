import { existsSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import { ScanGateError } from '../base/errors.ts';
import { randomIds } from '../base/ids.ts';
import { SqliteBooks } from '../ledger/sqlite-books.ts';
import { fileError } from '../ledger/sqlite-file.ts';
import { ledgerPathIn } from '../service/data-directory.ts';

/** The ledger of a data directory, to be read unless it says otherwise. Works beside a running server. */
export function withBooks<T>(directory: string, use: (books: SqliteBooks) => T, { readonly } = { readonly: true }): T {
  const path = ledgerPathIn(directory);
  if (!existsSync(path))
    throw new ScanGateError('SG_DATA_PATH', `There is no ledger at ${path}. Give its directory with --data.`);
  const books = new SqliteBooks(path, systemClock, randomIds, { readonly, busyMs: 5_000, check: false });
  try {
    return use(books);
  } catch (error) {
    throw error instanceof Error && error.name === 'SqliteError' ? fileError(error, path) : error;
  } finally {
    books.close();
  }
}

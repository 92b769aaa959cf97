import { existsSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import { ScanGateError } from '../base/errors.ts';
import { randomIds } from '../base/ids.ts';
import type { AuditReport } from '../ledger/audit.ts';
import type { AcceptedBreaks } from '../ledger/journal-record.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import type { PostgresLedger } from '../ledger/postgres-ledger.ts';
import { SqliteBooks } from '../ledger/sqlite-books.ts';
import { fileError } from '../ledger/sqlite-file.ts';
import { readerOf } from '../ledger/sqlite-reader.ts';
import type { BackwardLines } from '../records/recent-lines.ts';
import type { Config, ConfigKey } from '../service/config.ts';
import { ledgerPathIn } from '../service/data-directory.ts';

/** Which ledger a command reads. */
export const ledgerKeys: readonly ConfigKey[] = ['data', 'postgres'];

/** How a command reads scans that it writes to that ledger. */
export const writingKeys: readonly ConfigKey[] = [
  ...ledgerKeys,
  'allow_unsafe_ledger',
  'window_ms',
  'guard_ms',
  'distinct_ids',
  'review_gap_ms',
  'profile',
  'scanner_classes',
  'unknown_product',
];

/** The ledger of the settings, to be read. Works beside running servers. */
export function withReader<T>(config: Config, use: (reader: LedgerReader) => Promise<T>): Promise<T> {
  return withReadableBooks(config, ({ reader }) => use(reader));
}

export interface ReadableBooks extends BackwardLines {
  readonly reader: LedgerReader;
}

/** The same, read from its end as well. */
export function withReadableBooks<T>({ data, postgres }: Config, use: (books: ReadableBooks) => Promise<T>): Promise<T> {
  if (postgres !== '') {
    return withPostgres(postgres, true, (ledger) =>
      use({ reader: ledger, linesBefore: (position, limit) => ledger.linesBefore(position, limit) }),
    );
  }
  return withBooks(data, (books) =>
    use({ reader: readerOf(books), linesBefore: async (position, limit) => books.linesBefore(position, limit) }),
  );
}

/** Books that can be recomputed. */
export interface AuditableBooks {
  audit(): AuditReport | Promise<AuditReport>;
  acceptBreaks(facilityUuid: string, accepted: AcceptedBreaks): void | Promise<void>;
}

/**
 * The ledger of the settings, to be recomputed; and to be written to, where that is wanted.
 *
 * @throws ScanGateError `SG_DATABASE_UNSAFE` when it is to be written to and the database may lose what it commits.
 */
export function withAuditableBooks<T>(
  { data, postgres }: Config,
  use: (books: AuditableBooks) => Promise<T>,
  { readonly } = { readonly: true },
): Promise<T> {
  return postgres === '' ? withBooks(data, use, { readonly }) : withPostgres(postgres, readonly, use);
}

async function withPostgres<T>(url: string, allowUnsafeLedger: boolean, use: (ledger: PostgresLedger) => Promise<T>): Promise<T> {
  const { PostgresLedger } = await import('../ledger/postgres-ledger.ts');
  const ledger = await PostgresLedger.open(url, { connectionsMax: 2, allowUnsafeLedger });
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

/** The file of a data directory, to be read unless it says otherwise. */
export async function withBooks<T>(
  directory: string,
  use: (books: SqliteBooks) => T | Promise<T>,
  { readonly } = { readonly: true },
): Promise<T> {
  const path = ledgerPathIn(directory);
  if (!existsSync(path))
    throw new ScanGateError('SG_DATA_PATH', `There is no ledger at ${path}. Give its directory with --data.`);
  const books = new SqliteBooks(path, systemClock, randomIds, { readonly, busyMs: 5_000, check: false });
  try {
    return await use(books);
  } catch (error) {
    throw error instanceof Error && error.name === 'SqliteError' ? fileError(error, path) : error;
  } finally {
    books.close();
  }
}

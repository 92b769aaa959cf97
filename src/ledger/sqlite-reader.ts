import type { LedgerReader } from './ledger.ts';
import type { SqliteBooks } from './sqlite-books.ts';

/** The books of a command that only reads, behind the port. {@inheritDoc LedgerReader} */
export function readerOf(books: SqliteBooks): LedgerReader {
  return {
    lines: async (query) => books.lines(query),
    records: async (query) => books.records(query),
    recordsOfPick: async (claimKey) => books.recordsOfPick(claimKey),
    recordsOfScanId: async (scanId) => books.recordsOfScanId(scanId),
    line: async (entryId) => books.line(entryId),
    quarantined: async (id) => books.quarantined(id),
    quarantine: async (query) => books.quarantine(query),
    quarantineEntry: async (id) => books.quarantineEntry(id),
    checkpoint: async (key) => books.checkpoint(key),
    status: async () => books.status(),
  };
}

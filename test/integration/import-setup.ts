import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Gate } from '../../src/gate/gate.ts';
import { defaultScannerClass } from '../../src/identity/scanner-class.ts';
import { type ImportOptions, type ImportSummary, importFile } from '../../src/ingest/file/import-file.ts';
import { type FileMeaning, formatOfName } from '../../src/ingest/file/import-options.ts';
import type { RejectedRow } from '../../src/ingest/file/rejected-list.ts';
import type { JournalRecord } from '../../src/ledger/journal-record.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { LedgerLine } from '../../src/ledger/ledger-line.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { lifetime } from '../support/lifetime.ts';

/** 2026-12-01T00:00:00Z, after every row of the files. */
const importedAt = 1_796_083_200_000;

export function temporaryFolder(): string {
  return lifetime.folder('scangate-import-');
}

/** Writes a file of the test's own. */
export function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** A copy of a file under `test/cases/inputs`. */
export function caseFile(name: string): string {
  return fileOf(name, readFileSync(join(import.meta.dirname, '..', 'cases', 'inputs', name)));
}

/** What makes a scan of the columns that most of those files have. */
export const logColumns = { scan_uuid: 'event_id', captured_at: 'scanned_at', gtin: 'barcode', quantity: 'qty' } as const;
export const logConstants = { facility_uuid: 'F1', scanner_id: 'S1', scan_type: 'dispense' } as const;

/** A gate on a ledger, and what an import wants to know of it. */
export function gateOn(ledger: Ledger): Pick<ImportOptions, 'gate' | 'ledger' | 'clock'> {
  return { gate: new Gate({ ledger, policy: () => defaultScannerClass }), ledger, clock: { nowMs: () => importedAt } };
}

export function meaningOf(path: string, changes: Partial<FileMeaning> = {}): FileMeaning {
  return {
    format: formatOfName(path) ?? 'csv',
    columns: {},
    constants: logConstants,
    ignoredColumns: [],
    ignoresUnmapped: false,
    hasDecimalComma: false,
    ...changes,
  };
}

export interface Imported {
  readonly summary: ImportSummary;
  readonly lines: readonly LedgerLine[];
  readonly records: readonly JournalRecord[];
  readonly rejected: readonly RejectedRow[];
}

/** Imports a file, and shows what is then in the ledger. */
export async function importAs(
  path: string,
  meaning: Partial<FileMeaning>,
  ledger: Ledger = new MemoryLedger(),
  options: Partial<ImportOptions> = {},
): Promise<Imported> {
  const rejected: RejectedRow[] = [];
  const onRejected = (row: RejectedRow) => rejected.push(row);
  const summary = await importFile({ path, meaning: meaningOf(path, meaning), ...gateOn(ledger), onRejected, ...options });
  return { summary, rejected, ...(await booksOf(ledger)) };
}

export async function booksOf(ledger: Ledger): Promise<Pick<Imported, 'lines' | 'records'>> {
  const limit = 1_000_000;
  return { lines: (await ledger.lines({ limit })).items, records: (await ledger.records({ limit })).items };
}

/** The counts that a summary always has, as `[read, committed, suppressed, conflict, rejected]`. */
export function countsOf({ read, committed, suppressed, conflict, rejected }: ImportSummary): number[] {
  return [read, committed, suppressed, conflict, rejected];
}

/** Line and code of each rejected row. */
export function refusals({ rejected }: Imported): [number, string][] {
  return rejected.map(({ line, rejection }) => [line, rejection.code]);
}

export function utc(occurredAt: number): string {
  return new Date(occurredAt).toISOString();
}

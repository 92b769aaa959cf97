/** Recomputes books in PostgreSQL as `verify` does, from all of their rows. */
import {
  type AuditSource,
  audit,
  type StoredHead,
  type StoredRecord,
  type StoredResolution,
  type StoredScanId,
} from '../../src/ledger/audit.ts';
import type { LedgerLine } from '../../src/ledger/ledger-line.ts';
import type { Books } from './postgres-books.ts';

type Facilitated<Row> = Row & { readonly facility_uuid: string };
type ScanIdRow = Facilitated<StoredScanId & { readonly scanner_id: string; readonly scan_uuid: string }>;
type QuarantineRow = Facilitated<{ readonly id: string; readonly raw: Buffer }>;

/** Every break that is found, in words. */
export async function breaksIn(books: Books): Promise<string[]> {
  const { breaks, facilities } = audit(await sourceOf(books));
  if (facilities.length === 0) throw new Error('The books are empty: there was nothing to audit.');
  return breaks.map(({ facility_uuid, at, message }) => `${facility_uuid}, ${at}: ${message}`);
}

async function sourceOf(books: Books): Promise<AuditSource> {
  const read = async <Row>(sql: string): Promise<Row[]> => (await books.query(sql)).map(numbered) as Row[];
  const heads = await read<StoredHead>('SELECT * FROM scangate.facilities ORDER BY 1');
  const records = await read<Facilitated<StoredRecord>>(
    'SELECT facility_uuid, seq, outcome, scan_uuid, entry_id, record, hash FROM scangate.journal_records ORDER BY seq',
  );
  const lines = (await read<LedgerLine & Record<string, unknown>>('SELECT * FROM scangate.ledger_lines ORDER BY line')).map(
    ({ position: _, identity_uuid: __, ...line }) => line as unknown as LedgerLine,
  );
  const suppressed = await read<ScanIdRow>('SELECT * FROM scangate.suppressed_scan_ids');
  const quarantine = await read<QuarantineRow>('SELECT * FROM scangate.quarantine');
  const resolutions = await read<StoredResolution & { readonly quarantine_id: string }>(
    'SELECT * FROM scangate.quarantine_resolutions',
  );
  const of = <Row extends { readonly facility_uuid: string }>(rows: readonly Row[], facility: string): Row[] =>
    rows.filter((row) => row.facility_uuid === facility);
  const scanIds = [...lines, ...suppressed] as ScanIdRow[];
  return {
    facilities: () => heads.map((head) => head.facility_uuid),
    head: (facility) => heads.find((head) => head.facility_uuid === facility),
    records: (facility) => of(records, facility).map(({ facility_uuid: _, ...record }) => record),
    record: (facility, seq) => of(records, facility).find((record) => record.seq === seq),
    lines: (facility) => of(lines, facility),
    line: (entryId) => lines.find((line) => line.entry_id === entryId),
    scanId: (facility, scanner, scanId) =>
      of(scanIds, facility).find((row) => row.scanner_id === scanner && row.scan_uuid === scanId),
    quarantined: (id) => quarantine.find((row) => row.id === id)?.raw,
    suppressedScanIdCounts: () => countsOf(suppressed),
    resolution: (id) => resolutions.find((row) => row.quarantine_id === id),
    resolutionCounts: () => countsOf(resolutions),
    quarantinedCounts: () => countsOf(quarantine),
    overlaps: () => [],
  };
}

/** 64-bit numbers come as text. */
function numbered(row: Record<string, unknown>): Record<string, unknown> {
  const names = ['line', 'seq', 'journal_seq', 'last_line', 'last_seq', 'occurred_at', 'received_at', 'window_ms'];
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, names.includes(name) ? Number(value) : value]));
}

function countsOf(rows: readonly { readonly facility_uuid: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { facility_uuid } of rows) counts.set(facility_uuid, (counts.get(facility_uuid) ?? 0) + 1);
  return counts;
}

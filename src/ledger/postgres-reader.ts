/**
 * What can be asked of the books in PostgreSQL.
 *
 * A cursor over one facility is a line or record number: they are committed in their order. A cursor over all facilities is a position,
 * and positions are given before they are committed, by many writers at once. So a page ends where a writer is still under way that could
 * commit an earlier one; its rows and those after it come with a later page. Nothing is skipped, and nothing is read twice.
 */
import type { JournalRecord } from './journal-record.ts';
import type { LedgerReader, LedgerStatus, Page, PageQuery, QuarantineQuery } from './ledger.ts';
import type { LedgerLine } from './ledger-line.ts';
import type { PostgresPool } from './postgres-pool.ts';
import { withValues } from './postgres-statements.ts';
import type { QuarantineEntry } from './quarantine-entry.ts';
import { nextCursor, type Positioned, parseRecord, type QuarantineRow, quarantineEntryOf } from './stored-rows.ts';

type Statement = Parameters<typeof withValues>[0];

/** Numbers of the tables, as the functions of the schema know them. */
const linesTable = 1;
const recordsTable = 2;
const quarantineTable = 3;

export class PostgresReader implements LedgerReader {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async lines(query: PageQuery): Promise<Page<LedgerLine>> {
    const page =
      query.facilityUuid === undefined
        ? await this.#settled<LedgerLine & Positioned>('linesPage', linesTable, query)
        : await this.#ofFacility<LedgerLine & Positioned>('facilityLinesPage', query.facilityUuid, query);
    return { ...page, items: page.items.map(({ position: _, ...line }) => line as LedgerLine) };
  }

  /** Lines before a position, or the last ones, the last first. One that is committed meanwhile may be missing. */
  linesBefore(position: number | undefined, limit: number): Promise<(LedgerLine & Positioned)[]> {
    return this.#ask<LedgerLine & Positioned>('linesBefore', position ?? null, limit);
  }

  async records(query: PageQuery): Promise<Page<JournalRecord>> {
    const page =
      query.facilityUuid === undefined
        ? await this.#settled<RecordText & Positioned>('recordsPage', recordsTable, query)
        : await this.#ofFacility<RecordText & Positioned>('facilityRecordsPage', query.facilityUuid, query);
    return { ...page, items: page.items.map(recordOf) };
  }

  async recordsOfPick(claimKey: string): Promise<readonly JournalRecord[]> {
    return (await this.#ask<RecordText>('recordsOfPick', claimKey)).map(recordOf);
  }

  async recordsOfScanId(scanId: string): Promise<readonly JournalRecord[]> {
    const ofPicks = await this.#ask<RecordText>('recordsOfScanId', scanId);
    const rejected = await this.#ask<RecordText>('rejectedOfScanId', scanId);
    return [...ofPicks, ...rejected].map(recordOf);
  }

  async line(entryId: string): Promise<LedgerLine | undefined> {
    const [line] = await this.#ask<LedgerLine>('lineByEntry', entryId);
    return line;
  }

  async quarantined(id: string): Promise<Uint8Array | undefined> {
    const [row] = await this.#ask<{ raw: Buffer }>('quarantined', id);
    return row?.raw;
  }

  /** Positions are those of the whole quarantine, also where one facility is asked for. */
  async quarantine({ isOpen = false, ...query }: QuarantineQuery): Promise<Page<QuarantineEntry>> {
    const { facilityUuid, after = '0', limit } = query;
    const page =
      facilityUuid === undefined
        ? await this.#settled<QuarantineRow>('quarantinePage', quarantineTable, query, !isOpen)
        : pageOf(await this.#ask<QuarantineRow>('facilityQuarantinePage', facilityUuid, Number(after), !isOpen, limit), query);
    return { ...page, items: page.items.map(quarantineEntryOf) };
  }

  async quarantineEntry(id: string): Promise<QuarantineEntry | undefined> {
    const [row] = await this.#ask<QuarantineRow>('quarantineEntry', id);
    return row && quarantineEntryOf(row);
  }

  async checkpoint(key: string): Promise<string | undefined> {
    const [row] = await this.#ask<{ value: string }>('checkpoint', key);
    return row?.value;
  }

  async status(): Promise<LedgerStatus> {
    const [row] = await this.#ask<{ record: string | null; bytes: number }>('status');
    const committedAt = typeof row?.record === 'string' ? parseRecord(row.record).decided_at : undefined;
    return { kind: 'postgres', bytes: row?.bytes ?? 0, ...(committedAt !== undefined && { committedAt }) };
  }

  /** The rows are read in a statement of their own: it sees all that was committed when the end was found. */
  async #settled<Row extends Positioned>(
    statement: Statement,
    table: number,
    query: PageQuery,
    ...chosen: readonly unknown[]
  ): Promise<Page<Row>> {
    const { after = '0', limit } = query;
    const [end] = await this.#ask<SettledEnd>('settledPosition', table);
    const { position, last } = end ?? { position: 0, last: 0 };
    const page = pageOf(await this.#ask<Row>(statement, Number(after), position, ...chosen, limit), query);
    return page.items.length < limit && position < last ? { ...page, isHeldUp: true } : page;
  }

  async #ofFacility<Row extends Positioned>(statement: Statement, facilityUuid: string, query: PageQuery): Promise<Page<Row>> {
    return pageOf(await this.#ask<Row>(statement, facilityUuid, Number(query.after ?? '0'), query.limit), query);
  }

  #ask<Row extends object>(statement: Statement, ...values: unknown[]): Promise<Row[]> {
    return this.#pool.query<Row>(withValues(statement, ...values));
  }
}

/** Up to where nothing can appear any more, and up to where positions are given. */
interface SettledEnd extends Positioned {
  readonly last: number;
}

function pageOf<Row extends Positioned>(items: readonly Row[], query: PageQuery): Page<Row> {
  return { items, next: nextCursor(items, query) };
}

interface RecordText {
  readonly record: string;
}

function recordOf({ record }: RecordText): JournalRecord {
  return parseRecord(record);
}

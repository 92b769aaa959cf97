/**
 * What an audit asks of the books in PostgreSQL: rows of one facility in pages, by their numbers, and what a page refers to.
 *
 * All of it is asked in one transaction of the caller. Memory is bounded by the page: of what is in quarantine only digests come.
 */
import type pg from 'pg';
import type { Overlap, StoredHead, StoredRecord, StoredResolution, StoredScanId } from './audit.ts';
import type { LedgerLine } from './ledger-line.ts';
import { lineNames } from './postgres-statements.ts';

/** How many rows are read at once. */
const pageRows = 1_000;

/** How long one statement of an audit may take, ms: those over all facilities read every row. */
export const auditStatementMs = 3_600_000;

export interface ScanIdName {
  readonly scannerId: string;
  readonly scanId: string;
}

export class PostgresAuditRows {
  readonly #client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  /** Every facility that anything is kept of. */
  async facilities(): Promise<readonly string[]> {
    const rows = await this.#ask<{ facility_uuid: string }>(`SELECT facility_uuid FROM (${everyFacility}) AS f ORDER BY 1`);
    return rows.map((row) => row.facility_uuid);
  }

  async head(facility: string): Promise<StoredHead | undefined> {
    const heads = await this.#ask<StoredHead>(
      'SELECT facility_uuid, last_line, last_seq, head_hash FROM scangate.facilities WHERE facility_uuid = $1',
      facility,
    );
    return heads[0];
  }

  records(facility: string): AsyncGenerator<readonly StoredRecord[]> {
    const text = `SELECT seq, outcome, scan_uuid, entry_id, record, hash FROM scangate.journal_records
      WHERE facility_uuid = $1 AND seq > $2 ORDER BY seq LIMIT $3`;
    return this.#pages<StoredRecord>(text, facility, (record) => record.seq);
  }

  lines(facility: string): AsyncGenerator<readonly LedgerLine[]> {
    const text = `SELECT ${lineNames} FROM scangate.ledger_lines WHERE facility_uuid = $1 AND line > $2 ORDER BY line LIMIT $3`;
    return this.#pages<LedgerLine>(text, facility, (line) => line.line);
  }

  linesOf(entryIds: readonly string[]): Promise<LedgerLine[]> {
    return this.#ask<LedgerLine>(`SELECT ${lineNames} FROM scangate.ledger_lines WHERE entry_id = ANY ($1::text[])`, entryIds);
  }

  recordsOf(facility: string, seqs: readonly number[]): Promise<Pick<StoredRecord, 'seq' | 'outcome' | 'entry_id'>[]> {
    const text = `SELECT seq, outcome, entry_id FROM scangate.journal_records
      WHERE facility_uuid = $1 AND seq = ANY ($2::bigint[])`;
    return this.#ask(text, facility, seqs);
  }

  /** What the id of each line or suppressed scan means: that of the line first, should there be both. */
  scanIds(facility: string, names: readonly ScanIdName[]): Promise<(StoredScanId & { scanner_id: string; scan_uuid: string })[]> {
    const same = 'k.scan_uuid = q.scan_uuid AND k.scanner_id = q.scanner_id AND k.facility_uuid = $1';
    const columns = 'k.scanner_id, k.scan_uuid, k.fingerprint, k.journal_seq';
    const text = `WITH q AS (SELECT * FROM unnest($2::text[], $3::text[]) AS q (scanner_id, scan_uuid))
      SELECT 1 AS place, ${columns} FROM q JOIN scangate.ledger_lines k ON ${same}
      UNION ALL SELECT 2, ${columns} FROM q JOIN scangate.suppressed_scan_ids k ON ${same}
      JOIN scangate.ledger_lines l ON l.entry_id = k.entry_id ORDER BY place`;
    return this.#ask(
      text,
      facility,
      names.map(({ scannerId }) => scannerId),
      names.map(({ scanId }) => scanId),
    );
  }

  quarantined(ids: readonly string[]): Promise<{ readonly id: string; readonly sha256: string }[]> {
    return this.#ask(`SELECT id, encode(sha256(raw), 'hex') AS sha256 FROM scangate.quarantine WHERE id = ANY ($1::text[])`, ids);
  }

  resolutions(ids: readonly string[]): Promise<(StoredResolution & { quarantine_id: string })[]> {
    const text = `SELECT quarantine_id, facility_uuid, journal_seq FROM scangate.quarantine_resolutions
      WHERE quarantine_id = ANY ($1::text[])`;
    return this.#ask(text, ids);
  }

  async counts(table: 'suppressed_scan_ids' | 'quarantine' | 'quarantine_resolutions'): Promise<ReadonlyMap<string, number>> {
    const text = `SELECT facility_uuid, count(*) AS number FROM scangate.${table} GROUP BY 1`;
    const rows = await this.#ask<{ facility_uuid: string; number: number }>(text);
    return new Map(rows.map((row) => [row.facility_uuid, row.number]));
  }

  overlaps(): Promise<Overlap[]> {
    return this.#ask(`SELECT facility_uuid, line, next_line FROM (
        SELECT facility_uuid, line, occurred_at + window_ms AS ends_at,
          lead(occurred_at) OVER content AS next_at, lead(line) OVER content AS next_line
        FROM scangate.ledger_lines WINDOW content AS (PARTITION BY facility_uuid, identity ORDER BY occurred_at)
      ) AS l WHERE next_at < ends_at ORDER BY facility_uuid, line`);
  }

  async *#pages<Row extends object>(
    text: string,
    facility: string,
    numberOf: (row: Row) => number,
  ): AsyncGenerator<readonly Row[]> {
    // Numbers begin at 1, but those of damaged rows need not.
    for (let after: number | string = '-9223372036854775808'; ; ) {
      const rows: Row[] = await this.#ask<Row>(text, facility, after, pageRows);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      if (rows.length < pageRows) return;
      after = numberOf(last);
    }
  }

  async #ask<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
    const query: pg.QueryConfig & { query_timeout: number } = { text, values, query_timeout: auditStatementMs };
    return (await this.#client.query<Row>(query)).rows;
  }
}

const everyFacility = [
  ...['facilities', 'journal_records', 'ledger_lines', 'suppressed_scan_ids', 'quarantine', 'quarantine_resolutions'],
]
  .map((table) => `SELECT facility_uuid FROM scangate.${table}`)
  .join(' UNION ');

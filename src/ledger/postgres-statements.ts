/**
 * Every statement of the PostgreSQL ledger, in one place. Rows are named by their columns. Many rows go in, and many questions are asked, as
 * one array for each column; answers carry the number of the question, `n`, from 1.
 */
import type pg from 'pg';
import type { LedgerLine } from './ledger-line.ts';
import { durabilityColumns } from './postgres-pool.ts';
import type { HeadRow, RecordRow } from './stored-rows.ts';

export type ColumnType = 'text' | 'bigint';
export type Columns<Row> = { readonly [Name in keyof Row]: ColumnType };

const lineColumns: Columns<LedgerLine> = {
  facility_uuid: 'text',
  line: 'bigint',
  entry_id: 'text',
  scanner_id: 'text',
  scan_uuid: 'text',
  identity: 'text',
  fingerprint: 'text',
  claim_key: 'text',
  occurred_at: 'bigint',
  received_at: 'bigint',
  window_ms: 'bigint',
  ndc11: 'text',
  ndc12: 'text',
  gtin14: 'text',
  product_name: 'text',
  package_form: 'text',
  units_per_container: 'text',
  lot_number: 'text',
  serial_number: 'text',
  expiration_date: 'text',
  quantity: 'text',
  unit: 'text',
  scan_type: 'text',
  direction: 'text',
  delta: 'text',
  dea_schedule: 'text',
  book: 'text',
  reference: 'text',
  reason: 'text',
  actor: 'text',
  reverses: 'text',
  journal_seq: 'bigint',
};

const recordColumns: Columns<RecordRow> = {
  facility_uuid: 'text',
  seq: 'bigint',
  outcome: 'text',
  scan_uuid: 'text',
  entry_id: 'text',
  record: 'text',
  hash: 'text',
};

export interface SuppressedScanIdRow {
  readonly scan_uuid: string;
  readonly scanner_id: string;
  readonly facility_uuid: string;
  readonly fingerprint: string;
  readonly entry_id: string;
  readonly journal_seq: number;
}

const suppressedScanIdColumns: Columns<SuppressedScanIdRow> = {
  scan_uuid: 'text',
  scanner_id: 'text',
  facility_uuid: 'text',
  fingerprint: 'text',
  entry_id: 'text',
  journal_seq: 'bigint',
};

export interface ResolutionRow {
  readonly quarantine_id: string;
  readonly facility_uuid: string;
  readonly journal_seq: number;
}

const resolutionColumns: Columns<ResolutionRow> = { quarantine_id: 'text', facility_uuid: 'text', journal_seq: 'bigint' };

const headColumns: Columns<HeadRow> = { facility_uuid: 'text', last_line: 'bigint', last_seq: 'bigint', head_hash: 'text' };

export interface ScannerRow {
  readonly facility_uuid: string;
  readonly scanner_id: string;
  readonly last_occurred_at: number;
}

const scannerColumns: Columns<ScannerRow> = { facility_uuid: 'text', scanner_id: 'text', last_occurred_at: 'bigint' };

/** A statement that takes rows, or questions, of one form. */
export interface RowsStatement<Row> {
  readonly name: string;
  readonly text: string;
  readonly columns: Columns<Row>;
}

/** The statement with its rows. Prepared once on each connection, under its name. */
export function withRows<Row extends object>(statement: RowsStatement<Row>, rows: readonly Row[]): pg.QueryConfig {
  const names = Object.keys(statement.columns) as (keyof Row)[];
  return { name: statement.name, text: statement.text, values: names.map((name) => rows.map((row) => row[name])) };
}

/** A statement with single values. */
export function withValues(name: keyof typeof texts, ...values: unknown[]): pg.QueryConfig {
  return { name, text: texts[name], values };
}

/** `unnest($1::text[], …) WITH ORDINALITY AS name (…, n)`: the rows of the parameters. */
function rowsOf<Row extends object>(columns: Columns<Row>, name: string): string {
  const arrays = Object.values<ColumnType>(columns).map((type, index) => `$${index + 1}::${type}[]`);
  return `unnest(${arrays.join(', ')}) WITH ORDINALITY AS ${name} (${Object.keys(columns).join(', ')}, n)`;
}

function insertInto<Row extends object>(table: string, columns: Columns<Row>, end = ''): RowsStatement<Row> {
  const names = Object.keys(columns).join(', ');
  const text = `INSERT INTO scangate.${table} (${names}) SELECT ${names} FROM ${rowsOf(columns, 'r')} ORDER BY n ${end}`;
  return { name: `insert ${table}`, text, columns };
}

function ask<Row extends object>(name: string, columns: Columns<Row>, text: string): RowsStatement<Row> {
  return { name, columns, text: text.replace('QUESTIONS', rowsOf(columns, 'q')) };
}

const knownLine = 'l.facility_uuid, l.entry_id, l.line, l.claim_key, l.occurred_at, l.window_ms, l.scan_uuid';
const ofContent =
  'l.identity_uuid = left(q.identity, 32)::uuid AND l.facility_uuid = q.facility_uuid AND l.identity = q.identity';
const ofScanId = (table: string): string =>
  `${table}.scan_uuid = q.scan_uuid AND ${table}.scanner_id = q.scanner_id AND ${table}.facility_uuid = q.facility_uuid`;

export interface ScanIdQuestion {
  readonly facility_uuid: string;
  readonly scanner_id: string;
  readonly scan_uuid: string;
}

export interface ContentQuestion {
  readonly facility_uuid: string;
  readonly identity: string;
  readonly occurred_at: number;
}

export interface RecordQuestion {
  readonly facility_uuid: string;
  readonly seq: number;
}

export interface SerialQuestion {
  readonly facility_uuid: string;
  readonly ndc12: string | null;
  readonly gtin14: string | null;
  readonly serial_number: string;
}

export interface ScannerQuestion {
  readonly facility_uuid: string;
  readonly scanner_id: string;
}

export const insertLines = insertInto('ledger_lines', lineColumns, 'ON CONFLICT DO NOTHING');
export const insertRecords = insertInto('journal_records', recordColumns);
export const insertSuppressedScanIds = insertInto('suppressed_scan_ids', suppressedScanIdColumns);
export const insertResolutions = insertInto('quarantine_resolutions', resolutionColumns);
export const saveScanners = insertInto(
  'scanners',
  scannerColumns,
  'ON CONFLICT (facility_uuid, scanner_id) DO UPDATE SET last_occurred_at = excluded.last_occurred_at',
);
export const saveHeads: RowsStatement<HeadRow> = {
  name: 'save heads',
  text: `
    UPDATE scangate.facilities f SET last_line = r.last_line, last_seq = r.last_seq, head_hash = r.head_hash
    FROM ${rowsOf(headColumns, 'r')} WHERE f.facility_uuid = r.facility_uuid`,
  columns: headColumns,
};

export const askScanIds = ask<ScanIdQuestion>(
  'scan ids',
  { facility_uuid: 'text', scanner_id: 'text', scan_uuid: 'text' },
  `SELECT q.n, k.* FROM QUESTIONS CROSS JOIN LATERAL (
      SELECT l.fingerprint, l.journal_seq, ${knownLine} FROM scangate.ledger_lines l WHERE ${ofScanId('l')}
      UNION ALL SELECT s.fingerprint, s.journal_seq, ${knownLine}
      FROM scangate.suppressed_scan_ids s JOIN scangate.ledger_lines l ON l.entry_id = s.entry_id WHERE ${ofScanId('s')}
    ) AS k`,
);

/** The nearest line on either side is enough to ask: lines of one content do not overlap each other. */
export const askNearestLines = ask<ContentQuestion>(
  'nearest lines',
  { facility_uuid: 'text', identity: 'text', occurred_at: 'bigint' },
  `SELECT q.n, k.* FROM QUESTIONS CROSS JOIN LATERAL (
      (SELECT ${knownLine} FROM scangate.ledger_lines l
       WHERE ${ofContent} AND l.occurred_at <= q.occurred_at ORDER BY l.occurred_at DESC LIMIT 1)
      UNION ALL
      (SELECT ${knownLine} FROM scangate.ledger_lines l
       WHERE ${ofContent} AND l.occurred_at > q.occurred_at ORDER BY l.occurred_at LIMIT 1)
    ) AS k`,
);

export const askRecords = ask<RecordQuestion>(
  'records by number',
  { facility_uuid: 'text', seq: 'bigint' },
  'SELECT q.n, r.record FROM QUESTIONS JOIN scangate.journal_records r USING (facility_uuid, seq)',
);

export const askSerials = ask<SerialQuestion>(
  'serials',
  { facility_uuid: 'text', ndc12: 'text', gtin14: 'text', serial_number: 'text' },
  `SELECT q.n, k.delta FROM QUESTIONS CROSS JOIN LATERAL (
      SELECT l.delta FROM scangate.ledger_lines l
      WHERE l.serial_number = q.serial_number AND l.facility_uuid = q.facility_uuid
        AND (l.ndc12 = q.ndc12 OR l.gtin14 = q.gtin14) AND l.delta <> '0'
      ORDER BY l.line DESC LIMIT 1
    ) AS k`,
);

export const askScanners = ask<ScannerQuestion>(
  'scanners',
  { facility_uuid: 'text', scanner_id: 'text' },
  'SELECT q.n, s.last_occurred_at FROM QUESTIONS JOIN scangate.scanners s USING (facility_uuid, scanner_id)',
);

export const lineNames = Object.keys(lineColumns).join(', ');
const line = lineNames;

const quarantineEntry = `
    SELECT q.position, q.id, r.record, z.record AS resolution FROM scangate.quarantine q
    JOIN scangate.journal_records r ON r.facility_uuid = q.facility_uuid AND r.seq = q.journal_seq
    LEFT JOIN scangate.quarantine_resolutions s ON s.quarantine_id = q.id
    LEFT JOIN scangate.journal_records z ON z.facility_uuid = s.facility_uuid AND z.seq = s.journal_seq`;

const bookEnd = `
    SELECT $1::text AS facility_uuid,
      coalesce((SELECT max(line) FROM scangate.ledger_lines WHERE facility_uuid = $1), 0) AS last_line,
      coalesce(tail.seq, 0) AS last_seq, coalesce(tail.hash, repeat('0', 64)) AS head_hash
    FROM (SELECT 1) AS one LEFT JOIN (
      SELECT seq, hash FROM scangate.journal_records WHERE facility_uuid = $1 ORDER BY seq DESC LIMIT 1
    ) AS tail ON true`;

const texts = {
  // Sorted, so that two batches never wait for each other.
  addHeads: `
    INSERT INTO scangate.facilities (facility_uuid, last_line, last_seq, head_hash)
    SELECT name, 0, 0, repeat('0', 64) FROM unnest($1::text[]) AS names (name) ORDER BY name COLLATE "C"
    ON CONFLICT DO NOTHING`,
  lockHeads: `
    SELECT facility_uuid, last_line, last_seq, head_hash, ${durabilityColumns}
    FROM scangate.facilities WHERE facility_uuid = ANY ($1::text[]) ORDER BY facility_uuid FOR UPDATE`,
  // Where book and journal end, by their rows and not by the head.
  bookEnd,
  addHeadAtEnd: `INSERT INTO scangate.facilities (facility_uuid, last_line, last_seq, head_hash) ${bookEnd} ON CONFLICT DO NOTHING`,
  recordHash: 'SELECT hash FROM scangate.journal_records WHERE facility_uuid = $1 AND seq = $2',
  saveCheckpoint: `
    INSERT INTO scangate.checkpoints (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,

  settledPosition: 'SELECT scangate.settled_position($1) AS position, scangate.last_position($1) AS last',
  linesPage: `
    SELECT position, ${line} FROM scangate.ledger_lines WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3`,
  linesBefore: `
    SELECT position, ${line} FROM scangate.ledger_lines
    WHERE position < coalesce($1, 9223372036854775807) ORDER BY position DESC LIMIT $2`,
  facilityLinesPage: `
    SELECT line AS position, ${line} FROM scangate.ledger_lines WHERE facility_uuid = $1 AND line > $2 ORDER BY line LIMIT $3`,
  recordsPage: `
    SELECT position, record FROM scangate.journal_records WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3`,
  facilityRecordsPage: `
    SELECT seq AS position, record FROM scangate.journal_records WHERE facility_uuid = $1 AND seq > $2 ORDER BY seq LIMIT $3`,

  lineByEntry: `SELECT ${line} FROM scangate.ledger_lines WHERE entry_id = $1`,
  recordsOfPick: `
    SELECT r.record FROM scangate.ledger_lines l JOIN scangate.journal_records r ON r.entry_id = l.entry_id
    WHERE l.claim_key = $1 ORDER BY l.entry_id, r.position`,
  recordsOfScanId: `
    SELECT r.record FROM (
      SELECT entry_id FROM scangate.ledger_lines WHERE scan_uuid = $1
      UNION SELECT entry_id FROM scangate.suppressed_scan_ids WHERE scan_uuid = $1
    ) AS picks JOIN scangate.journal_records r ON r.entry_id = picks.entry_id ORDER BY picks.entry_id, r.position`,
  rejectedOfScanId: `
    SELECT record FROM scangate.journal_records WHERE outcome = 'rejected' AND scan_uuid = $1 ORDER BY position`,
  quarantinePage: `
    ${quarantineEntry} WHERE q.position > $1 AND q.position <= $2 AND ($3::boolean OR s.quarantine_id IS NULL)
    ORDER BY q.position LIMIT $4`,
  facilityQuarantinePage: `
    ${quarantineEntry} WHERE q.facility_uuid = $1 AND q.position > $2 AND ($3::boolean OR s.quarantine_id IS NULL)
    ORDER BY q.position LIMIT $4`,
  quarantineEntry: `${quarantineEntry} WHERE q.id = $1`,
  quarantined: 'SELECT raw FROM scangate.quarantine WHERE id = $1',
  checkpoint: 'SELECT value FROM scangate.checkpoints WHERE key = $1',
  status: `
    SELECT (SELECT record FROM scangate.journal_records ORDER BY position DESC LIMIT 1) AS record,
      (SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
       WHERE s.nspname = 'scangate' AND c.relkind = 'r') AS bytes`,
};

/** For as many inputs as are given at once: bytes go in as they are, which an array of them does not. */
export function insertQuarantined(rows: readonly (readonly [string, string, number, Buffer])[]): pg.QueryConfig {
  const places = rows.map((_, row) => `($${row * 4 + 1}, $${row * 4 + 2}, $${row * 4 + 3}, $${row * 4 + 4})`);
  return {
    text: `INSERT INTO scangate.quarantine (id, facility_uuid, journal_seq, raw) VALUES ${places.join(', ')}`,
    values: rows.flat(),
  };
}

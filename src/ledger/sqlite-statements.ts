import type Database from 'better-sqlite3';

const lineColumns = [
  'facility_uuid',
  'line',
  'entry_id',
  'scanner_id',
  'scan_uuid',
  'identity',
  'fingerprint',
  'claim_key',
  'occurred_at',
  'received_at',
  'window_ms',
  'ndc11',
  'ndc12',
  'gtin14',
  'product_name',
  'package_form',
  'units_per_container',
  'lot_number',
  'serial_number',
  'expiration_date',
  'quantity',
  'unit',
  'scan_type',
  'direction',
  'delta',
  'dea_schedule',
  'book',
  'reference',
  'reason',
  'actor',
  'reverses',
  'journal_seq',
];

const knownLine = 'facility_uuid, entry_id, line, claim_key, occurred_at, window_ms, scan_uuid';

const quarantineEntry = `
    SELECT q.position, q.id, r.record, z.record AS resolution FROM quarantine q
    JOIN journal_records r ON r.facility_uuid = q.facility_uuid AND r.seq = q.journal_seq
    LEFT JOIN quarantine_resolutions s ON s.quarantine_id = q.id
    LEFT JOIN journal_records z ON z.facility_uuid = s.facility_uuid AND z.seq = s.journal_seq`;

/** Every statement of the ledger, in one place. Rows are named by their columns. */
const texts = {
  head: 'SELECT last_line, last_seq, head_hash FROM facilities WHERE facility_uuid = ?',
  saveHead: `
    INSERT INTO facilities (facility_uuid, last_line, last_seq, head_hash) VALUES (?, ?, ?, ?)
    ON CONFLICT (facility_uuid) DO UPDATE SET last_line = excluded.last_line, last_seq = excluded.last_seq, head_hash = excluded.head_hash`,
  facilityNames: `
    SELECT facility_uuid FROM facilities UNION SELECT facility_uuid FROM journal_records
    UNION SELECT facility_uuid FROM ledger_lines UNION SELECT facility_uuid FROM suppressed_scan_ids
    UNION SELECT facility_uuid FROM quarantine UNION SELECT facility_uuid FROM quarantine_resolutions ORDER BY 1`,

  insertLine: `INSERT INTO ledger_lines (${lineColumns.join(', ')}) VALUES (${lineColumns.map((c) => `@${c}`).join(', ')})`,
  lineBefore: `
    SELECT ${knownLine} FROM ledger_lines
    WHERE identity = ? AND facility_uuid = ? AND occurred_at <= ? ORDER BY occurred_at DESC LIMIT 1`,
  lineAfter: `
    SELECT ${knownLine} FROM ledger_lines
    WHERE identity = ? AND facility_uuid = ? AND occurred_at > ? ORDER BY occurred_at LIMIT 1`,
  // Named, because without statistics the order by line would have the whole facility read backwards.
  lastDeltaOfSerial: `
    SELECT delta FROM ledger_lines INDEXED BY ledger_lines_serial
    WHERE serial_number = ? AND facility_uuid = ? AND (ndc12 = ? OR gtin14 = ?) AND delta <> '0'
    ORDER BY line DESC LIMIT 1`,
  lineByEntry: `SELECT ${lineColumns.join(', ')} FROM ledger_lines WHERE entry_id = ?`,
  linesPage: `SELECT position, ${lineColumns.join(', ')} FROM ledger_lines WHERE position > ? ORDER BY position LIMIT ?`,
  linesBefore: `
    SELECT position, ${lineColumns.join(', ')} FROM ledger_lines
    WHERE position < coalesce(?, 9223372036854775807) ORDER BY position DESC LIMIT ?`,
  facilityLinesPage: `
    SELECT line AS position, ${lineColumns.join(', ')} FROM ledger_lines
    WHERE facility_uuid = ? AND line > ? ORDER BY line LIMIT ?`,
  facilityLines: `SELECT ${lineColumns.join(', ')} FROM ledger_lines WHERE facility_uuid = ? ORDER BY line`,
  overlaps: `
    SELECT facility_uuid, line, next_line FROM (
      SELECT facility_uuid, line, occurred_at + window_ms AS ends_at,
        lead(occurred_at) OVER content AS next_at, lead(line) OVER content AS next_line
      FROM ledger_lines WINDOW content AS (PARTITION BY facility_uuid, identity ORDER BY occurred_at)
    ) WHERE next_at < ends_at ORDER BY facility_uuid, line`,

  tail: `
    SELECT coalesce((SELECT max(line) FROM ledger_lines WHERE facility_uuid = @facility_uuid), 0) AS last_line, seq AS last_seq, hash AS head_hash
    FROM journal_records WHERE facility_uuid = @facility_uuid ORDER BY seq DESC LIMIT 1`,
  insertRecord: `
    INSERT INTO journal_records (facility_uuid, seq, outcome, scan_uuid, entry_id, record, hash)
    VALUES (@facility_uuid, @seq, @outcome, @scan_uuid, @entry_id, @record, @hash)`,
  recordBySeq: 'SELECT record FROM journal_records WHERE facility_uuid = ? AND seq = ?',
  recordColumns: 'SELECT outcome, entry_id FROM journal_records WHERE facility_uuid = ? AND seq = ?',
  recordsPage: 'SELECT position, record FROM journal_records WHERE position > ? ORDER BY position LIMIT ?',
  facilityRecordsPage: `
    SELECT seq AS position, record FROM journal_records WHERE facility_uuid = ? AND seq > ? ORDER BY seq LIMIT ?`,
  facilityRecords: `
    SELECT seq, outcome, scan_uuid, entry_id, record, hash FROM journal_records WHERE facility_uuid = ? ORDER BY seq`,
  entriesOfClaim: 'SELECT entry_id FROM ledger_lines WHERE claim_key = ?',
  recordsOfEntry: 'SELECT record FROM journal_records WHERE entry_id = ? ORDER BY position',
  entriesOfScanId: `
    SELECT entry_id FROM ledger_lines WHERE scan_uuid = @scan_uuid
    UNION SELECT entry_id FROM suppressed_scan_ids WHERE scan_uuid = @scan_uuid ORDER BY 1`,
  rejectedOfScanId: `SELECT record FROM journal_records WHERE outcome = 'rejected' AND scan_uuid = ? ORDER BY position`,

  committedScanId: `
    SELECT fingerprint, journal_seq, ${knownLine} FROM ledger_lines
    WHERE scan_uuid = ? AND scanner_id = ? AND facility_uuid = ?`,
  suppressedScanId: `
    SELECT s.fingerprint, s.journal_seq, l.facility_uuid, l.entry_id, l.line, l.claim_key, l.occurred_at, l.window_ms, l.scan_uuid
    FROM suppressed_scan_ids s JOIN ledger_lines l ON l.entry_id = s.entry_id
    WHERE s.scan_uuid = ? AND s.scanner_id = ? AND s.facility_uuid = ?`,
  suppressedScanIdCounts: 'SELECT facility_uuid, count(*) FROM suppressed_scan_ids GROUP BY facility_uuid',
  insertSuppressedScanId: `
    INSERT INTO suppressed_scan_ids (scan_uuid, scanner_id, facility_uuid, fingerprint, entry_id, journal_seq)
    VALUES (?, ?, ?, ?, ?, ?)`,

  scanner: 'SELECT last_occurred_at FROM scanners WHERE facility_uuid = ? AND scanner_id = ?',
  saveScanner: `
    INSERT INTO scanners (facility_uuid, scanner_id, last_occurred_at) VALUES (?, ?, ?)
    ON CONFLICT (facility_uuid, scanner_id) DO UPDATE SET last_occurred_at = excluded.last_occurred_at`,

  insertQuarantined: 'INSERT INTO quarantine (id, facility_uuid, journal_seq, raw) VALUES (?, ?, ?, ?)',
  quarantinedCounts: 'SELECT facility_uuid, count(*) FROM quarantine GROUP BY facility_uuid',
  quarantined: 'SELECT raw FROM quarantine WHERE id = ?',
  quarantinePage: `
    ${quarantineEntry} WHERE q.position > @after AND (@facility IS NULL OR q.facility_uuid = @facility)
      AND (@open = 0 OR s.quarantine_id IS NULL) ORDER BY q.position LIMIT @limit`,
  quarantineEntry: `${quarantineEntry} WHERE q.id = ?`,
  insertResolution: 'INSERT INTO quarantine_resolutions (quarantine_id, facility_uuid, journal_seq) VALUES (?, ?, ?)',
  resolution: 'SELECT facility_uuid, journal_seq FROM quarantine_resolutions WHERE quarantine_id = ?',
  resolutionCounts: 'SELECT facility_uuid, count(*) FROM quarantine_resolutions GROUP BY facility_uuid',

  checkpoint: 'SELECT value FROM checkpoints WHERE key = ?',
  saveCheckpoint: 'INSERT INTO checkpoints (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',

  lastDecidedAt: `SELECT json_extract(record, '$.decided_at') FROM journal_records ORDER BY position DESC LIMIT 1`,
};

/** Those that give one column, as values instead of rows. */
const plucked: readonly (keyof typeof texts)[] = [
  'facilityNames',
  'recordBySeq',
  'entriesOfClaim',
  'recordsOfEntry',
  'entriesOfScanId',
  'rejectedOfScanId',
  'scanner',
  'lastDeltaOfSerial',
  'quarantined',
  'checkpoint',
  'lastDecidedAt',
];

export type Statements = { readonly [Name in keyof typeof texts]: Database.Statement };

export function prepareStatements(database: Database.Database): Statements {
  const names = Object.keys(texts) as (keyof typeof texts)[];
  const entries = names.map((name) => {
    const statement = database.prepare(texts[name]);
    return [name, plucked.includes(name) ? statement.pluck() : statement];
  });
  return Object.fromEntries(entries) as Statements;
}

/** Version of the schema below, kept in `PRAGMA user_version`. A file of another version is refused, never altered in passing. */
export const schemaVersion = 1;

/** ASCII "SCGT", kept in `PRAGMA application_id`: tells a ledger from any other SQLite file. */
export const applicationId = 0x53434754;

/**
 * Append-only tables. R1, R2 and the reference of R4 are held here as well, by triggers, so that they hold for every writer: foreign
 * keys are off in a connection that does not ask for them. Each trigger also stops `INSERT OR REPLACE`, which would delete without
 * asking the delete triggers.
 *
 * The nearest line on either side is enough to ask: lines of one content do not overlap each other.
 */
export const schemaSql = `
CREATE TABLE facilities (
  facility_uuid TEXT PRIMARY KEY,
  last_line INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  head_hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger_lines (
  position INTEGER PRIMARY KEY CHECK (position > 0),
  facility_uuid TEXT NOT NULL,
  line INTEGER NOT NULL CHECK (line > 0),
  entry_id TEXT NOT NULL UNIQUE,
  scanner_id TEXT NOT NULL,
  scan_uuid TEXT,
  identity TEXT NOT NULL CHECK (length(identity) = 64 AND identity NOT GLOB '*[^0-9a-f]*'),
  fingerprint TEXT NOT NULL,
  claim_key TEXT NOT NULL,
  occurred_at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  window_ms INTEGER NOT NULL CHECK (window_ms > 0),
  ndc11 TEXT,
  ndc12 TEXT,
  gtin14 TEXT,
  product_name TEXT,
  package_form TEXT,
  units_per_container TEXT,
  lot_number TEXT,
  serial_number TEXT,
  expiration_date TEXT,
  quantity TEXT NOT NULL,
  unit TEXT NOT NULL,
  scan_type TEXT NOT NULL,
  direction TEXT,
  delta TEXT NOT NULL,
  dea_schedule TEXT NOT NULL,
  book TEXT NOT NULL,
  reference TEXT,
  reason TEXT,
  actor TEXT,
  reverses TEXT UNIQUE REFERENCES ledger_lines (entry_id),
  journal_seq INTEGER NOT NULL,
  UNIQUE (facility_uuid, line),
  CHECK (ndc11 IS NOT NULL OR ndc12 IS NOT NULL OR gtin14 IS NOT NULL)
) STRICT;
CREATE INDEX ledger_lines_identity ON ledger_lines (identity, facility_uuid, occurred_at);
CREATE INDEX ledger_lines_serial ON ledger_lines (serial_number, facility_uuid) WHERE serial_number IS NOT NULL;
CREATE INDEX ledger_lines_claim ON ledger_lines (claim_key);
CREATE UNIQUE INDEX ledger_lines_scan ON ledger_lines (scan_uuid, scanner_id, facility_uuid) WHERE scan_uuid IS NOT NULL;

CREATE TABLE journal_records (
  position INTEGER PRIMARY KEY CHECK (position > 0),
  facility_uuid TEXT NOT NULL,
  seq INTEGER NOT NULL CHECK (seq > 0),
  outcome TEXT NOT NULL,
  scan_uuid TEXT,
  entry_id TEXT REFERENCES ledger_lines (entry_id),
  record TEXT NOT NULL,
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  UNIQUE (facility_uuid, seq),
  CHECK (outcome IN ('rejected', 'discarded', 'breaks_accepted') OR entry_id IS NOT NULL)
) STRICT;
CREATE INDEX journal_records_entry ON journal_records (entry_id) WHERE entry_id IS NOT NULL;
CREATE INDEX journal_records_rejected ON journal_records (scan_uuid) WHERE outcome = 'rejected' AND scan_uuid IS NOT NULL;

-- Scan ids that were suppressed by content: from then on they mean the line that they were suppressed for.
CREATE TABLE suppressed_scan_ids (
  scan_uuid TEXT NOT NULL,
  scanner_id TEXT NOT NULL,
  facility_uuid TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  entry_id TEXT NOT NULL REFERENCES ledger_lines (entry_id),
  journal_seq INTEGER NOT NULL,
  PRIMARY KEY (scan_uuid, scanner_id, facility_uuid)
) STRICT, WITHOUT ROWID;

CREATE TABLE quarantine (
  position INTEGER PRIMARY KEY CHECK (position > 0),
  id TEXT NOT NULL UNIQUE,
  facility_uuid TEXT NOT NULL,
  journal_seq INTEGER NOT NULL,
  raw BLOB NOT NULL
) STRICT;

-- What was released or discarded, at most once, and the record that says by whom.
CREATE TABLE quarantine_resolutions (
  quarantine_id TEXT PRIMARY KEY REFERENCES quarantine (id),
  facility_uuid TEXT NOT NULL,
  journal_seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE scanners (
  facility_uuid TEXT NOT NULL,
  scanner_id TEXT NOT NULL,
  last_occurred_at INTEGER NOT NULL,
  PRIMARY KEY (facility_uuid, scanner_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoints (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

${['INSERT', 'UPDATE']
  .map(
    (act) => `
CREATE TRIGGER facilities_${act.toLowerCase()} BEFORE ${act} ON facilities
WHEN NEW.last_line NOT IN (
    coalesce((SELECT max(line) FROM ledger_lines WHERE facility_uuid = NEW.facility_uuid), 0),
    coalesce((SELECT last_line FROM facilities WHERE facility_uuid = NEW.facility_uuid), 0))
  OR NEW.last_seq <> coalesce((SELECT max(seq) FROM journal_records WHERE facility_uuid = NEW.facility_uuid), 0)
  OR NEW.head_hash <> coalesce((
    SELECT hash FROM journal_records WHERE facility_uuid = NEW.facility_uuid ORDER BY seq DESC LIMIT 1), '')
BEGIN
  SELECT RAISE(ABORT, 'The head of a facility is where its book and journal end');
END;`,
  )
  .join('\n')}

CREATE TRIGGER facilities_delete BEFORE DELETE ON facilities
BEGIN
  SELECT RAISE(ABORT, 'The head of a facility is kept');
END;

CREATE TRIGGER ledger_lines_window BEFORE INSERT ON ledger_lines
WHEN EXISTS (
  SELECT 1 FROM (
    SELECT occurred_at, window_ms FROM ledger_lines
    WHERE facility_uuid = NEW.facility_uuid AND identity = NEW.identity AND occurred_at <= NEW.occurred_at
    ORDER BY occurred_at DESC LIMIT 1
  ) WHERE occurred_at + window_ms > NEW.occurred_at
) OR EXISTS (
  SELECT 1 FROM ledger_lines
  WHERE facility_uuid = NEW.facility_uuid AND identity = NEW.identity
    AND occurred_at > NEW.occurred_at AND occurred_at < NEW.occurred_at + NEW.window_ms
)
BEGIN
  SELECT RAISE(ABORT, 'R2: a line of this content within the window exists');
END;

CREATE TRIGGER ledger_lines_append BEFORE INSERT ON ledger_lines
WHEN NEW.line <> 1 + coalesce((SELECT max(line) FROM ledger_lines WHERE facility_uuid = NEW.facility_uuid), 0)
  OR EXISTS (SELECT 1 FROM ledger_lines WHERE entry_id = NEW.entry_id)
  OR EXISTS (SELECT 1 FROM ledger_lines WHERE position = NEW.position)
  OR (NEW.reverses IS NOT NULL AND EXISTS (SELECT 1 FROM ledger_lines WHERE reverses = NEW.reverses))
  OR (NEW.scan_uuid IS NOT NULL AND EXISTS (
    SELECT 1 FROM ledger_lines
    WHERE scan_uuid = NEW.scan_uuid AND scanner_id = NEW.scanner_id AND facility_uuid = NEW.facility_uuid
    UNION ALL SELECT 1 FROM suppressed_scan_ids
    WHERE scan_uuid = NEW.scan_uuid AND scanner_id = NEW.scanner_id AND facility_uuid = NEW.facility_uuid))
BEGIN
  SELECT RAISE(ABORT, 'R1: lines are numbered without gaps, and each scan id and entry has one');
END;

CREATE TRIGGER journal_records_append BEFORE INSERT ON journal_records
WHEN NEW.seq <> 1 + coalesce((SELECT max(seq) FROM journal_records WHERE facility_uuid = NEW.facility_uuid), 0)
  OR EXISTS (SELECT 1 FROM journal_records WHERE position = NEW.position)
BEGIN
  SELECT RAISE(ABORT, 'R6: records are numbered without gaps');
END;

${[
  ['ledger_lines', 'reverses'],
  ['journal_records', 'entry_id'],
  ['suppressed_scan_ids', 'entry_id'],
]
  .map(
    ([table, column]) => `
CREATE TRIGGER ${table}_reference BEFORE INSERT ON ${table}
WHEN NEW.${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ledger_lines WHERE entry_id = NEW.${column})
BEGIN
  SELECT RAISE(ABORT, 'R4: the line that is referred to does not exist');
END;`,
  )
  .join('\n')}

CREATE TRIGGER suppressed_scan_ids_append BEFORE INSERT ON suppressed_scan_ids
WHEN EXISTS (
  SELECT 1 FROM suppressed_scan_ids
  WHERE scan_uuid = NEW.scan_uuid AND scanner_id = NEW.scanner_id AND facility_uuid = NEW.facility_uuid
) OR EXISTS (
  SELECT 1 FROM ledger_lines
  WHERE scan_uuid = NEW.scan_uuid AND scanner_id = NEW.scanner_id AND facility_uuid = NEW.facility_uuid)
BEGIN
  SELECT RAISE(ABORT, 'R1: the outcome of a scan id is kept');
END;

CREATE TRIGGER quarantine_append BEFORE INSERT ON quarantine
WHEN EXISTS (SELECT 1 FROM quarantine WHERE id = NEW.id OR position = NEW.position)
BEGIN
  SELECT RAISE(ABORT, 'R6: what was received is kept');
END;

CREATE TRIGGER quarantine_resolutions_append BEFORE INSERT ON quarantine_resolutions
WHEN EXISTS (SELECT 1 FROM quarantine_resolutions WHERE quarantine_id = NEW.quarantine_id)
  OR NOT EXISTS (SELECT 1 FROM quarantine WHERE id = NEW.quarantine_id)
BEGIN
  SELECT RAISE(ABORT, 'What was rejected is released or discarded once');
END;
${['ledger_lines', 'journal_records', 'suppressed_scan_ids', 'quarantine', 'quarantine_resolutions']
  .flatMap((table) =>
    ['UPDATE', 'DELETE'].map(
      (act) => `
CREATE TRIGGER ${table}_${act.toLowerCase()} BEFORE ${act} ON ${table}
BEGIN
  SELECT RAISE(ABORT, '${table} is append-only');
END;`,
    ),
  )
  .join('\n')}
`;

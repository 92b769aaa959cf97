-- The books of every facility. Append-only: R1, R2, the reference of R4 and numbers without gaps are held here, so that they hold for
-- every writer. Text is compared byte by byte. Times are epoch milliseconds.

CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE scangate.facilities (
  facility_uuid text COLLATE "C" PRIMARY KEY,
  last_line bigint NOT NULL,
  last_seq bigint NOT NULL,
  head_hash text COLLATE "C" NOT NULL
);

CREATE TABLE scangate.ledger_lines (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  facility_uuid text COLLATE "C" NOT NULL,
  line bigint NOT NULL CHECK (line > 0),
  entry_id text COLLATE "C" NOT NULL UNIQUE,
  scanner_id text COLLATE "C" NOT NULL,
  scan_uuid text COLLATE "C",
  identity text COLLATE "C" NOT NULL CHECK (identity ~ '^[0-9a-f]{64}$'),
  identity_uuid uuid NOT NULL GENERATED ALWAYS AS (left(identity, 32)::uuid) STORED,
  fingerprint text COLLATE "C" NOT NULL,
  claim_key text COLLATE "C" NOT NULL,
  occurred_at bigint NOT NULL,
  received_at bigint NOT NULL,
  window_ms bigint NOT NULL CHECK (window_ms > 0),
  ndc11 text COLLATE "C",
  ndc12 text COLLATE "C",
  gtin14 text COLLATE "C",
  product_name text COLLATE "C",
  package_form text COLLATE "C",
  units_per_container text COLLATE "C",
  lot_number text COLLATE "C",
  serial_number text COLLATE "C",
  expiration_date text COLLATE "C",
  quantity text COLLATE "C" NOT NULL,
  unit text COLLATE "C" NOT NULL,
  scan_type text COLLATE "C" NOT NULL,
  direction text COLLATE "C",
  delta text COLLATE "C" NOT NULL,
  dea_schedule text COLLATE "C" NOT NULL,
  book text COLLATE "C" NOT NULL,
  reference text COLLATE "C",
  reason text COLLATE "C",
  actor text COLLATE "C",
  reverses text COLLATE "C" REFERENCES scangate.ledger_lines (entry_id),
  journal_seq bigint NOT NULL,
  UNIQUE (facility_uuid, line),
  CHECK (ndc11 IS NOT NULL OR ndc12 IS NOT NULL OR gtin14 IS NOT NULL),
  -- R2. The first 128 bits of the content identity stand for it: a uuid is compared faster than text.
  CONSTRAINT ledger_lines_window EXCLUDE USING gist (
    identity_uuid WITH =, facility_uuid WITH =, int8range(occurred_at, occurred_at + window_ms) WITH &&)
);
-- R1.
CREATE UNIQUE INDEX ledger_lines_scan ON scangate.ledger_lines (scan_uuid, scanner_id, facility_uuid) WHERE scan_uuid IS NOT NULL;
CREATE UNIQUE INDEX ledger_lines_reverses ON scangate.ledger_lines (reverses) WHERE reverses IS NOT NULL;
CREATE INDEX ledger_lines_identity ON scangate.ledger_lines (identity_uuid, occurred_at);
CREATE INDEX ledger_lines_serial ON scangate.ledger_lines (serial_number, facility_uuid, line) WHERE serial_number IS NOT NULL;
CREATE INDEX ledger_lines_claim ON scangate.ledger_lines (claim_key);

CREATE TABLE scangate.journal_records (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  facility_uuid text COLLATE "C" NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  outcome text COLLATE "C" NOT NULL,
  scan_uuid text COLLATE "C",
  -- R4.
  entry_id text COLLATE "C" REFERENCES scangate.ledger_lines (entry_id),
  record text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL CHECK (length(hash) = 64),
  UNIQUE (facility_uuid, seq),
  CHECK (outcome IN ('rejected', 'discarded', 'breaks_accepted') OR entry_id IS NOT NULL)
);
CREATE INDEX journal_records_entry ON scangate.journal_records (entry_id) WHERE entry_id IS NOT NULL;
CREATE INDEX journal_records_rejected ON scangate.journal_records (scan_uuid) WHERE outcome = 'rejected' AND scan_uuid IS NOT NULL;

-- Scan ids that were suppressed by content: from then on they mean the line that they were suppressed for.
CREATE TABLE scangate.suppressed_scan_ids (
  scan_uuid text COLLATE "C" NOT NULL,
  scanner_id text COLLATE "C" NOT NULL,
  facility_uuid text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  entry_id text COLLATE "C" NOT NULL REFERENCES scangate.ledger_lines (entry_id),
  journal_seq bigint NOT NULL,
  PRIMARY KEY (scan_uuid, scanner_id, facility_uuid)
);

CREATE TABLE scangate.quarantine (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  facility_uuid text COLLATE "C" NOT NULL,
  journal_seq bigint NOT NULL,
  raw bytea NOT NULL
);

CREATE INDEX quarantine_facility ON scangate.quarantine (facility_uuid, position);

-- What was released or discarded, at most once, and the record that says by whom.
CREATE TABLE scangate.quarantine_resolutions (
  quarantine_id text COLLATE "C" PRIMARY KEY REFERENCES scangate.quarantine (id),
  facility_uuid text COLLATE "C" NOT NULL,
  journal_seq bigint NOT NULL
);

CREATE TABLE scangate.scanners (
  facility_uuid text COLLATE "C" NOT NULL,
  scanner_id text COLLATE "C" NOT NULL,
  last_occurred_at bigint NOT NULL,
  PRIMARY KEY (facility_uuid, scanner_id)
);

CREATE TABLE scangate.checkpoints (
  key text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);

-- What is written is never changed and never taken back.

CREATE FUNCTION scangate.refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'SG001';
END $$;

CREATE FUNCTION scangate.refuse_loss() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  RAISE EXCEPTION 'The head of a facility is kept' USING ERRCODE = 'SG001';
END $$;

CREATE TRIGGER ledger_lines_change BEFORE UPDATE OR DELETE OR TRUNCATE ON scangate.ledger_lines
  FOR EACH STATEMENT EXECUTE FUNCTION scangate.refuse_change();
CREATE TRIGGER journal_records_change BEFORE UPDATE OR DELETE OR TRUNCATE ON scangate.journal_records
  FOR EACH STATEMENT EXECUTE FUNCTION scangate.refuse_change();
CREATE TRIGGER suppressed_scan_ids_change BEFORE UPDATE OR DELETE OR TRUNCATE ON scangate.suppressed_scan_ids
  FOR EACH STATEMENT EXECUTE FUNCTION scangate.refuse_change();
CREATE TRIGGER quarantine_change BEFORE UPDATE OR DELETE OR TRUNCATE ON scangate.quarantine
  FOR EACH STATEMENT EXECUTE FUNCTION scangate.refuse_change();
CREATE TRIGGER quarantine_resolutions_change BEFORE UPDATE OR DELETE OR TRUNCATE ON scangate.quarantine_resolutions
  FOR EACH STATEMENT EXECUTE FUNCTION scangate.refuse_change();
CREATE TRIGGER facilities_loss BEFORE DELETE OR TRUNCATE ON scangate.facilities
  FOR EACH STATEMENT EXECUTE FUNCTION scangate.refuse_loss();

-- A position is given before it is committed, so a reader must know who is still writing. Each writer holds a shared advisory lock whose
-- key is the last position given before its own: 16 bits "SG", 4 bits for the table, 44 bits for the position.

CREATE FUNCTION scangate.last_position(table_number bigint) RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
  last bigint;
BEGIN
  IF table_number = 1 THEN
    SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO last FROM scangate.ledger_lines_position_seq;
  ELSIF table_number = 2 THEN
    SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO last FROM scangate.journal_records_position_seq;
  ELSE
    SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO last FROM scangate.quarantine_position_seq;
  END IF;
  RETURN last;
END $$;

CREATE FUNCTION scangate.begin_positions() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
  table_number bigint := TG_ARGV[0];
BEGIN
  PERFORM pg_advisory_xact_lock_shared((21319::bigint << 48) | (table_number << 44) | scangate.last_position(table_number));
  RETURN NULL;
END $$;

CREATE TRIGGER ledger_lines_positions BEFORE INSERT ON scangate.ledger_lines
  FOR EACH STATEMENT EXECUTE FUNCTION scangate.begin_positions(1);
CREATE TRIGGER journal_records_positions BEFORE INSERT ON scangate.journal_records
  FOR EACH STATEMENT EXECUTE FUNCTION scangate.begin_positions(2);
CREATE TRIGGER quarantine_positions BEFORE INSERT ON scangate.quarantine
  FOR EACH STATEMENT EXECUTE FUNCTION scangate.begin_positions(3);

-- The position up to which nothing can appear any more. First where the positions end, then who holds a lock: a writer that comes between
-- the two gets later positions. Rows are to be read in a later statement, which sees what was committed by then.
CREATE FUNCTION scangate.settled_position(table_number bigint) RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
  last bigint;
  held bigint;
BEGIN
  last := scangate.last_position(table_number);
  SELECT min(key & ((1::bigint << 44) - 1)) INTO held FROM (
    SELECT (classid::bigint << 32) | objid::bigint AS key FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) AS locks WHERE key >> 44 = (21319::bigint << 4) | table_number;
  RETURN least(last, held);
END $$;

-- Whoever adds rows takes the lock of their facilities, also a writer that did not ask for it. The heads have to be there.

CREATE FUNCTION scangate.lock_heads(names text[]) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
  found_count bigint;
BEGIN
  SELECT count(*) INTO found_count FROM (
    SELECT 1 FROM scangate.facilities WHERE facility_uuid = ANY (names) ORDER BY facility_uuid FOR UPDATE
  ) AS heads;
  IF found_count <> cardinality(names) THEN
    RAISE EXCEPTION 'A facility without a head' USING ERRCODE = 'SG001';
  END IF;
END $$;

CREATE FUNCTION scangate.lines_added() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  PERFORM scangate.lock_heads(ARRAY(SELECT DISTINCT facility_uuid FROM added));
  IF EXISTS (
    SELECT 1 FROM (SELECT facility_uuid, min(line) AS first, max(line) AS last, count(*) AS number FROM added GROUP BY 1) AS a
    WHERE a.number <> a.last - a.first + 1 OR a.first > 1 AND NOT EXISTS (
      SELECT 1 FROM scangate.ledger_lines l WHERE l.facility_uuid = a.facility_uuid AND l.line = a.first - 1)
  ) THEN
    RAISE EXCEPTION 'R1: lines are numbered without gaps' USING ERRCODE = 'SG001';
  END IF;
  IF EXISTS (
    SELECT 1 FROM added a JOIN scangate.suppressed_scan_ids s USING (scan_uuid, scanner_id, facility_uuid)
    WHERE a.scan_uuid IS NOT NULL
  ) THEN
    RAISE EXCEPTION 'R1: the outcome of a scan id is kept' USING ERRCODE = 'SG001';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER ledger_lines_added AFTER INSERT ON scangate.ledger_lines REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION scangate.lines_added();

CREATE FUNCTION scangate.records_added() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  PERFORM scangate.lock_heads(ARRAY(SELECT DISTINCT facility_uuid FROM added));
  IF EXISTS (
    SELECT 1 FROM (SELECT facility_uuid, min(seq) AS first, max(seq) AS last, count(*) AS number FROM added GROUP BY 1) AS a
    WHERE a.number <> a.last - a.first + 1 OR a.first > 1 AND NOT EXISTS (
      SELECT 1 FROM scangate.journal_records r WHERE r.facility_uuid = a.facility_uuid AND r.seq = a.first - 1)
  ) THEN
    RAISE EXCEPTION 'R6: records are numbered without gaps' USING ERRCODE = 'SG001';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER journal_records_added AFTER INSERT ON scangate.journal_records REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION scangate.records_added();

CREATE FUNCTION scangate.scan_ids_added() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  PERFORM scangate.lock_heads(ARRAY(SELECT DISTINCT facility_uuid FROM added));
  IF EXISTS (SELECT 1 FROM added JOIN scangate.ledger_lines l USING (scan_uuid, scanner_id, facility_uuid)) THEN
    RAISE EXCEPTION 'R1: the outcome of a scan id is kept' USING ERRCODE = 'SG001';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER suppressed_scan_ids_added AFTER INSERT ON scangate.suppressed_scan_ids REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION scangate.scan_ids_added();

CREATE FUNCTION scangate.head_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
  known_line bigint := CASE WHEN TG_OP = 'UPDATE' THEN OLD.last_line ELSE 0 END;
  book_line bigint;
  tail record;
BEGIN
  SELECT max(line) INTO book_line FROM scangate.ledger_lines WHERE facility_uuid = NEW.facility_uuid;
  SELECT seq, hash INTO tail FROM scangate.journal_records WHERE facility_uuid = NEW.facility_uuid ORDER BY seq DESC LIMIT 1;
  IF NEW.last_line NOT IN (coalesce(book_line, 0), known_line)
    OR NEW.last_seq <> coalesce(tail.seq, 0)
    OR NEW.head_hash <> coalesce(tail.hash, repeat('0', 64))
    OR TG_OP = 'UPDATE' AND NEW.facility_uuid <> OLD.facility_uuid
  THEN
    RAISE EXCEPTION 'The head of a facility is where its book and journal end' USING ERRCODE = 'SG001';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER facilities_move AFTER INSERT OR UPDATE ON scangate.facilities
  FOR EACH ROW EXECUTE FUNCTION scangate.head_moves();

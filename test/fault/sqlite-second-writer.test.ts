import { spawnSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { LedgerLine } from '../../src/ledger/ledger-line.ts';
import type { SqliteBooks } from '../../src/ledger/sqlite-books.ts';
import { noon, rejectionAt, scanAt } from '../../src/testing/wire-scans.ts';
import { afterThisTest, openBooks } from './sqlite-folder.ts';

/** What tries to write to the file beside us: an error message, or nothing when it could. */
type Writer = (path: string, sql: string) => string | undefined;

/** As any program may open the file; foreign keys are on. */
const driver: Writer = (path, sql) => {
  const database = new Database(path);
  try {
    database.exec(sql);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    database.close();
  }
};

/** As a person may open it; foreign keys are off. */
const shell: Writer = (path, sql) => {
  const { status, stderr, error } = spawnSync('sqlite3', ['-bail', path, sql], { encoding: 'utf8' });
  if (error !== undefined) throw error;
  return status === 0 ? undefined : stderr;
};

type Row = Readonly<Record<string, string | number | null>>;

function literal(value: string | number | null): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

function insert(table: string, row: Row, verb = 'INSERT'): string {
  return `${verb} INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')})`;
}

const hash = 'f'.repeat(64);

/** A ledger with a line at noon (scan id A), an id suppressed by it (B) and one input in quarantine: records 1 to 3. */
function openLedger(): { books: SqliteBooks; line: LedgerLine } {
  const books = openBooks();
  books.append([scanAt(0, { scan_uuid: 'A' }), scanAt(100, { scan_uuid: 'B' }), rejectionAt(200)]);
  const [line] = books.lines({ limit: 1 }).items;
  if (line === undefined) throw new TypeError('There is no line.');
  return { books, line };
}

/** The next line as the gate would write it, of the same content, an hour later and under no id, with changes. */
function nextLine(line: LedgerLine, changes: Row = {}): Row {
  const next = { ...line, line: 2, entry_id: 'e2', scan_uuid: null, occurred_at: noon + 3_600_000, journal_seq: 4 };
  return { ...next, ...changes };
}

function nextRecord(line: LedgerLine, changes: Row = {}): Row {
  return {
    facility_uuid: line.facility_uuid,
    seq: 4,
    outcome: 'suppressed',
    entry_id: line.entry_id,
    record: '{}',
    hash,
    ...changes,
  };
}

describe.each([
  ['another program', driver],
  ['a person at the sqlite3 shell', shell],
])('what %s writes to the file', (_, write) => {
  test('a line that keeps the rules can be written: what is refused below is refused for its reason', () => {
    const { books, line } = openLedger();
    expect(write(books.path, insert('ledger_lines', nextLine(line)))).toBeUndefined();
    expect(write(books.path, insert('journal_records', nextRecord(line)))).toBeUndefined();
  });

  test.each([
    ['2999 ms after a line', 2_999],
    ['at the same instant', 0],
    ['2999 ms before a line', -2_999],
  ])('a second line of one content %s is refused', (_when, ms) => {
    const { books, line } = openLedger();
    const second = insert('ledger_lines', nextLine(line, { occurred_at: noon + ms }));
    expect(write(books.path, second)).toContain('R2: a line of this content within the window exists');
    expect(write(books.path, second.replace('INSERT', 'INSERT OR REPLACE'))).toContain('R2');
    expect(books.lines({ limit: 10 }).items).toEqual([line]);
  });

  test.each([
    ['3000 ms after a line', 3_000],
    ['3000 ms before a line', -3_000],
  ])('a second line of one content %s is a new scan', (_when, ms) => {
    const { books, line } = openLedger();
    expect(write(books.path, insert('ledger_lines', nextLine(line, { occurred_at: noon + ms })))).toBeUndefined();
  });

  test('a line that would cover a later line with its own, wider window is refused', () => {
    const { books, line } = openLedger();
    const wide = nextLine(line, { occurred_at: noon - 4_999, window_ms: 5_000 });
    expect(write(books.path, insert('ledger_lines', wide))).toContain('R2');
    expect(write(books.path, insert('ledger_lines', { ...wide, occurred_at: noon - 5_000 }))).toBeUndefined();
  });

  test.each([
    ['was committed', 'A'],
    ['was suppressed by content', 'B'],
  ])('a line under a scan id that %s is refused', (_how, scan_uuid) => {
    const { books, line } = openLedger();
    const second = insert('ledger_lines', nextLine(line, { scan_uuid }));
    expect(write(books.path, second)).toContain('R1');
    expect(write(books.path, second.replace('INSERT', 'INSERT OR REPLACE'))).toContain('R1');
    expect(books.lines({ limit: 10 }).items).toEqual([line]);
  });

  test.each<[string, Row]>([
    ['a number left out', { line: 3 }],
    ['a number that is taken', { line: 1 }],
    ['the number 0', { line: 0 }],
    ['an entry id that is taken', { entry_id: 'taken' }],
    ['a position that is taken', { position: 1 }],
    ['a position before the first', { position: -1 }],
    ['an identity that is no digest', { identity: 'abc' }],
    ['no window', { window_ms: 0 }],
    ['no product', { ndc11: null, ndc12: null }],
    ['a reversal of a line that does not exist', { reverses: 'none' }],
  ])('a line with %s is refused, with INSERT OR REPLACE too', (_what, changes) => {
    const { books, line } = openLedger();
    const taken = changes['entry_id'] === 'taken' ? { entry_id: line.entry_id } : {};
    for (const verb of ['INSERT', 'INSERT OR REPLACE']) {
      expect(write(books.path, insert('ledger_lines', nextLine(line, { ...changes, ...taken }), verb))).toEqual(
        expect.any(String),
      );
    }
    expect(books.lines({ limit: 10 }).items).toEqual([line]);
    expect(books.audit().breaks).toEqual([]);
  });

  test.each<[string, Row, string]>([
    ['a number left out', { seq: 5 }, 'R6'],
    ['a number that is taken', { seq: 3 }, 'R6'],
    ['a position that is taken', { position: 1 }, 'R6'],
    ['a line that does not exist', { entry_id: 'none' }, 'R4: the line that is referred to does not exist'],
    ['no line at all', { entry_id: null }, 'CHECK'],
    ['a hash that is none', { hash: 'abc' }, 'CHECK'],
  ])('a record with %s is refused, with INSERT OR REPLACE too', (_what, changes, reason) => {
    const { books, line } = openLedger();
    for (const verb of ['INSERT', 'INSERT OR REPLACE']) {
      expect(write(books.path, insert('journal_records', nextRecord(line, changes), verb))).toContain(reason);
    }
    expect(books.records({ limit: 10 }).items).toHaveLength(3);
    expect(books.audit().breaks).toEqual([]);
  });

  test.each(['A', 'B'])('the scan id %s cannot be bound again, nor a new one to a line that does not exist', (scan_uuid) => {
    const { books, line } = openLedger();
    const { facility_uuid, scanner_id, fingerprint, entry_id } = line;
    const bound = { facility_uuid, scanner_id, scan_uuid, fingerprint, entry_id, journal_seq: 1 };
    for (const verb of ['INSERT', 'INSERT OR REPLACE']) {
      expect(write(books.path, insert('suppressed_scan_ids', bound, verb))).toContain('R1: the outcome of a scan id is kept');
      const toNothing = { ...bound, scan_uuid: 'C', entry_id: 'none' };
      expect(write(books.path, insert('suppressed_scan_ids', toNothing, verb))).toContain('R4');
    }
    expect(books.audit().breaks).toEqual([]);
  });

  test('what is in quarantine cannot be replaced', () => {
    const { books } = openLedger();
    const raw = "X'00', (SELECT facility_uuid FROM quarantine), 1";
    const asTaken = `INSERT OR REPLACE INTO quarantine (raw, facility_uuid, journal_seq, id) SELECT ${raw}, id FROM quarantine`;
    const asPosition = `INSERT OR REPLACE INTO quarantine (raw, facility_uuid, journal_seq, id, position) VALUES (${raw}, 'q2', 1)`;
    expect(write(books.path, asTaken)).toContain('R6: what was received is kept');
    expect(write(books.path, asPosition)).toContain('R6: what was received is kept');
    expect(books.audit().breaks).toEqual([]);
  });

  test.each([
    ['ledger_lines', "quantity = '2'"],
    ['journal_records', "record = '{}'"],
    ['suppressed_scan_ids', "fingerprint = ''"],
    ['quarantine', "raw = X'00'"],
  ])('nothing in %s can be changed or deleted', (table, change) => {
    const { books } = openLedger();
    for (const sql of [`UPDATE ${table} SET ${change}`, `UPDATE OR REPLACE ${table} SET ${change}`, `DELETE FROM ${table}`]) {
      expect(write(books.path, sql)).toContain(`${table} is append-only`);
    }
    expect(books.audit().breaks).toEqual([]);
  });
});

test('a line that another program wrote is a line for the rules, though the journal does not know it', () => {
  const { books, line } = openLedger();
  const database = new Database(books.path);
  afterThisTest(() => database.close());
  database.exec(insert('ledger_lines', nextLine(line)));
  const [decision] = books.append([scanAt(3_600_100)]);
  expect(decision).toMatchObject({ outcome: 'suppressed', of: { id: 'e2', line: 2 }, gapMs: 100 });
  expect(() => books.append([scanAt(9_000_000)])).toThrow('lines are numbered without gaps');
});

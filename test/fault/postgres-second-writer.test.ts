import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LedgerLine } from '../../src/ledger/ledger-line.ts';
import { PostgresLedger } from '../../src/ledger/postgres-ledger.ts';
import { inWords } from '../../src/testing/decision-words.ts';
import { noon, rejectionAt, scanAt } from '../../src/testing/wire-scans.ts';
import { breaksIn } from '../support/postgres-audit.ts';
import { type Books, database, startBooks } from '../support/postgres-books.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/server.ts';

let server: PostgresServer;
let newBooks: () => Promise<Books>;

/** Lasts for all tests: to start a server process takes longer than most of them do. */
let ledger: PostgresLedger;

beforeAll(async () => {
  ({ server, newBooks } = await startBooks());
  ledger = await PostgresLedger.open((await newBooks()).url);
});

afterAll(() => ledger.close());

type Row = Readonly<Record<string, string | number | null>>;

function insert(table: string, row: Row): string {
  const values = Object.values(row).map((value) => (typeof value === 'string' ? pg.escapeLiteral(value) : String(value)));
  return `INSERT INTO scangate.${table} (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`;
}

/** A statement of the superuser, which the constraints and triggers bind as well: an error message, or nothing when it went through. */
async function write(books: Books, sql: string, role = 'postgres'): Promise<string | undefined> {
  return books.query(`SET ROLE ${role}`, sql).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** A ledger with a line at noon (scan id A), an id suppressed by it (B) and one input in quarantine: records 1 to 3. */
async function openLedger(): Promise<{ books: Books; ledger: PostgresLedger; line: LedgerLine }> {
  const books = await newBooks();
  await ledger.append([scanAt(0, { scan_uuid: 'A' }), scanAt(100, { scan_uuid: 'B' }), rejectionAt(200)]);
  const [line] = (await ledger.lines({ limit: 1 })).items;
  if (line === undefined) throw new TypeError('There is no line.');
  return { books, ledger, line };
}

/** The next line as the gate would write it, of the same content, an hour later and under no id, with changes. */
function nextLine(line: LedgerLine, changes: Row = {}): Row {
  const next = { ...line, line: 2, entry_id: 'e2', scan_uuid: null, occurred_at: noon + 3_600_000, journal_seq: 4 };
  return { ...next, ...changes };
}

function nextRecord({ facility_uuid, entry_id }: LedgerLine, changes: Row = {}): Row {
  return { facility_uuid, seq: 4, outcome: 'suppressed', entry_id, record: '{}', hash: 'f'.repeat(64), ...changes };
}

describe('what another program writes to the tables', () => {
  test('can be a line or a record that keeps the rules: what is refused below is refused for its reason', async () => {
    const { books, line } = await openLedger();
    expect(await write(books, insert('ledger_lines', nextLine(line)))).toBeUndefined();
    expect(await write(books, insert('journal_records', nextRecord(line)))).toBeUndefined();
  });

  test('cannot be a second line of one content within the window, before or after', async () => {
    const { books, ledger, line } = await openLedger();
    for (const ms of [2_999, 0, -2_999]) {
      expect(await write(books, insert('ledger_lines', nextLine(line, { occurred_at: noon + ms })))).toContain(
        'ledger_lines_window',
      );
    }
    const wide = nextLine(line, { occurred_at: noon - 4_999, window_ms: 5_000 });
    expect(await write(books, insert('ledger_lines', wide))).toContain('ledger_lines_window');
    expect((await ledger.lines({ limit: 10 })).items).toEqual([line]);
  });

  test.each([3_000, -3_000])('can be a line of the content %i ms away', async (ms) => {
    const { books, line } = await openLedger();
    expect(await write(books, insert('ledger_lines', nextLine(line, { occurred_at: noon + ms })))).toBeUndefined();
  });

  test.each<[string, Row, string]>([
    ['a scan id that was committed', { scan_uuid: 'A' }, 'ledger_lines_scan'],
    ['a scan id that was suppressed by content', { scan_uuid: 'B' }, 'R1: the outcome of a scan id is kept'],
    ['a number left out', { line: 3 }, 'R1: lines are numbered without gaps'],
    ['a number that is taken', { line: 1 }, 'ledger_lines_facility_uuid_line_key'],
    ['the number 0', { line: 0 }, 'ledger_lines_line_check'],
    ['an identity that is no digest', { identity: 'A'.repeat(64) }, 'ledger_lines_identity_check'],
    ['no window', { window_ms: 0 }, 'ledger_lines_window_ms_check'],
    ['no product', { ndc11: null, ndc12: null }, 'ledger_lines_check'],
    ['a reversal of a line that does not exist', { reverses: 'none' }, 'ledger_lines_reverses_fkey'],
    ['a facility that has no head', { facility_uuid: 'F', line: 1 }, 'A facility without a head'],
  ])('cannot be a line with %s', async (_what, changes, reason) => {
    const { books, ledger, line } = await openLedger();
    expect(await write(books, insert('ledger_lines', nextLine(line, changes)))).toContain(reason);
    expect((await ledger.lines({ limit: 10 })).items).toEqual([line]);
    expect(await breaksIn(books)).toEqual([]);
  });

  test.each<[string, Row, string]>([
    ['a number left out', { seq: 5 }, 'R6: records are numbered without gaps'],
    ['a number that is taken', { seq: 3 }, 'journal_records_facility_uuid_seq_key'],
    ['a line that does not exist', { entry_id: 'none' }, 'journal_records_entry_id_fkey'],
    ['no line at all', { entry_id: null }, 'journal_records_check'],
    ['a hash that is none', { hash: 'abc' }, 'journal_records_hash_check'],
  ])('cannot be a record with %s', async (_what, changes, reason) => {
    const { books, line } = await openLedger();
    expect(await write(books, insert('journal_records', nextRecord(line, changes)))).toContain(reason);
    expect(await breaksIn(books)).toEqual([]);
  });

  test('cannot bind a scan id again, nor a new one to a line that does not exist', async () => {
    const { books, line } = await openLedger();
    const { facility_uuid, scanner_id, fingerprint, entry_id } = line;
    const bound = { facility_uuid, scanner_id, fingerprint, entry_id, journal_seq: 1 };
    const bind = (changes: Row): Promise<string | undefined> =>
      write(books, insert('suppressed_scan_ids', { ...bound, ...changes }));
    expect(await bind({ scan_uuid: 'A' })).toContain('R1: the outcome of a scan id is kept');
    expect(await bind({ scan_uuid: 'B' })).toContain('suppressed_scan_ids_pkey');
    expect(await bind({ scan_uuid: 'C', entry_id: 'none' })).toContain('suppressed_scan_ids_entry_id_fkey');
    expect(await breaksIn(books)).toEqual([]);
  });

  test('cannot move a head to where its book and journal do not end', async () => {
    const { books } = await openLedger();
    for (const change of ['last_line = 7', 'last_seq = 7', `head_hash = '${'f'.repeat(64)}'`, "facility_uuid = 'F'"]) {
      expect(await write(books, `UPDATE scangate.facilities SET ${change}`)).toContain('is where its book and journal end');
    }
    expect(await write(books, 'DELETE FROM scangate.facilities')).toContain('is kept');
    expect(await write(books, 'TRUNCATE scangate.facilities')).toContain('is kept');
    expect(await breaksIn(books)).toEqual([]);
  });

  test.each([
    ['ledger_lines', "quantity = '2'"],
    ['journal_records', "record = '{}'"],
    ['suppressed_scan_ids', "fingerprint = ''"],
    ['quarantine', "raw = ''"],
    ['quarantine_resolutions', 'journal_seq = 1'],
  ])('cannot change or delete anything in %s, whoever it is', async (table, change) => {
    const { books } = await openLedger();
    const attempts = [
      `UPDATE scangate.${table} SET ${change}`,
      `DELETE FROM scangate.${table}`,
      `TRUNCATE scangate.${table} CASCADE`,
    ];
    for (const sql of attempts) {
      expect(await write(books, sql)).toContain('is append-only');
      expect(await write(books, sql, 'gate')).toContain('permission denied');
    }
    expect(await breaksIn(books)).toEqual([]);
  });
});

test("the gate's role can neither drop nor change what holds the rules", async () => {
  const { books } = await openLedger();
  for (const sql of [
    'ALTER TABLE scangate.ledger_lines DISABLE TRIGGER ALL',
    'ALTER TABLE scangate.ledger_lines DROP CONSTRAINT ledger_lines_window',
    'DROP TABLE scangate.ledger_lines',
  ]) {
    expect(await write(books, sql, 'gate')).toContain('must be owner');
  }
  expect(await write(books, 'SET session_replication_role = replica', 'gate')).toContain('permission denied');
  expect(await write(books, "INSERT INTO scangate.migrations VALUES (9, '', '')", 'gate')).toContain('permission denied');
});

/** A transaction of another program that has written a line, and is not committed yet. */
async function writeAndHold(row: Row, ...before: string[]): Promise<{ commit(): Promise<void> }> {
  const client = new pg.Client({ connectionString: server.url(database) });
  await client.connect();
  for (const sql of ['BEGIN', ...before, insert('ledger_lines', row)]) await client.query(sql);
  return {
    async commit() {
      await client.query('COMMIT');
      await client.end();
    },
  };
}

async function whenGateWaits(books: Books): Promise<void> {
  const waits = "SELECT 1 FROM pg_stat_activity WHERE usename = 'gate' AND wait_event_type = 'Lock'";
  await until(async () => (await books.query(waits)).length > 0 || undefined);
}

describe('a line that another program is about to commit', () => {
  test('is waited for, and is a line for the rules, though the journal does not know it', async () => {
    const { books, ledger, line } = await openLedger();
    const other = await writeAndHold(nextLine(line));
    const waiting = ledger.append([scanAt(3_600_100)]);
    await whenGateWaits(books);
    await other.commit();
    expect((await waiting).map(inWords)).toEqual(['suppressed 2 same_content 100']);
  });

  test('is met by the constraint when it took no lock and asked no trigger, and then decides the scan', async () => {
    const { books, ledger, line } = await openLedger();
    const other = await writeAndHold(nextLine(line), 'SET LOCAL session_replication_role = replica');
    const waiting = ledger.append([scanAt(3_600_100), scanAt(0, { scan_uuid: 'A' })]);
    await whenGateWaits(books);
    await other.commit();
    expect((await waiting).map(inWords)).toEqual(['suppressed 2 same_content 100', 'suppressed 1 same_scan_id 0']);
    expect((await ledger.records({ limit: 10 })).items.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  });

  test('makes the numbers of the book contradict its head: nothing more is committed, and nothing is acknowledged', async () => {
    const { ledger, line } = await openLedger();
    const other = await writeAndHold(nextLine(line));
    await other.commit();
    await expect(ledger.append([scanAt(9_000_000)])).rejects.toMatchObject({ code: 'SG_LEDGER_REFERENCE' });
    expect((await ledger.records({ limit: 10 })).items).toHaveLength(3);
  });
});

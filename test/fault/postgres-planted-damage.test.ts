import { beforeAll, describe, expect, test } from 'vitest';
import type { Break } from '../../src/ledger/audit.ts';
import { facilityA, facilityB, scanAt } from '../../src/testing/wire-scans.ts';
import { breaksIn } from '../support/postgres-audit.ts';
import { type Books, startBooks } from '../support/postgres-books.ts';
import { type Ended, scangate } from '../support/server.ts';
import { soundBooks } from './sound-books.ts';

let newBooks: () => Promise<Books>;

beforeAll(async () => {
  ({ newBooks } = await startBooks({ fsync: 'off' }));
});

const inA = `facility_uuid = '${facilityA}'`;

/** Sound books, and what the statements make of them. */
async function damaged(...sql: readonly string[]): Promise<Books> {
  const books = await newBooks();
  const ledger = await books.open({ allowUnsafeLedger: true });
  await ledger.append(soundBooks);
  expect(await breaksIn(books)).toEqual([]);
  // Neither triggers nor foreign keys are asked.
  await books.query('SET session_replication_role = replica', ...sql);
  return books;
}

async function breaksAfter(...sql: readonly string[]): Promise<string[]> {
  const breaks = await breaksIn(await damaged(...sql));
  return breaks.map((one) => one.replaceAll(facilityA, 'A').replaceAll(facilityB, 'B'));
}

describe('the audit names what was done to the database, and only that', () => {
  test.each([
    ['quantity', "quantity = '2'"],
    ['window', 'window_ms = 1000'],
    ['time', 'occurred_at = occurred_at + 1'],
    ['delta', "delta = '1'"],
  ])('the %s of a line', async (_what, change) => {
    expect(await breaksAfter(`UPDATE scangate.ledger_lines SET ${change} WHERE ${inA} AND line = 3`)).toEqual([
      'A, record 4: Line 3 is not what its record 4 says.',
    ]);
  });

  test('the text of a record', async () => {
    const change = `UPDATE scangate.journal_records SET record = replace(record, '"lot_number":"L3"', '"lot_number":"L9"')
      WHERE ${inA} AND seq = 4`;
    expect(await breaksAfter(change)).toEqual([
      'A, record 4: The hash of record 4 does not follow from the record before it and its text.',
      'A, record 4: Line 3 is not what its record 4 says.',
    ]);
  });

  test.each(['x', '{"outcome":"committed","entry":7}', '{"outcome":"rejected","rejection":{"quarantine_id":"\\u0000"}}'])(
    'a record whose text is %s, and it goes on',
    async (text) => {
      const breaks = await breaksAfter(`UPDATE scangate.journal_records SET record = '${text}' WHERE ${inA} AND seq = 4`);
      expect(breaks[0]).toBe('A, record 4: The hash of record 4 does not follow from the record before it and its text.');
      expect(breaks.filter((one) => !/^A, (record 4|quarantine|line 3): /.test(one))).toEqual([]);
    },
  );

  test('the last record and its line are gone, and the head is where it was', async () => {
    expect(
      await breaksAfter(
        `DELETE FROM scangate.journal_records WHERE ${inA} AND seq = 6`,
        `DELETE FROM scangate.ledger_lines WHERE ${inA} AND line = 4`,
      ),
    ).toEqual(['A, head: The head of A is not where its book and journal end.']);
  });

  test('bytes in quarantine, a scan id that is gone, one that was added, a resolution of nothing', async () => {
    expect(
      await breaksAfter(
        "UPDATE scangate.quarantine SET raw = decode('00', 'hex')",
        'DELETE FROM scangate.suppressed_scan_ids',
        `INSERT INTO scangate.quarantine_resolutions SELECT id, '${facilityA}', 5 FROM scangate.quarantine`,
      ),
    ).toEqual([
      'A, record 2: The scan id of record 2 is not bound to it.',
      'A, record 5: What was rejected in record 5 was changed in quarantine.',
      'A, scan ids: Of suppressed scan ids, 1 fewer are kept than the records name.',
      'A, quarantine: Of what was in quarantine, 1 more are marked as taken out than the records name.',
    ]);
  });

  test('two lines of one content within one window, where the constraint was taken away', async () => {
    const books = await damaged();
    const constraint = 'ALTER TABLE scangate.ledger_lines DROP CONSTRAINT ledger_lines_window';
    const definition =
      'EXCLUDE USING gist (identity_uuid WITH =, facility_uuid WITH =, int8range(occurred_at, occurred_at + window_ms) WITH &&)';
    await books.query(constraint);
    await books.query(
      'SET session_replication_role = replica',
      `UPDATE scangate.ledger_lines SET identity = (SELECT identity FROM scangate.ledger_lines WHERE ${inA} AND line = 2)
        WHERE ${inA} AND line = 3`,
    );
    const breaks = await breaksIn(books);
    await books.query('SET session_replication_role = replica', 'DELETE FROM scangate.ledger_lines');
    await books.query(`ALTER TABLE scangate.ledger_lines ADD CONSTRAINT ledger_lines_window ${definition}`);
    expect(breaks).toEqual([
      `${facilityA}, record 4: Line 3 is not what its record 4 says.`,
      `${facilityA}, line 2: Lines 2 and 3 have one content and lie within one window.`,
    ]);
  });

  test('rows of a facility that has no head, no record and no line', async () => {
    const breaks = await breaksAfter(
      "INSERT INTO scangate.quarantine (id, facility_uuid, journal_seq, raw) VALUES ('x', 'Z', 1, '')",
    );
    expect(breaks).toEqual([
      'Z, head: The head of Z is not where its book and journal end.',
      'Z, quarantine: Of what was rejected, 1 more are in quarantine than the records name.',
    ]);
  });
});

test('damage on the second page is found, with every reference across pages', async () => {
  const books = await newBooks();
  const ledger = await books.open({ allowUnsafeLedger: true });
  for (let from = 0; from < 1_500; from += 500) {
    await ledger.append(
      Array.from({ length: 500 }, (_, index) => scanAt((from + index) * 3_000, { scan_uuid: `s${from + index}` })),
    );
  }
  await ledger.append([scanAt(0, { scan_uuid: 's0' }), scanAt(1, { scan_uuid: 'other' })]);
  expect(await breaksIn(books)).toEqual([]);
  await books.query(
    'SET session_replication_role = replica',
    "UPDATE scangate.ledger_lines SET quantity = '2' WHERE line = 1490",
  );
  expect(await breaksIn(books)).toEqual([`${facilityA}, record 1490: Line 1490 is not what its record 1490 says.`]);
}, 60_000);

function verify({ url }: Books, ...args: readonly string[]): Promise<Ended> {
  return scangate(['verify', '--postgres', url, ...args]);
}

describe('scangate verify --postgres', () => {
  test('is told by a role that can only read, and says what it found with exit code 1', async () => {
    const books = await damaged(`UPDATE scangate.ledger_lines SET quantity = '2' WHERE ${inA} AND line = 2`);
    await books.query(
      `DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'auditor') THEN CREATE ROLE auditor LOGIN; END IF; END $$`,
      'GRANT USAGE ON SCHEMA scangate TO auditor',
      'GRANT SELECT ON ALL TABLES IN SCHEMA scangate TO auditor',
    );
    const { code, stdout, stderr } = await scangate(['verify', '--json', '--postgres', books.server.url('ledger', 'auditor')]);
    expect([code, stderr]).toEqual([1, '']);
    const { breaks, facilities } = JSON.parse(stdout) as { breaks: readonly Break[]; facilities: readonly unknown[] };
    expect(breaks).toMatchObject([{ facility_uuid: facilityA, message: 'Line 2 is not what its record 3 says.' }]);
    expect(facilities).toHaveLength(2);
  });

  test('refuses to write that breaks are accepted where the database may lose it', async () => {
    const books = await damaged(`UPDATE scangate.ledger_lines SET quantity = '2' WHERE ${inA} AND line = 2`);
    const { code, stderr } = await verify(books, '--accept-breaks', '--actor', 'jo', '--reason', 'restored');
    expect([code, stderr]).toEqual([1, expect.stringContaining('SG_DATABASE_UNSAFE')]);
  });
});

describe('breaks that a person answers for, written by the role of the gate', () => {
  const accepted = { actor: 'jo', reason: 'restored', breaks: [] };

  test('let a journal go on whose head was lost', async () => {
    const books = await damaged(`DELETE FROM scangate.facilities WHERE ${inA}`);
    const ledger = await books.open({ allowUnsafeLedger: true });
    const { breaks } = await ledger.audit();
    const named = breaks.map(({ at, message, found }) => `${at}: ${message}${found === undefined ? '' : ` Found ${found}.`}`);
    expect(named).toEqual([`head: The head of ${facilityA} is not where its book and journal end.`]);
    await ledger.acceptBreaks(facilityA, { ...accepted, breaks: named });
    expect(await ledger.audit()).toMatchObject({ breaks: [], facilities: [{ records: 7, lines: 4 }, {}] });
    const [decision] = await ledger.append([scanAt(60_000)]);
    expect(decision).toMatchObject({ outcome: 'committed', entry: { line: 5 } });
    expect(await breaksIn(books)).toEqual([]);
  });

  test('are shown apart, and only new ones count', async () => {
    const books = await damaged(`UPDATE scangate.ledger_lines SET quantity = '2' WHERE ${inA} AND line = 2`);
    const ledger = await books.open({ allowUnsafeLedger: true });
    const [first] = (await ledger.audit()).breaks;
    if (first === undefined) throw new Error('Nothing was found.');
    await ledger.acceptBreaks(facilityA, { ...accepted, breaks: [`${first.at}: ${first.message} Found ${first.found}.`] });
    await books.query('SET session_replication_role = replica', "UPDATE scangate.ledger_lines SET quantity = '3' WHERE line = 3");
    const report = await ledger.audit();
    expect(report).toMatchObject({ breaks: [{ at: 'record 4' }], accepted: [first] });
  });
});

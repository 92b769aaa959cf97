import { type AddressInfo, createServer } from 'node:net';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/ledger/postgres-migrate.ts';
import { loadConfig } from '../../src/service/config.ts';
import { examineForStart } from '../../src/service/doctor/examine.ts';
import { complaints, examined, saidOf } from '../support/doctor.ts';
import { gateRole } from '../support/postgres-books.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { freePort } from '../support/redis-server.ts';
import { temporaryFolder, until } from '../support/server.ts';

let server: PostgresServer;

const name = 'ledger';

beforeAll(async () => {
  server = await startPostgres();
  await server.createDatabase(name);
});

/** The database as it is after a migration and these statements of the superuser. */
async function ledgerAfter(...statements: readonly string[]): Promise<string> {
  await server.query(name, 'SET client_min_messages = warning', 'DROP SCHEMA IF EXISTS scangate CASCADE');
  await migrate(server.url(name), { gateRole });
  await server.query(name, ...statements);
  return server.url(name, gateRole);
}

async function set(name: string, value: string): Promise<void> {
  await server.query('postgres', `ALTER SYSTEM SET ${name} = '${value}'`, 'SELECT pg_reload_conf()');
  await until(async () => (await server.query('postgres', `SHOW ${name}`))[0]?.[name] === value || undefined);
}

test('a server that is slow to answer is a warning at the start, because the ledger is opened with more patience', async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const flags = { data: temporaryFolder(), postgres: `postgres://gate@127.0.0.1:${port}/ledger` };
  const [warning] = await examineForStart(loadConfig({ flags, environment: {} }));
  expect(warning).toMatch(/^postgres-reachable, /);
});

test('a standby that no commit waits for is a warning, and no place to write to', async () => {
  const url = await ledgerAfter();
  const standby = await server.makeStandby('copy');
  await standby.start();
  const connected = async () => (await server.query('postgres', 'SELECT 1 FROM pg_stat_replication')).length === 1;
  await until(async () => (await connected()) || undefined);
  expect(saidOf('postgres-standbys', await examined({ postgres: url }))).toEqual([
    'warning: 1 standby server(s) connected, and synchronous_standby_names is empty: no commit waits for them.',
  ]);
  expect(complaints('postgres', await examined({ postgres: standby.url(name, gateRole) }))).toEqual([
    'postgres-primary: refusal',
  ]);
  await set('synchronous_standby_names', 'copy');
  expect(complaints('postgres', await examined({ postgres: url }))).toEqual([]);
  await set('synchronous_standby_names', '');
  await standby.stop('SIGQUIT');
});

test('a database as "scangate migrate" makes it leaves nothing to complain of', async () => {
  const url = await ledgerAfter();
  const findings = await examined({ postgres: url });
  expect(complaints('postgres', findings)).toEqual([]);
  expect(saidOf('postgres-rules', findings)).toEqual(['ok: All 29 constraints, indexes and triggers are there and in force.']);
  expect(saidOf('postgres-append-only', findings)).toEqual([
    'ok: The role gate can neither change nor delete lines and records.',
  ]);
  expect(findings[0]?.target).toBe(`database ${name} at 127.0.0.1:${server.port}`);
});

test('a database that nobody is at is refused', async () => {
  const port = await freePort();
  const findings = await examined({ postgres: `postgres://gate@127.0.0.1:${port}/ledger` });
  expect(saidOf('postgres-reachable', findings)).toEqual([
    `refusal: The database ledger at 127.0.0.1:${port} cannot be used: connect ECONNREFUSED 127.0.0.1:${port}.`,
  ]);
});

test('a database without the tables, or with those of another version, is refused', async () => {
  const findings = await examined({ postgres: server.url('postgres') });
  expect(saidOf('postgres-schema', findings)).toEqual(['refusal: The schema has version 0; this version of ScanGate reads 1.']);
  const url = await ledgerAfter("INSERT INTO scangate.migrations (number, name, sha256) VALUES (2, 'later', '')");
  expect(saidOf('postgres-schema', await examined({ postgres: url }))).toEqual([
    'refusal: The schema has version 2; this version of ScanGate reads 1.',
  ]);
});

describe('the rules of the ledger', () => {
  const scanIndex = 'CREATE UNIQUE INDEX ledger_lines_scan ON scangate.ledger_lines';
  const entryKey = 'ALTER TABLE scangate.journal_records ADD CONSTRAINT journal_records_entry_id_fkey';

  test('are refused where they are missing, say less under the same name, were never finished or checked, or are disabled', async () => {
    const url = await ledgerAfter(
      'ALTER TABLE scangate.ledger_lines DROP CONSTRAINT ledger_lines_window',
      'DROP INDEX scangate.ledger_lines_scan',
      `${scanIndex} (scan_uuid, scanner_id, facility_uuid, line)`,
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'scangate.ledger_lines_reverses'::regclass",
      'ALTER TABLE scangate.journal_records DROP CONSTRAINT journal_records_entry_id_fkey',
      `${entryKey} FOREIGN KEY (entry_id) REFERENCES scangate.ledger_lines (entry_id) NOT VALID`,
      'ALTER TABLE scangate.ledger_lines DISABLE TRIGGER ledger_lines_change',
      'ALTER ROLE gate SET session_replication_role = replica',
    );
    const findings = await examined({ postgres: url });
    await server.query('postgres', 'ALTER ROLE gate RESET session_replication_role');
    const broken = [
      'ledger_lines_window is missing',
      'journal_records_entry_id_fkey is not in force',
      'ledger_lines_scan says something else',
      'ledger_lines_reverses is not in force',
      'ledger_lines_change is not in force',
      'session_replication_role is replica, which leaves triggers out',
    ];
    expect(saidOf('postgres-rules', findings)).toEqual([`refusal: ${broken.join('; ')}.`]);
  });

  test('are refused when the triggers of a foreign key are disabled', async () => {
    const url = await ledgerAfter('ALTER TABLE scangate.journal_records DISABLE TRIGGER ALL');
    expect(saidOf('postgres-rules', await examined({ postgres: url }))[0]).toContain(
      'journal_records_entry_id_fkey is not in force',
    );
  });
});

describe('the role', () => {
  test('that could change lines is a warning: by a grant, as the owner, as a superuser', async () => {
    const url = await ledgerAfter('GRANT UPDATE (quantity) ON scangate.ledger_lines TO gate');
    expect(saidOf('postgres-append-only', await examined({ postgres: url }))).toEqual([
      'warning: The role gate may change or delete rows of ledger_lines.',
    ]);
    await server.query(name, 'ALTER TABLE scangate.journal_records OWNER TO gate');
    expect(saidOf('postgres-append-only', await examined({ postgres: url }))).toEqual([
      'warning: The role gate owns journal_records.',
    ]);
    expect(saidOf('postgres-append-only', await examined({ postgres: server.url(name) }))).toEqual([
      'warning: The role postgres is a superuser.',
    ]);
  });

  test('that cannot write the books, or not even look at them, is refused', async () => {
    const url = await ledgerAfter('REVOKE INSERT ON scangate.journal_records FROM gate');
    expect(saidOf('postgres-rights', await examined({ postgres: url }))).toEqual([
      'refusal: The role gate may not do what a server needs in journal_records.',
    ]);
    await server.query(name, 'REVOKE USAGE ON SCHEMA scangate FROM gate');
    expect(saidOf('postgres-rights', await examined({ postgres: url }))).toEqual([
      'refusal: The role gate may not look at the tables of the ledger.',
    ]);
  });

  test('that has fewer connections left than this process takes is a warning', async () => {
    const url = await ledgerAfter();
    await server.query('postgres', 'ALTER ROLE gate CONNECTION LIMIT 5');
    expect(saidOf('postgres-connections', await examined({ postgres: url }))).toEqual([
      'warning: 5 connections are left to this role; this process takes up to 8.',
    ]);
    expect(complaints('postgres', await examined({ postgres: url, postgres_connections_max: '5' }))).toEqual([]);
    await server.query('postgres', 'ALTER ROLE gate CONNECTION LIMIT -1');
  });
});

describe('what the server does with a commit', () => {
  test.each(['fsync', 'synchronous_commit'])('is refused with %s=off, and a warning where that is allowed', async (setting) => {
    const url = await ledgerAfter();
    await set(setting, 'off');
    const refused = await examined({ postgres: url });
    const allowed = await examined({ postgres: url, allow_unsafe_ledger: 'true' });
    await set(setting, 'on');
    expect(complaints('postgres', refused)).toEqual(['postgres-durability: refusal']);
    expect(saidOf('postgres-durability', refused)[0]).toContain(`${setting} is off`);
    expect(complaints('postgres', allowed)).toEqual(['postgres-durability: warning']);
  });

  test('is a warning with full_page_writes=off, which some file systems can do without', async () => {
    const url = await ledgerAfter();
    await set('full_page_writes', 'off');
    const findings = await examined({ postgres: url });
    await set('full_page_writes', 'on');
    expect(saidOf('postgres-full-page-writes', findings)).toEqual(['warning: full_page_writes is off.']);
  });
});

test('a clock that is two minutes from ours is a warning that tells of what is not believed', async () => {
  const url = await ledgerAfter();
  const findings = await examined({ postgres: url }, { clock: { nowMs: () => Date.now() - 120_000 } });
  expect(saidOf('postgres-clock', findings)).toEqual([
    expect.stringMatching(
      /^warning: Its clock is 1(?:19|20)\d{3} ms ahead of ours, .* more than 120000 ms ahead of this machine is not believed\.$/,
    ),
  ]);
});

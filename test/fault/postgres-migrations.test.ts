import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageFolder } from '../../src/base/package-folder.ts';
import { type AppliedMigrations, migrate, PostgresLedger } from '../../src/ledger/postgres-ledger.ts';
import { inWords } from '../../src/testing/decision-words.ts';
import { scanAt } from '../../src/testing/wire-scans.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';

let server: PostgresServer;
let databases = 0;
const folder = mkdtempSync(join(tmpdir(), 'scangate-migrations-'));

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function newDatabase(): Promise<string> {
  databases += 1;
  await server.createDatabase(`d${databases}`);
  return `d${databases}`;
}

/** The migrations of this version, and changes to their folder. */
function changedFolder(name: string, sql: string): string {
  const changed = mkdtempSync(join(folder, 'changed-'));
  cpSync(join(packageFolder, 'migrations'), changed, { recursive: true });
  writeFileSync(join(changed, name), sql);
  return changed;
}

const first = '0001-ledger.sql';

test('a database is migrated once, however many processes try at once', async () => {
  const url = server.url(await newDatabase());
  const runs = await Promise.all([1, 2, 3, 4].map(() => migrate(url)));
  const applied = runs.filter((run: AppliedMigrations) => run.applied.length > 0);
  expect(applied).toHaveLength(1);
  expect(applied[0]?.applied[0]).toBe(first);
  expect(new Set(runs.map(({ version }) => version)).size).toBe(1);
  expect((await migrate(url)).applied).toEqual([]);
});

test('an owner who may not make roles is told what a superuser has to do, and nothing is applied before that', async () => {
  const database = await newDatabase();
  await server.query('postgres', 'CREATE ROLE humble LOGIN', `ALTER DATABASE ${database} OWNER TO humble`);
  const asHumble = server.url(database, 'humble');
  await expect(migrate(asHumble, { gateRole: 'thin_gate' })).rejects.toMatchObject({
    code: 'SG_DATABASE',
    message:
      'The role "thin_gate" cannot be made: permission denied to create role. Let a superuser run CREATE ROLE "thin_gate" LOGIN, and migrate again.',
  });
  await server.query('postgres', 'CREATE ROLE "thin_gate" LOGIN');
  expect((await migrate(asHumble, { gateRole: 'thin_gate' })).applied[0]).toBe(first);
});

test('a role for the gate can be made at any time, and can then commit', async () => {
  const database = await newDatabase();
  await migrate(server.url(database));
  const asGate = server.url(database, 'weird"gate').replace('"', '%22');
  await expect(PostgresLedger.open(asGate)).rejects.toMatchObject({ code: 'SG_DATABASE' });
  await migrate(server.url(database), { gateRole: 'weird"gate' });
  await migrate(server.url(database), { gateRole: 'weird"gate' });
  const ledger = await PostgresLedger.open(asGate);
  expect((await ledger.append([scanAt(0)])).map(inWords)).toEqual(['committed 1']);
  await ledger.close();
});

test('a ledger over a database that was not migrated says what to run', async () => {
  const database = await newDatabase();
  await expect(PostgresLedger.open(server.url(database))).rejects.toMatchObject({
    code: 'SG_DATA_VERSION',
    message: expect.stringMatching(
      new RegExp(
        `^The database ${database} at 127\\.0\\.0\\.1:\\d+ has schema version 0; .* needs \\d+\\. Run "scangate migrate"\\.$`,
      ),
    ),
  });
});

test('a file that was applied and is another one now is refused, and nothing is applied', async () => {
  const database = await newDatabase();
  await migrate(server.url(database));
  const changed = changedFolder(first, 'CREATE TABLE scangate.other ()');
  writeFileSync(join(changed, '9999-later.sql'), 'CREATE TABLE scangate.later ()');
  await expect(migrate(server.url(database), { folder: changed })).rejects.toMatchObject({
    code: expect.stringMatching(/^SG_DATA/),
  });
  expect(await server.query(database, "SELECT 1 FROM pg_tables WHERE tablename IN ('other', 'later')")).toEqual([]);
});

test('a migration that fails half-way leaves nothing behind', async () => {
  const database = await newDatabase();
  const broken = changedFolder(first, 'CREATE TABLE scangate.half (); SELECT nothing');
  await expect(migrate(server.url(database), { folder: broken })).rejects.toMatchObject({
    code: 'SG_DATABASE',
    message: expect.stringContaining('column "nothing" does not exist'),
  });
  expect(await server.query(database, "SELECT 1 FROM pg_namespace WHERE nspname = 'scangate'")).toEqual([]);
  await migrate(server.url(database));
});

test('a database that a newer version has migrated is refused by the ledger and by the migration', async () => {
  const database = await newDatabase();
  await migrate(server.url(database));
  await server.query(database, "INSERT INTO scangate.migrations (number, name, sha256) VALUES (9000, '9000-later.sql', '')");
  const newer = { code: 'SG_DATA_VERSION', message: expect.stringContaining('has schema version 9000') };
  await expect(PostgresLedger.open(server.url(database))).rejects.toMatchObject(newer);
  await expect(migrate(server.url(database))).rejects.toMatchObject(newer);
});

test('a database of another encoding is refused', async () => {
  await server.query('postgres', "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
  await expect(migrate(server.url('latin'))).rejects.toMatchObject({
    code: 'SG_DATABASE',
    message: expect.stringMatching(/^The database latin at 127\.0\.0\.1:\d+ has the encoding LATIN1; ScanGate needs UTF8\.$/),
  });
});

test.each([
  ['that does not exist', (url: string) => url.replace(/[^/]*$/, 'none'), /cannot be used: database "none" does not exist\.$/],
  ['at a port where nobody listens', (url: string) => url.replace(/:\d+\//, ':1/'), /cannot be used: .*ECONNREFUSED.*\.$/],
  ['whose address is none', () => 'postgres://[', /^The database cannot be used: .*\.$/],
])('a database %s is refused in one sentence, without the password', async (_what, change, sentence) => {
  const url = change(server.url('postgres').replace('postgres@', 'postgres:secret@'));
  for (const refusal of [PostgresLedger.open(url), migrate(url)]) {
    const error = await refusal.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'SG_DATABASE', message: expect.stringMatching(sentence) });
    expect(String(error)).not.toContain('secret');
  }
});

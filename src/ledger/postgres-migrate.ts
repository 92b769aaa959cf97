/**
 * Brings the schema of a PostgreSQL database to the version that this package reads.
 *
 * In: the numbered files of `migrations/`. Out: which of them were applied now. All of a run is one transaction under an advisory lock,
 * so that any number of processes may migrate at once. A file that was applied is known by its SHA-256: when it is another one now, nothing
 * is done. Needs a role that may create a schema and the extension `btree_gist`; the gate itself needs far less, see `gateRole`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { sha256Hex } from '../base/digest.ts';
import { ScanGateError } from '../base/errors.ts';
import { packageFolder } from '../base/package-folder.ts';
import { databaseError, databaseName, reasonOf } from './postgres-errors.ts';

export interface MigrateOptions {
  /**
   * A role that may do what a gate does and no more: it can add lines and records, and can neither change nor delete them. It is made,
   * without a password, where it does not exist.
   */
  readonly gateRole?: string;
  /** Where the files are; those of this package by default. */
  readonly folder?: string;
  /** How long to wait for another process that migrates, and for who uses the tables, ms. */
  readonly lockMs?: number;
}

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
  readonly sql: string;
}

export interface AppliedMigrations {
  /** Names of the files that were applied by this run. */
  readonly applied: readonly string[];
  readonly version: number;
}

/** The schema version that this package reads and writes: the number of its last migration. */
export const schemaVersion = 1;

const packagedFolder = join(packageFolder, 'migrations');

/** @throws ScanGateError of the kind `startup`: nothing was changed. */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<AppliedMigrations> {
  try {
    const client = new pg.Client({ connectionString: url, fallback_application_name: 'scangate migrate' });
    // A connection that breaks rejects the query that waits for it as well.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await migrateWith(client, url, options);
    } finally {
      await client.end();
    }
  } catch (error) {
    throw databaseError(error, url);
  }
}

async function migrateWith(client: pg.Client, url: string, options: MigrateOptions): Promise<AppliedMigrations> {
  const { folder = packagedFolder, gateRole, lockMs = 60_000 } = options;
  const migrations = migrationsIn(folder);
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${Number(lockMs)}; SET LOCAL client_min_messages = warning`);
  await client.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
  await checkEncoding(client, url);
  await client.query(historySql);
  const pending = pendingOf(migrations, await appliedIn(client), url);
  for (const { number, name, sha256, sql } of pending) {
    await client.query(sql);
    await client.query('INSERT INTO scangate.migrations (number, name, sha256) VALUES ($1, $2, $3)', [number, name, sha256]);
  }
  if (gateRole !== undefined) await grantTo(client, gateRole);
  await client.query('COMMIT');
  return { applied: pending.map(({ name }) => name), version: migrations.length };
}

/** "SCGT": any number will do that nobody else uses for a lock. */
const migrationLock = 0x53434754;

const historySql = `
  CREATE SCHEMA IF NOT EXISTS scangate;
  CREATE TABLE IF NOT EXISTS scangate.migrations (
    number integer PRIMARY KEY,
    name text NOT NULL,
    sha256 text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`;

/** In order, numbered from 1 without gaps. */
function migrationsIn(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name, index) => {
    const number = Number(name.slice(0, 4));
    if (number !== index + 1) throw new TypeError(`${name} is not migration ${index + 1}.`);
    const sql = readFileSync(`${folder}/${name}`, 'utf8');
    return { number, name, sha256: sha256Hex(sql), sql };
  });
}

type AppliedRow = Pick<Migration, 'number' | 'name' | 'sha256'>;

async function appliedIn(client: pg.Client): Promise<AppliedRow[]> {
  const { rows } = await client.query<AppliedRow>('SELECT number, name, sha256 FROM scangate.migrations ORDER BY number');
  return rows;
}

function pendingOf(migrations: readonly Migration[], applied: readonly AppliedRow[], url: string): readonly Migration[] {
  for (const row of applied) {
    const known = migrations[row.number - 1];
    if (known === undefined) throw newerVersion(url, row.number);
    if (known.sha256 !== row.sha256) {
      throw new ScanGateError(
        'SG_DATA_VERSION',
        `${databaseName(url)} was migrated with another ${row.name} than the one of this version. Use the version that made it.`,
      );
    }
  }
  return migrations.slice(applied.length);
}

export function newerVersion(url: string, version: number): ScanGateError {
  return new ScanGateError(
    'SG_DATA_VERSION',
    `${databaseName(url)} has schema version ${version}; this version of ScanGate reads ${schemaVersion}. Use a newer ScanGate.`,
  );
}

async function checkEncoding(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>("SELECT current_setting('server_encoding') AS encoding");
  const encoding = rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  throw new ScanGateError('SG_DATABASE', `${databaseName(url)} has the encoding ${String(encoding)}; ScanGate needs UTF8.`);
}

/** @throws ScanGateError `SG_DATABASE` that says what to do, where an owner may not make roles. */
async function makeRole(client: pg.Client, role: string): Promise<void> {
  const statement = `CREATE ROLE ${role} LOGIN`;
  try {
    await client.query(statement);
  } catch (error) {
    const todo = `Let a superuser run ${statement}, and migrate again.`;
    throw new ScanGateError('SG_DATABASE', `The role ${role} cannot be made: ${reasonOf(error)}. ${todo}`, { cause: error });
  }
}

async function grantTo(client: pg.Client, gateRole: string): Promise<void> {
  const role = pg.escapeIdentifier(gateRole);
  const { rows } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [gateRole]);
  if (rows.length === 0) await makeRole(client, role);
  await client.query(`
    GRANT USAGE ON SCHEMA scangate TO ${role};
    GRANT SELECT ON ALL TABLES IN SCHEMA scangate TO ${role};
    GRANT SELECT ON ALL SEQUENCES IN SCHEMA scangate TO ${role};
    GRANT INSERT ON scangate.ledger_lines, scangate.journal_records, scangate.suppressed_scan_ids TO ${role};
    GRANT INSERT ON scangate.quarantine, scangate.quarantine_resolutions TO ${role};
    GRANT INSERT, UPDATE ON scangate.facilities, scangate.scanners, scangate.checkpoints TO ${role}`);
}

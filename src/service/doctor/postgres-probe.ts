/**
 * Asks the database of a ledger what it is, over one connection of its own, and changes nothing.
 *
 * Out: what it says of itself, of the tables and of the role; or why it says nothing. Never throws.
 */
import pg from 'pg';
import type { Clock } from '../../base/clock.ts';
import { databaseError, sqlStateOf } from '../../ledger/postgres-errors.ts';
import { type ClockSkew, measureSkew } from './clock-skew.ts';

export interface ServerFacts {
  readonly version: string;
  readonly version_num: number;
  readonly standby: boolean;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly synchronous_standby_names: string;
  readonly session_replication_role: string;
  readonly standbys: number;
  /** Connections that this role may still make, beside the one that asks. */
  readonly connections_left: number;
  readonly role: string;
  readonly superuser: boolean;
  readonly migrated: boolean;
}

export interface TableRights {
  readonly name: string;
  readonly owned: boolean;
  readonly selects: boolean;
  readonly inserts: boolean;
  readonly updates: boolean;
  readonly deletes: boolean;
  readonly truncates: boolean;
}

/** A constraint, an index or a trigger: what it says, and whether it is in force. */
export interface Rule {
  readonly name: string;
  readonly definition: string;
  readonly in_force: boolean;
}

export interface BooksFacts {
  readonly schemaVersion: number;
  readonly rules: readonly Rule[];
  readonly tables: readonly TableRights[];
}

export interface PostgresFacts {
  readonly server: ServerFacts;
  /** Nothing where there are no books, `hidden` where the role may not look. */
  readonly books: BooksFacts | 'hidden' | undefined;
  readonly skew: ClockSkew | undefined;
}

export async function probePostgres(
  url: string,
  { clock, withinMs }: { readonly clock: Clock; readonly withinMs: number },
): Promise<PostgresFacts | { readonly unreachable: string }> {
  try {
    const client = new pg.Client({
      connectionString: url,
      fallback_application_name: 'scangate doctor',
      connectionTimeoutMillis: withinMs,
      query_timeout: withinMs,
    });
    // A connection that breaks rejects the query that waits for it as well.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await ask(client, clock);
    } finally {
      // It ends by itself, and nobody waits for it.
      void client.end().catch(() => undefined);
    }
  } catch (error) {
    return { unreachable: databaseError(error, url).message };
  }
}

async function ask(client: pg.Client, clock: Clock): Promise<PostgresFacts> {
  const [server] = await rowsOf<ServerFacts>(client, serverSql);
  if (server === undefined) throw new TypeError('The server says nothing of itself.');
  const skew = await measureSkew(
    () => clock.nowMs(),
    async () => (await rowsOf<{ now: number }>(client, clockSql))[0]?.now,
  );
  return { server, skew, books: server.migrated ? await booksOf(client) : undefined };
}

async function booksOf(client: pg.Client): Promise<BooksFacts | 'hidden'> {
  try {
    const [history] = await rowsOf<{ version: number | null }>(client, 'SELECT max(number) AS version FROM scangate.migrations');
    const rules = await rowsOf<Rule>(client, rulesSql);
    return { schemaVersion: history?.version ?? 0, rules, tables: await rowsOf<TableRights>(client, tablesSql) };
  } catch (error) {
    if (sqlStateOf(error) === '42501') return 'hidden';
    throw error;
  }
}

async function rowsOf<Row extends object>(client: pg.Client, sql: string): Promise<Row[]> {
  return (await client.query<Row>(sql)).rows;
}

const clockSql = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now';

/** A backend that belongs to a database and to a user counts against the limits; what is not visible of others is not needed for that. */
const serverSql = `
  WITH backends AS (
    SELECT usename, datname FROM pg_stat_activity WHERE datid IS NOT NULL AND usesysid IS NOT NULL AND pid <> pg_backend_pid())
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS version_num,
    pg_is_in_recovery() AS standby, current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('synchronous_standby_names') AS synchronous_standby_names,
    current_setting('session_replication_role') AS session_replication_role,
    (SELECT count(*)::int FROM pg_stat_replication) AS standbys,
    least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) - (SELECT count(*) FROM backends),
      CASE WHEN d.datconnlimit >= 0 THEN d.datconnlimit - (SELECT count(*) FROM backends WHERE datname = d.datname) END,
      CASE WHEN r.rolconnlimit >= 0 THEN r.rolconnlimit - (SELECT count(*) FROM backends WHERE usename = r.rolname) END
    )::int AS connections_left,
    r.rolname AS role, r.rolsuper AS superuser,
    EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = 'scangate' AND tablename = 'migrations') AS migrated
  FROM pg_roles r, pg_database d WHERE r.rolname = current_user AND d.datname = current_database()`;

/** Triggers of foreign keys as well: their own names are numbers, so they have that of the constraint. */
const rulesSql = `
  SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition, i.indisvalid AND i.indisready AND i.indislive AS in_force
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = 'scangate'::regnamespace AND (i.indisunique OR i.indisexclusion)
  UNION ALL
  SELECT n.conname, regexp_replace(pg_get_constraintdef(n.oid), ' NOT VALID$', ''), n.convalidated AND NOT EXISTS (
      SELECT 1 FROM pg_trigger t WHERE t.tgconstraint = n.oid AND t.tgenabled NOT IN ('O', 'A'))
    FROM pg_constraint n WHERE n.connamespace = 'scangate'::regnamespace AND n.contype IN ('x', 'f', 'c')
  UNION ALL
  SELECT t.tgname, pg_get_triggerdef(t.oid), t.tgenabled IN ('O', 'A')
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = 'scangate'::regnamespace AND NOT t.tgisinternal`;

const tablesSql = `
  SELECT relname AS name, pg_has_role(relowner, 'MEMBER') AS owned,
    has_table_privilege(oid, 'SELECT') AND has_schema_privilege(relnamespace, 'USAGE') AS selects,
    has_table_privilege(oid, 'INSERT') AS inserts, has_any_column_privilege(oid, 'UPDATE') AS updates,
    has_table_privilege(oid, 'DELETE') AS deletes, has_table_privilege(oid, 'TRUNCATE') AS truncates
  FROM pg_class WHERE relnamespace = 'scangate'::regnamespace AND relkind = 'r' ORDER BY relname`;

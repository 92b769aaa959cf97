/**
 * Connections to the database of a ledger, each looked at before it is used.
 *
 * In: an address and bounds. Out: connections whose server is safe to write to and whose schema is the one of this version, or one
 * sentence that says why not. What can go wrong: nobody answers, none is free in time, the server may lose what it commits. A connection
 * that dies while nobody uses it is dropped, and the next one is made when it is asked for.
 */
import pg from 'pg';
import { ScanGateError } from '../base/errors.ts';
import { databaseName } from './postgres-errors.ts';
import { newerVersion, schemaVersion } from './postgres-migrate.ts';

export interface PostgresLedgerOptions {
  /** How many connections this process may hold. */
  readonly connectionsMax?: number;
  /** How long to wait for a free connection, or for a new one, ms. */
  readonly connectMs?: number;
  /** How long to wait for another writer to the same facilities, ms. */
  readonly lockMs?: number;
  /** How long one statement may take, ms. COMMIT is none of them. */
  readonly statementMs?: number;
  /** How long to wait for the answer to a COMMIT, ms. Then the connection is given up; the COMMIT itself is never cancelled. */
  readonly commitMs?: number;
  /** How long the server keeps a transaction whose process has gone silent, ms. */
  readonly silentMs?: number;
  /** Start although the server may lose what it has committed: `fsync` or `synchronous_commit` is off. For trials. */
  readonly allowUnsafeLedger?: boolean;
}

export type Bounds = Required<PostgresLedgerOptions>;

const defaults: Bounds = {
  connectionsMax: 8,
  connectMs: 5_000,
  lockMs: 5_000,
  statementMs: 15_000,
  commitMs: 60_000,
  silentMs: 4_000,
  allowUnsafeLedger: false,
};

/** How many connections are used and idle, and how many calls wait for one. */
export interface PoolUse {
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/** What the server would do with a commit. */
export interface Durability {
  readonly fsync: string;
  readonly synchronous_commit: string;
}

/** For the statements that ask for it: the columns of `Durability`. */
export const durabilityColumns = "current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit";

export class PostgresPool {
  readonly url: string;
  readonly bounds: Bounds;
  readonly #pool: pg.Pool;
  /** Connections that were looked at, and the process of the server that each leads to, where that is known. */
  readonly #checked = new WeakMap<pg.PoolClient, number | undefined>();

  /** @throws ScanGateError of the kind `startup` for bounds that bound nothing. */
  constructor(url: string, options: PostgresLedgerOptions) {
    this.url = url;
    this.bounds = boundsOf(options);
    this.#pool = new pg.Pool({
      connectionString: url,
      fallback_application_name: 'scangate',
      max: this.bounds.connectionsMax,
      connectionTimeoutMillis: this.bounds.connectMs,
      // Later than the server's own limit: it is for a server that says nothing at all.
      query_timeout: this.bounds.statementMs + 2_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: { getTypeParser },
    });
    // Without it, a connection that dies while it is idle ends the process.
    this.#pool.on('error', () => undefined);
    // One that dies rejects the query that waits for it as well. A server can say in one breath that it is ready and that it ends: whoever is
    // told of the connection after that listens too late.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** A connection of our own until it is released. */
  async take(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    if (this.#checked.has(client)) return client;
    try {
      this.#checked.set(client, await this.#check(client));
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** One statement outside of a transaction. */
  async query<Row extends object>(statement: pg.QueryConfig): Promise<Row[]> {
    const client = await this.take();
    let broken = true;
    try {
      const { rows } = await client.query<Row>(statement);
      broken = false;
      return rows;
    } finally {
      client.release(broken);
    }
  }

  /** @throws ScanGateError of the kind `startup` when a commit would not be on disk. */
  checkDurability({ fsync, synchronous_commit }: Durability): void {
    const setting = fsync === 'off' ? 'fsync' : synchronous_commit === 'off' ? 'synchronous_commit' : undefined;
    if (setting === undefined || this.bounds.allowUnsafeLedger) return;
    throw new ScanGateError(
      'SG_DATABASE_UNSAFE',
      `${databaseName(this.url)} has ${setting}=off and may lose what it has committed. Set it to on, or allow an unsafe ledger.`,
    );
  }

  /** The process of the server that a connection leads to; nothing where a pooler is between, which has names of its own for it. */
  backendOf(client: pg.PoolClient): number | undefined {
    return this.#checked.get(client);
  }

  /** Whether the server, asked over another connection, has nothing to do for this one but to wait, or does not know it. Not asked while none is free. */
  async isWaitingFor(backend: number): Promise<boolean> {
    if (this.use.used >= this.bounds.connectionsMax) return false;
    const rows = await this.query<{ state: string | null }>({
      text: 'SELECT state FROM pg_stat_activity WHERE pid = $1',
      values: [backend],
    });
    return rows.every(({ state }) => state?.startsWith('idle') === true);
  }

  /** Ends a transaction that waits for its next statement. */
  async endTransaction(backend: number): Promise<void> {
    await this.query({
      text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid = $1 AND usename = current_user AND state LIKE 'idle in transaction%'`,
      values: [backend],
    });
  }

  get use(): PoolUse {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { max: this.bounds.connectionsMax, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  /** @returns the process of the server, where the connection leads to it directly. */
  async #check(client: pg.PoolClient & { readonly processID?: number | null }): Promise<number | undefined> {
    // For questions. A transaction that writes sets its own.
    await client.query(`SET statement_timeout = ${this.bounds.statementMs}`);
    const { rows } = await client.query<ServerRow>(serverSql);
    const [server] = rows;
    if (server === undefined) throw new TypeError('The server says nothing of itself.');
    if (server.standby) {
      throw new ScanGateError('SG_DATABASE', `${databaseName(this.url)} is a standby, which cannot be written to.`);
    }
    this.checkDurability(server);
    const version = server.migrated ? await versionOf(client) : 0;
    if (version > schemaVersion) throw newerVersion(this.url, version);
    if (version < schemaVersion) {
      throw new ScanGateError(
        'SG_DATA_VERSION',
        `${databaseName(this.url)} has schema version ${version}; this version of ScanGate needs ${schemaVersion}. Run "scangate migrate".`,
      );
    }
    return client.processID === server.backend ? server.backend : undefined;
  }
}

interface ServerRow extends Durability {
  readonly backend: number;
  readonly standby: boolean;
  readonly migrated: boolean;
}

const serverSql = `
  SELECT ${durabilityColumns}, pg_backend_pid() AS backend, pg_is_in_recovery() AS standby,
    EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = 'scangate' AND tablename = 'migrations') AS migrated`;

async function versionOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ version: number | null }>('SELECT max(number) AS version FROM scangate.migrations');
  return rows[0]?.version ?? 0;
}

/** Lines, numbers and times fit into a double; everything else stays as the driver has it. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');

function boundsOf(options: PostgresLedgerOptions): Bounds {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const bounds = { ...defaults, ...given };
  for (const [name, value] of Object.entries(bounds)) {
    if (typeof value === 'number' && !(Number.isSafeInteger(value) && value > 0)) {
      throw new ScanGateError('SG_CONFIG_INVALID', `${name} is ${value}; it has to be a whole number above 0.`);
    }
  }
  return bounds;
}

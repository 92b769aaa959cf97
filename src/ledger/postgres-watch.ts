/**
 * Tells a server that is slow from one that has lost sight of us.
 *
 * A statement of which nothing comes back can be under way; or it, or its answer, was lost on a link that says nothing of it. Then its
 * transaction holds its facilities, and everybody waits for nothing until a bound is over. So while nothing comes, the server is asked over
 * another connection what it does for this one. Where it says twice that it waits for us to go on, or has never heard of us, the connection is
 * given up; a transaction whose COMMIT was not sent is ended in the server as well, so that nobody waits for it any more. A COMMIT is left alone.
 *
 * What can go wrong: the server cannot be asked, or a connection is not the server's own (a pooler stands between). Then only the bounds are left.
 */
import type pg from 'pg';
import { systemTimers } from '../base/clock.ts';
import type { PostgresPool } from './postgres-pool.ts';

/** Where statements go. */
export interface Statements {
  query<Row extends pg.QueryResultRow>(statement: string | pg.QueryConfig): Promise<pg.QueryResult<Row>>;
}

/** How long nothing comes before the server is asked, and asked again, ms. */
const askMs = 1_000;
/** How often in a row it has to say so: what it is asked over one connection can overtake what goes over another. */
const timesMin = 2;
/** So much of a statement is still on its way for each time more: until it has come whole, the server waits for it. */
const carriedBytes = 32 * 1024;

/** The server waits for a statement that was sent, or has answered one of which no answer came, or knows nothing of the connection. */
class OutOfSight extends Error {}

/**
 * Does the work, and stops waiting for it when the server has lost sight of the connection.
 *
 * @param isCommit what goes on is a COMMIT, which is not ended in the server.
 * @throws OutOfSight; whatever the work throws.
 */
export async function whileInSight<T>(
  pool: PostgresPool,
  client: pg.PoolClient,
  isCommit: boolean,
  work: (statements: Statements) => Promise<T>,
): Promise<T> {
  const backend = pool.backendOf(client);
  if (backend === undefined) return work(client);
  const watched = new WatchedConnection(pool, client, backend);
  try {
    return await Promise.race([work(watched), watched.outOfSight]);
  } catch (error) {
    if (error instanceof OutOfSight && !isCommit) await pool.endTransaction(backend).catch(() => undefined);
    throw error;
  } finally {
    watched.unwatch();
  }
}

class WatchedConnection implements Statements {
  /** Rejects when it is out of sight; resolves never. */
  readonly outOfSight: Promise<never>;
  readonly #pool: PostgresPool;
  readonly #client: pg.PoolClient;
  readonly #backend: number;
  #asked = 0;
  /** What was asked last. */
  #statement: string | pg.QueryConfig = '';
  #answered = 0;
  #cancel: () => void = () => undefined;
  #isOver = false;

  constructor(pool: PostgresPool, client: pg.PoolClient, backend: number) {
    this.#pool = pool;
    this.#client = client;
    this.#backend = backend;
    this.outOfSight = new Promise((_, reject) => this.#look(reject, 0, 0));
  }

  async query<Row extends pg.QueryResultRow>(statement: string | pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    this.#asked += 1;
    this.#statement = statement;
    try {
      return await this.#client.query<Row>(statement);
    } finally {
      this.#answered += 1;
    }
  }

  unwatch(): void {
    this.#isOver = true;
    this.#cancel();
  }

  /** @param answeredBefore how many answers there were when it was looked at last. @param times how often in a row it was out of sight. */
  #look(lose: (error: OutOfSight) => void, answeredBefore: number, times: number): void {
    this.#cancel = systemTimers.after(askMs, () => void this.#ask(lose, answeredBefore, times));
  }

  async #ask(lose: (error: OutOfSight) => void, answeredBefore: number, times: number): Promise<void> {
    const isSilent = this.#asked > this.#answered && this.#answered === answeredBefore;
    const isLost = isSilent && (await this.#pool.isWaitingFor(this.#backend).catch(() => false));
    if (this.#isOver) return;
    const timesNow = isLost && this.#answered === answeredBefore ? times + 1 : 0;
    // How large it is, is asked of what is silent alone.
    const isOutOfSight = timesNow >= timesMin && timesNow >= timesMin + sizeOf(this.#statement) / carriedBytes;
    if (isOutOfSight) lose(new OutOfSight('the server has lost sight of the connection'));
    else this.#look(lose, this.#answered, timesNow);
  }
}

/** About how many bytes of a statement are carried. */
function sizeOf(statement: string | pg.QueryConfig): number {
  return typeof statement === 'string' ? statement.length : sizeOfValue(statement.values);
}

function sizeOfValue(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Uint8Array) return value.byteLength;
  return Array.isArray(value) ? value.reduce<number>((sum, part) => sum + sizeOfValue(part), 0) : 8;
}

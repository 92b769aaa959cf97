/**
 * One transaction that writes, and what became of its COMMIT.
 *
 * READ COMMITTED, with bounds of its own for locks and statements. It ends in one of these ways: committed, as far as the server was
 * told to keep it; rolled back, for certain; or not known, because the answer to COMMIT did not come. A COMMIT that was answered
 * with a notice (a wait for a standby was cancelled) or with ROLLBACK is none. No COMMIT is ever cancelled from here, nor has it a time
 * limit in the server: after `commitMs` only the connection is given up.
 */
import type pg from 'pg';
import {
  CommitNoticed,
  CommitUnanswered,
  ConnectionLost,
  isReadOnly,
  isSilence,
  leavesConnection,
  reasonOf,
} from './postgres-errors.ts';
import type { Bounds, PostgresPool } from './postgres-pool.ts';
import { type Statements, whileInSight } from './postgres-watch.ts';

/**
 * Does the work and commits it. Whatever happens, the connection goes back to the pool or is given up.
 *
 * @throws CommitUnanswered or CommitNoticed when COMMIT was sent and it is not known what became of it; anything else when nothing was
 * committed.
 */
export async function inTransaction<T>(pool: PostgresPool, work: (statements: Statements) => Promise<T>): Promise<T> {
  const client = await pool.take();
  let keep = false;
  try {
    const value = await beforeCommit(pool, client, work);
    await commit(pool, client);
    keep = true;
    return value;
  } catch (error) {
    keep = leavesConnection(error) && !isReadOnly(error) && (await isRolledBack(client));
    throw error;
  } finally {
    client.release(!keep);
  }
}

/**
 * Reads the database as of one moment, however long it takes, beside whoever writes. Nothing is written, and nothing is waited for.
 *
 * @param statementMs how long one statement may take.
 */
export async function inSnapshot<T>(
  pool: PostgresPool,
  statementMs: number,
  read: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.take();
  let keep = false;
  try {
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off;
      SET LOCAL statement_timeout = ${statementMs}; SET LOCAL idle_in_transaction_session_timeout = ${statementMs}`);
    const value = await read(client);
    keep = await isRolledBack(client);
    return value;
  } catch (error) {
    keep = leavesConnection(error) && (await isRolledBack(client));
    throw error;
  } finally {
    client.release(!keep);
  }
}

async function beforeCommit<T>(
  pool: PostgresPool,
  client: pg.PoolClient,
  work: (statements: Statements) => Promise<T>,
): Promise<T> {
  try {
    return await whileInSight(pool, client, false, async (statements) => {
      await statements.query(beginSql(pool.bounds));
      return work(statements);
    });
  } catch (error) {
    throw leavesConnection(error) || isSilence(error) ? error : new ConnectionLost(reasonOf(error), { cause: error });
  }
}

/**
 * Every statement of the ledger has its index. The planner is told so, because a plan that was made for empty tables must not read full
 * ones from end to end.
 */
function beginSql({ lockMs, statementMs, silentMs }: Bounds): string {
  return `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = ${lockMs}; SET LOCAL statement_timeout = ${statementMs};
    SET LOCAL idle_in_transaction_session_timeout = ${silentMs}; SET LOCAL enable_seqscan = off; SET LOCAL jit = off`;
}

async function isRolledBack(client: pg.PoolClient): Promise<boolean> {
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}

async function commit(pool: PostgresPool, client: pg.PoolClient): Promise<void> {
  const notices: string[] = [];
  const note = (notice: { message?: string | undefined }): number => notices.push(notice.message ?? 'a notice');
  client.on('notice', note);
  try {
    const query: CommitQuery = { text: 'SET LOCAL statement_timeout = 0; COMMIT', query_timeout: pool.bounds.commitMs };
    const results = await whileInSight(pool, client, true, (statements) => statements.query(query));
    if ((results as unknown as readonly pg.QueryResult[]).at(-1)?.command !== 'COMMIT')
      notices.push('the transaction was rolled back');
  } catch (error) {
    throw leavesConnection(error) ? error : new CommitUnanswered(reasonOf(error), { cause: error });
  } finally {
    client.off('notice', note);
  }
  if (notices.length > 0) throw new CommitNoticed(notices.join('; '));
}

interface CommitQuery extends pg.QueryConfig {
  /** How long the driver waits for the answer, ms. */
  readonly query_timeout: number;
}

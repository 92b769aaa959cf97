/** Books on a primary, and a hot standby that follows it under the name `near`. */
import { type Books, startBooks } from './postgres-books.ts';
import type { PostgresServer } from './postgres-server.ts';
import { until } from './server.ts';

export interface Pair {
  readonly books: Books;
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
}

/** @param names for `synchronous_standby_names`; `''` where nobody waits for the standby. */
export async function startPair(names: '' | 'near'): Promise<Pair> {
  const { server: primary, newBooks } = await startBooks();
  const books = await newBooks();
  const standby = await primary.makeStandby('near');
  await standby.start();
  await primary.query('postgres', `ALTER SYSTEM SET synchronous_standby_names = '${names}'`, 'SELECT pg_reload_conf()');
  await untilStandbyIs(names === '' ? 'async' : 'sync', books);
  return { books, primary, standby };
}

/** As the primary sees it. */
export async function untilStandbyIs(state: 'sync' | 'async', books: Books): Promise<void> {
  await until(async () => {
    const [row] = await books.query('SELECT sync_state FROM pg_stat_replication');
    return row?.['sync_state'] === state || undefined;
  });
}

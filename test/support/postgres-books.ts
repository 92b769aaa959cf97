/** Books in databases of a test file's own server, opened as the gate opens them: by a role that can only add. */
import { PostgresLedger, type PostgresLedgerOptions } from '../../src/ledger/postgres-ledger.ts';
import { migrate } from '../../src/ledger/postgres-migrate.ts';
import { afterEveryTest } from './ends.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

export const gateRole = 'gate';
export const database = 'ledger';

const open = new Set<PostgresLedger>();

afterEveryTest(async () => {
  await Promise.all([...open].map((ledger) => ledger.close()));
  open.clear();
});

export interface Books {
  readonly server: PostgresServer;
  /** Address of the database, for the gate's role. */
  readonly url: string;
  /** A ledger over these books, which is closed when the test ends. */
  open(options?: PostgresLedgerOptions): Promise<PostgresLedger>;
  /** Statements of the superuser; the rows of the last. */
  query(...statements: string[]): Promise<Record<string, unknown>[]>;
}

/** A server with a migrated database, which is emptied for each test that asks for books. */
export async function startBooks(settings: Readonly<Record<string, string>> = {}): Promise<{
  readonly server: PostgresServer;
  newBooks(): Promise<Books>;
}> {
  const server = await startPostgres(settings);
  await server.createDatabase(database);
  await migrate(server.url(database), { gateRole });
  return {
    server,
    async newBooks() {
      await server.query(database, ...emptying);
      return booksIn(server);
    },
  };
}

const tables = [
  ...['suppressed_scan_ids', 'quarantine_resolutions', 'quarantine', 'journal_records', 'ledger_lines'],
  ...['scanners', 'checkpoints', 'facilities'],
];

/** The triggers that refuse it are not asked. Quicker than TRUNCATE, which makes new files. */
const emptying = [
  'SET session_replication_role = replica',
  tables.map((table) => `DELETE FROM scangate.${table}`).join('; '),
  ['ledger_lines', 'journal_records', 'quarantine']
    .map((table) => `SELECT setval('scangate.${table}_position_seq', 1, false)`)
    .join('; '),
];

function booksIn(server: PostgresServer): Books {
  const url = server.url(database, gateRole);
  return {
    server,
    url,
    async open(options) {
      const ledger = await PostgresLedger.open(url, options);
      open.add(ledger);
      return ledger;
    },
    query: (...statements) => server.query(database, ...statements),
  };
}

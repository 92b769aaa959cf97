/** The head of facility A, held by another writer. */
import pg from 'pg';
import { facilityA } from '../../src/testing/wire-scans.ts';
import { afterEveryTest } from './ends.ts';
import { database } from './postgres-books.ts';
import type { PostgresServer } from './postgres-server.ts';

const holders: pg.Client[] = [];

afterEveryTest(releaseHeads);

/** From now on, and until they are released or the test ends. */
export async function holdHead(server: PostgresServer): Promise<void> {
  const client = new pg.Client({ connectionString: server.url(database) });
  await client.connect();
  holders.push(client);
  await client.query('BEGIN');
  await client.query('SELECT * FROM scangate.facilities WHERE facility_uuid = $1 FOR UPDATE', [facilityA]);
}

export async function releaseHeads(): Promise<void> {
  await Promise.all(holders.splice(0).map((client) => client.end()));
}

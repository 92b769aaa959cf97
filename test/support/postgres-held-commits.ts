/**
 * Transactions that have their positions and are not committed: the COMMIT of every batch for one facility is held up, by a trigger that
 * waits for a lock.
 */
import pg from 'pg';
import { database, gateRole } from './postgres-books.ts';
import type { PostgresServer } from './postgres-server.ts';
import { until } from './server.ts';

export interface HeldCommits {
  /** Holds up every commit from now on. */
  hold(): Promise<void>;
  /** Resolves when one is held. */
  untilHeld(): Promise<void>;
  release(): Promise<void>;
}

export async function heldCommitsOf(server: PostgresServer, facilityUuid: string): Promise<HeldCommits> {
  await server.query(database, holdUp(facilityUuid));
  const holders: pg.Client[] = [];
  const held = `SELECT 1 FROM pg_stat_activity WHERE usename = '${gateRole}' AND wait_event = 'advisory'`;
  return {
    async hold() {
      const client = new pg.Client({ connectionString: server.url(database) });
      await client.connect();
      holders.push(client);
      await client.query('SELECT pg_advisory_lock(1)');
    },
    async untilHeld() {
      await until(async () => (await server.query(database, held)).length > 0 || undefined);
    },
    async release() {
      await Promise.all(holders.splice(0).map((client) => client.end()));
    },
  };
}

function holdUp(facilityUuid: string): string {
  return `
    CREATE FUNCTION public.hold_up() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(1) WHERE NEW.facility_uuid = '${facilityUuid}';
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER hold_up AFTER UPDATE ON scangate.facilities DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION public.hold_up()`;
}

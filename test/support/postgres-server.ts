/** A PostgreSQL server of the test file's own, stopped when it ends. */
import { inject } from 'vitest';
import * as servers from '../../src/testing/servers/postgres-server.ts';
import { lifetime } from './lifetime.ts';

export type { PostgresServer } from '../../src/testing/servers/postgres-server.ts';

/** {@inheritDoc servers.startPostgres} */
export function startPostgres(settings?: Readonly<Record<string, string>>): Promise<servers.PostgresServer> {
  return servers.startPostgres(lifetime, { settings: settings ?? {}, template: inject('postgresTemplate') });
}

/** The books of a fleet: one PostgreSQL for all workers, and a copy of the product directory beside each. */
import { existsSync } from 'node:fs';
import { SqliteProductDirectory } from '../directory/sqlite-product-directory.ts';
import { databaseName } from '../ledger/postgres-errors.ts';
import { PostgresLedger } from '../ledger/postgres-ledger.ts';
import type { Config } from './config.ts';
import { productsPathIn } from './data-directory.ts';
import type { Books } from './system.ts';

/** @throws ScanGateError of the kind `startup`. */
export async function openFleet(config: Config): Promise<Books> {
  const path = productsPathIn(config.data);
  const directory = existsSync(path) ? new SqliteProductDirectory(path, { readonly: true }) : undefined;
  try {
    const ledger = await PostgresLedger.open(config.postgres, {
      connectionsMax: config.postgres_connections_max,
      allowUnsafeLedger: config.allow_unsafe_ledger,
    });
    return {
      mode: 'fleet',
      ledger,
      place: databaseName(config.postgres).replace(/^The/, 'the'),
      ...(directory !== undefined && { directory }),
      async close() {
        await ledger.close();
        directory?.close();
      },
    };
  } catch (error) {
    directory?.close();
    throw error;
  }
}

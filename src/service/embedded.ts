/** The books of the embedded mode: one data directory, one SQLite ledger, one product directory. */

import { ScanGateError } from '../base/errors.ts';
import { messageOf } from '../base/message-of.ts';
import { SqliteProductDirectory } from '../directory/sqlite-product-directory.ts';
import { SqliteLedger } from '../ledger/sqlite-ledger.ts';
import type { Config } from './config.ts';
import {
  checkLedgerIsThere,
  type DataDirectory,
  holdDataDirectory,
  markLedgerMade,
  prepareDataDirectory,
} from './data-directory.ts';
import type { Books } from './system.ts';

/**
 * @param isServer holds the directory until it is closed: one server at a time.
 * @throws ScanGateError of the kind `startup`; then nothing is held.
 */
export async function openEmbedded(config: Config, isServer: boolean): Promise<Books> {
  const directory = prepareDataDirectory(config.data, config.allow_network_file_system);
  const release = isServer ? holdDataDirectory(directory) : () => undefined;
  try {
    return await booksIn(directory, config.check_on_start, release);
  } catch (error) {
    release();
    throw error;
  }
}

async function booksIn(directory: DataDirectory, check: boolean, release: () => void): Promise<Books> {
  checkLedgerIsThere(directory);
  const ledger = await SqliteLedger.open(directory.ledgerPath, { check });
  let products: SqliteProductDirectory;
  try {
    markLedgerMade(directory);
    products = new SqliteProductDirectory(directory.productsPath);
  } catch (error) {
    // Else its thread would keep the process alive.
    await ledger.close();
    if (error instanceof ScanGateError) throw error;
    const why = messageOf(error);
    throw new ScanGateError('SG_DATA_PATH', `The data directory ${directory.path} cannot be written to: ${why}.`, {
      cause: error,
    });
  }
  return {
    mode: 'embedded',
    ledger,
    directory: products,
    place: directory.path,
    ...(directory.warning !== undefined && { warning: directory.warning }),
    async close() {
      await ledger.close();
      products.close();
      release();
    },
  };
}

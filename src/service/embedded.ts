/** The embedded mode put together: one data directory, one SQLite ledger, one product directory, one gate without claims. */
import { ScanGateError } from '../base/errors.ts';
import { SqliteProductDirectory } from '../directory/sqlite-product-directory.ts';
import type { Admission } from '../gate/arrival.ts';
import { Gate, type GateObserver } from '../gate/gate.ts';
import { Quarantine } from '../gate/quarantine.ts';
import { SqliteLedger } from '../ledger/sqlite-ledger.ts';
import { type Config, scannerPolicyOf, timeRulesOf } from './config.ts';
import { checkLedgerIsThere, type DataDirectory, markLedgerMade, prepareDataDirectory } from './data-directory.ts';

export interface Embedded {
  readonly directory: DataDirectory;
  readonly ledger: SqliteLedger;
  readonly gate: Gate;
  readonly quarantine: Quarantine;
  /** Decides what was taken, then closes the ledger. */
  close(): Promise<void>;
}

/** @throws ScanGateError of the kind `startup`. */
export async function openEmbedded(config: Config, observer: GateObserver = {}): Promise<Embedded> {
  const directory = prepareDataDirectory(config.data, config.allow_network_file_system);
  checkLedgerIsThere(directory);
  const ledger = await SqliteLedger.open(directory.ledgerPath, { check: config.check_on_start });
  let products: SqliteProductDirectory;
  try {
    markLedgerMade(directory);
    products = new SqliteProductDirectory(directory.productsPath);
  } catch (error) {
    // Else its thread would keep the process alive.
    await ledger.close();
    if (error instanceof ScanGateError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new ScanGateError('SG_DATA_PATH', `The data directory ${directory.path} cannot be written to: ${why}.`, {
      cause: error,
    });
  }
  const admission: Admission = {
    policy: scannerPolicyOf(config),
    directory: products,
    unknownProduct: config.unknown_product,
  };
  const gate = new Gate({
    ...admission,
    ledger,
    limits: { queueItemsMax: config.queue_items_max, answerMsMax: config.answer_ms_max },
    observer,
  });
  return {
    directory,
    ledger,
    gate,
    quarantine: new Quarantine({ ...admission, ledger, timeRules: timeRulesOf(config), observer }),
    async close() {
      await gate.drain();
      await ledger.close();
      products.close();
    },
  };
}

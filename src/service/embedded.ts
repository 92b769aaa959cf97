/** The embedded mode put together: one directory, one SQLite ledger, one gate without claims. */
import { ScanGateError } from '../base/errors.ts';
import { Gate, type GateObserver } from '../gate/gate.ts';
import { SqliteLedger } from '../ledger/sqlite-ledger.ts';
import { type Config, scannerPolicyOf } from './config.ts';
import { checkLedgerIsThere, type DataDirectory, markLedgerMade, prepareDataDirectory } from './data-directory.ts';

export interface Embedded {
  readonly directory: DataDirectory;
  readonly ledger: SqliteLedger;
  readonly gate: Gate;
  /** Decides what was taken, then closes the ledger. */
  close(): Promise<void>;
}

/** @throws ScanGateError of the kind `startup`. */
export async function openEmbedded(config: Config, observer: GateObserver = {}): Promise<Embedded> {
  const directory = prepareDataDirectory(config.data, config.allow_network_file_system);
  checkLedgerIsThere(directory);
  const ledger = await SqliteLedger.open(directory.ledgerPath, { check: config.check_on_start });
  try {
    markLedgerMade(directory);
  } catch (error) {
    // Else its thread would keep the process alive.
    await ledger.close();
    const why = error instanceof Error ? error.message : String(error);
    throw new ScanGateError('SG_DATA_PATH', `The data directory ${directory.path} cannot be written to: ${why}.`, {
      cause: error,
    });
  }
  const gate = new Gate({
    ledger,
    policy: scannerPolicyOf(config),
    limits: { queueItemsMax: config.queue_items_max, answerMsMax: config.answer_ms_max },
    observer,
  });
  return {
    directory,
    ledger,
    gate,
    async close() {
      await gate.drain();
      await ledger.close();
    },
  };
}

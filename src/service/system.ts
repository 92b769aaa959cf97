/** What a process runs on, put together from its settings: a ledger, claims where there are any, a gate, a quarantine. */
import type { ProductDirectory } from '../directory/product-directory.ts';
import type { Admission } from '../gate/arrival.ts';
import { Gate, type GateObserver } from '../gate/gate.ts';
import { Quarantine } from '../gate/quarantine.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openClaims, preFilterOf, type WatchedClaims } from './claims.ts';
import { type Config, scannerPolicyOf, timeRulesOf } from './config.ts';

export interface System {
  readonly mode: 'embedded' | 'fleet';
  readonly ledger: Ledger;
  readonly claims?: WatchedClaims;
  readonly gate: Gate;
  readonly quarantine: Quarantine;
  /** Where the ledger is, as a person is told. */
  readonly place: string;
  readonly warning?: string;
  /** Decides what was taken, then closes everything. */
  close(): Promise<void>;
}

/** A ledger and what lies beside it. */
export interface Books {
  readonly mode: System['mode'];
  readonly ledger: Ledger;
  readonly directory?: ProductDirectory;
  readonly place: string;
  readonly warning?: string;
  close(): Promise<void>;
}

/**
 * @param isServer it is the one server of its data directory, where it has one.
 * @throws ScanGateError of the kind `startup`.
 */
export async function openSystem(config: Config, observer: GateObserver = {}, isServer = false): Promise<System> {
  const preFilter = preFilterOf(config);
  const books = await openBooks(config, isServer);
  const { ledger, directory } = books;
  let claims: WatchedClaims | undefined;
  try {
    claims = await openClaims(config);
  } catch (error) {
    // Else its connections, or its thread, would keep the process alive.
    await books.close();
    throw error;
  }
  const admission: Admission = {
    policy: scannerPolicyOf(config),
    unknownProduct: config.unknown_product,
    ...(directory !== undefined && { directory }),
  };
  const gate = new Gate({
    ...admission,
    ledger,
    limits: { queueItemsMax: config.queue_items_max, answerMsMax: config.answer_ms_max },
    observer,
    ...(claims !== undefined && { claims }),
    ...(preFilter !== undefined && { preFilter }),
  });
  return {
    ...books,
    ...(claims !== undefined && { claims }),
    gate,
    quarantine: new Quarantine({ ...admission, ledger, timeRules: timeRulesOf(config), observer }),
    async close() {
      await gate.drain();
      await claims?.close();
      await books.close();
    },
  };
}

/** The client of the one ledger is not read where the other one is used. */
async function openBooks(config: Config, isServer: boolean): Promise<Books> {
  if (config.postgres !== '') return (await import('./fleet.ts')).openFleet(config);
  return (await import('./embedded.ts')).openEmbedded(config, isServer);
}

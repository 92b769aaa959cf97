/**
 * The recipe, to the letter: `SET <key with the window index> 1 NX PX 3500`, whoever creates the key commits, all others suppress. It is here
 * to be caught: a simulation in which it is sound sees nothing.
 *
 * As it is usually met: its client library sends a command again whose reply did not come, and a worker that cannot ask says so.
 */

import { within } from '../../base/deadline.ts';
import type { RedisClient } from '../../claim/redis-client.ts';
import { identify } from '../../identity/identify.ts';
import { defaultScannerClass } from '../../identity/scanner-class.ts';
import { parseScan } from '../../scan/parse-scan.ts';
import type { Scan } from '../../scan/scan.ts';
import type { HistoryEvent } from '../history.ts';
import type { Answer, Attempt } from '../workload/client.ts';
import { OwnRows } from './own-rows.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import {
  databaseFaults,
  policy,
  type Receive,
  type SimulatedSystem,
  type Surroundings,
  type SystemPlan,
  timed,
} from './simulated-system.ts';

const sendsAgain = 3;
const replyMs = 150;

export const recipePlan = (): SystemPlan => ({
  name: 'recipe',
  mix: timed,
  impossible: new Set(databaseFaults),
  notPromised: new Set(),
  build: (surroundings) => new RecipeSystem(surroundings),
});

class RecipeSystem implements SimulatedSystem {
  readonly hasJournal = false;
  readonly #surroundings: Surroundings;
  readonly #rows: OwnRows;
  /** Reference of what was committed under a key, as far as a worker would find it in the ledger. */
  readonly #references = new Map<string, string>();

  constructor(surroundings: Surroundings) {
    const { scheduler, faults } = surroundings;
    this.#surroundings = surroundings;
    this.#rows = new OwnRows({}, scheduler, faults);
  }

  start(process: SimulatedProcess): Receive {
    const client = this.#surroundings.redis.client(process);
    return async ({ value }: Attempt): Promise<Answer> => {
      const parsed = parseScan(value, { receivedAt: process.nowMs() });
      if (!parsed.ok) return { outcome: 'rejected', code: parsed.error.rejection.code };
      const scan = parsed.value;
      // The window index is that of the worker's clock: the recipe knows no other.
      const key = identify({ ...scan, occurredAt: process.nowMs() }, policy(scan.scannerId, scan.facilityUuid)).claimKey;
      const claimed = await this.#claim(client, key, process);
      if (claimed === 'unknown') return { outcome: 'unavailable' };
      if (claimed === 'taken') return { outcome: 'suppressed', entry_id: this.#references.get(key) ?? 'nobody knows' };
      return { outcome: 'committed', entry_id: await this.#insert(process, key, scan) };
    };
  }

  books(): Iterable<HistoryEvent> {
    return this.#rows.lines();
  }

  async #claim(client: RedisClient, key: string, process: SimulatedProcess): Promise<'ours' | 'taken' | 'unknown'> {
    const { windowMs, guardMs } = defaultScannerClass;
    for (let attempt = 0; attempt < sendsAgain; attempt += 1) {
      const command = ['set', key, '1', 'NX', 'PX', String(windowMs + guardMs)];
      const reply = await within(
        replyMs,
        client.send(key, command).catch(() => undefined),
        undefined,
        process,
      );
      if (reply === 'OK') return 'ours';
      if (reply === null) return 'taken';
      client.renew(key);
      await process.sleep(replyMs);
    }
    return 'unknown';
  }

  async #insert(process: SimulatedProcess, key: string, scan: Scan): Promise<string> {
    const random = this.#surroundings.faults.of(`${process.name} inserts ${key}`);
    return process.call(random, async () => {
      await process.sleep(1);
      const reference = this.#rows.insert(scan);
      this.#references.set(key, reference);
      return reference;
    });
  }
}

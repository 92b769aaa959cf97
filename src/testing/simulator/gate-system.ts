/** The gate, its claims and its ledger under simulation: the real code of all three, over simulated stores. */
import { sha256Hex } from '../../base/digest.ts';
import { RedisClaimStore } from '../../claim/redis-claim-store.ts';
import { Gate } from '../../gate/gate.ts';
import { PreFilter } from '../../gate/pre-filter.ts';
import type { Verdict } from '../../gate/verdict.ts';
import { defaultScannerClass } from '../../identity/scanner-class.ts';
import type { HistoryEvent } from '../history.ts';
import { lineEvent } from '../line-event.ts';
import type { Answer, Attempt } from '../workload/client.ts';
import { type Random, randomOf } from '../workload/random.ts';
import { SimulatedDatabase } from './simulated-database.ts';
import { SimulatedLedger } from './simulated-ledger.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import {
  countedIds,
  policy,
  type Receive,
  type SimulatedSystem,
  type Surroundings,
  type SystemPlan,
} from './simulated-system.ts';

export const gatePlan = (): SystemPlan => ({
  name: 'scangate',
  mix: { reusedIds: 100 },
  impossible: new Set(),
  notPromised: new Set(),
  build: (surroundings) => new GateSystem(surroundings),
});

class GateSystem implements SimulatedSystem {
  readonly hasJournal = true;
  readonly #surroundings: Surroundings;
  readonly database: SimulatedDatabase;
  readonly #settings: Random;
  readonly #claims: 'none' | 'asked first' | 'with a pre-filter';
  readonly #batchItemsMax: number;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.database = new SimulatedDatabase(surroundings.scheduler, surroundings.faults);
    this.#settings = randomOf(surroundings.seed, 'settings of the gate');
    this.#claims = this.#settings.pick(['asked first', 'asked first', 'with a pre-filter', 'none']);
    this.#batchItemsMax = this.#settings.pick([500, 500, 3, 1]);
  }

  start(process: SimulatedProcess): Receive {
    const { scheduler, faults, redis } = this.#surroundings;
    const ids = countedIds(process.id);
    const { windowMs, guardMs } = defaultScannerClass;
    const size = { scansPerS: 20, rememberMs: windowMs + guardMs };
    const gate = new Gate({
      ledger: new SimulatedLedger(this.database, process, scheduler, faults, ids),
      ...(this.#claims !== 'none' && { claims: new RedisClaimStore(redis.client(process), {}, process) }),
      ...(this.#claims === 'with a pre-filter' && { preFilter: new PreFilter(size, process) }),
      policy,
      ids,
      timers: process,
      limits: { batchItemsMax: this.#batchItemsMax },
    });
    return async ({ value, item }: Attempt) => {
      const raw = () => ({ bytes: Buffer.from(item, 'utf8') });
      return answerOf(await gate.submit({ value, receivedAt: process.nowMs(), transport: 'http', raw }));
    };
  }

  *books(): Generator<HistoryEvent> {
    const { lines, records, quarantine } = this.database.books;
    for (const line of lines) yield lineEvent(line);
    for (const record of records) yield { kind: 'record', record };
    for (const [id, bytes] of quarantine) yield { kind: 'quarantined', quarantine_id: id, sha256: sha256Hex(bytes) };
    for (const facility of new Set(records.map(({ facility_uuid }) => facility_uuid))) {
      const { lastSeq, lastLine, hash } = this.database.books.head(facility);
      yield { kind: 'head', facility_uuid: facility, seq: lastSeq, line: lastLine, hash };
    }
  }
}

function answerOf({ decision }: Verdict): Answer {
  switch (decision.outcome) {
    case 'committed':
      return { outcome: 'committed', entry_id: decision.entry.id };
    case 'suppressed':
    case 'conflict':
      return { outcome: decision.outcome, entry_id: decision.of.id };
    case 'rejected':
      return { outcome: 'rejected', quarantine_id: decision.quarantineId, code: decision.rejection.code };
    case 'unavailable':
      return { outcome: 'unavailable', code: decision.code };
  }
}

/**
 * The guard under simulation: the real guard over claims in the simulated Redis, before a ledger of the site's own.
 *
 * What the guard promises depends on that ledger (docs/reference/library.md, "What holds"). So each seed has one of the ledgers of that
 * table, and only the faults of which the table says that one row is what remains.
 */
import { RedisClaimStore } from '../../claim/redis-claim-store.ts';
import { createGuard } from '../../gate/guard.ts';
import type { Commit, GuardAnswer } from '../../gate/guard-contract.ts';
import { identify } from '../../identity/identify.ts';
import { parseScan } from '../../scan/parse-scan.ts';
import type { HistoryEvent } from '../history.ts';
import type { Answer, Attempt } from '../workload/client.ts';
import { randomOf } from '../workload/random.ts';
import type { Faults } from './faults.ts';
import { GuardWatch, type WatchedPromises } from './guard-watch.ts';
import { forgetting, type GuardedLedger, guardedLedgers } from './guarded-ledgers.ts';
import { OwnRows, type RowRules } from './own-rows.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import {
  type BrokenPromise,
  countedIds,
  databaseFaults,
  policy,
  type Receive,
  type SimulatedSystem,
  type Surroundings,
  type SystemPlan,
} from './simulated-system.ts';

/** How far the clocks of two workers are apart before one of them is set. */
const clocksApartMs = 1_300;
const clockSkewMs = 1_500;

export const guardPlan = (seed: number): SystemPlan => {
  const ledger = randomOf(seed, 'ledger of the site').pick(guardedLedgers);
  return {
    name: `scangate-guard, ${ledger.name}`,
    mix: ledger.mix,
    ...ledger.inARow,
    impossible: new Set([...databaseFaults, ...ledger.impossible]),
    notPromised: ledger.notPromised,
    build: (surroundings) => new GuardSystem(ledger, surroundings),
  };
};

class GuardSystem implements SimulatedSystem {
  readonly hasJournal = false;
  readonly #surroundings: Surroundings;
  readonly #rows: OwnRows;
  readonly #watch: GuardWatch;
  readonly #hasLookup: boolean;
  readonly #leaseMs: number;
  readonly #keepMs: number | undefined;

  constructor(ledger: GuardedLedger, surroundings: Surroundings) {
    const { seed, scheduler, faults } = surroundings;
    this.#surroundings = surroundings;
    const settings = randomOf(seed, 'settings of the guard');
    const rules: RowRules = {
      ...ledger.rules,
      comparesFence: settings.perMille(300),
      refusalsPerMille: settings.pick([0, 0, 100, 400]),
      commitHopMs: settings.pick(ledger.commitHopsMs),
    };
    this.#rows = new OwnRows(rules, scheduler, faults);
    this.#hasLookup = ledger.hasLookup;
    this.#keepMs = ledger.keepMs;
    this.#leaseMs = settings.pick(ledger.leasesMs);
    this.#watch = new GuardWatch(watchedPromises(ledger, faults));
  }

  start(process: SimulatedProcess): Receive {
    const { redis } = this.#surroundings;
    const claims = new RedisClaimStore(redis.client(process), {}, process);
    const guard = createGuard({
      claims,
      leaseMs: this.#leaseMs,
      clockSkewMs,
      ...(this.#keepMs !== undefined && { keepMs: this.#keepMs }),
      policy,
      clock: process,
      ids: countedIds(process.id),
    });
    const lookup = (pick: string) => this.#rows.lookup(process, pick);
    return async ({ name, value }: Attempt) => {
      const parsed = parseScan(value, { receivedAt: process.nowMs() });
      if (!parsed.ok) return { outcome: 'rejected', code: parsed.error.rejection.code };
      const scan = parsed.value;
      const visit = this.#watch.came(identify(scan, policy(scan.scannerId, scan.facilityUuid)).content, name);
      const commit: Commit = async (lease) => {
        const ended = this.#watch.commits(lease, process.nowMs());
        const end = await this.#rows.commit(process, lease);
        ended();
        return end;
      };
      const answer = await guard(scan, commit, this.#hasLookup ? { lookup } : {});
      this.#watch.answered(visit, answer);
      return answerOf(answer);
    };
  }

  books(): Iterable<HistoryEvent> {
    return this.#rows.lines();
  }

  get broken(): readonly BrokenPromise[] {
    return this.#watch.broken;
  }
}

function watchedPromises({ impossible, hasLookup }: GuardedLedger, { names }: Faults): WatchedPromises {
  const areClaimsKept = forgetting.every((kind) => impossible.includes(kind));
  const isPaused = names.includes('pause');
  const isClockSet = names.includes('worker clock jump');
  return {
    areClaimsKept,
    // A worker that is paused takes an answer for one that did not come.
    isStoreHeard: areClaimsKept && !isPaused && !names.some((kind) => kind.startsWith('redis')),
    areLeasesApart: areClaimsKept && !isClockSet,
    // A lease that was taken over and given up goes to whoever comes next, whose clock can be behind that of who waited for its end.
    takenOverAfterMs: clockSkewMs - clocksApartMs,
    // With a look-up a pick can have a second claim, of its own name, whose tokens do not follow those of the first.
    areLeasesInOrder: areClaimsKept && !hasLookup && !isPaused && !isClockSet,
  };
}

function answerOf(answer: GuardAnswer): Answer {
  switch (answer.outcome) {
    case 'committed':
      return { outcome: 'committed', entry_id: answer.reference };
    case 'suppressed':
      return { outcome: 'suppressed', entry_id: answer.of };
    case 'unavailable':
      return { outcome: 'unavailable', code: answer.code };
  }
}

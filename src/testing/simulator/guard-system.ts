/**
 * The guard under simulation: the real guard over claims in the simulated Redis, before a ledger of the site's own.
 *
 * What the guard promises depends on that ledger (docs/reference/library.md, "What holds"). So each seed has one of the ledgers of that
 * table, and only the faults of which the table says that one row is what remains.
 */
import { RedisClaimStore } from '../../claim/redis-claim-store.ts';
import { createGuard } from '../../gate/guard.ts';
import type { GuardAnswer } from '../../gate/guard-contract.ts';
import { parseScan } from '../../scan/parse-scan.ts';
import type { HistoryEvent } from '../history.ts';
import type { Answer, Attempt } from '../workload/client.ts';
import type { Mix } from '../workload/mix.ts';
import { randomOf } from '../workload/random.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import { OwnRows } from './own-rows.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import {
  countedIds,
  databaseFaults,
  policy,
  type Receive,
  type SimulatedSystem,
  type Surroundings,
  type SystemPlan,
  timed,
} from './simulated-system.ts';

/** Two scans of one content can have one row where the claim that knew of both is forgotten, or out of time, and begin another. */
const apart: Partial<Mix> = { ...timed, redispenses: 0 };

const forgetting: readonly FaultKind[] = ['redis flush', 'redis eviction', 'redis failover', 'redis restart', 'redis clock jump'];
/** After these a commit can be under way whose lease is over. */
const overrunning: readonly FaultKind[] = ['pause', 'worker clock jump', 'ledger silent'];
const dying: readonly FaultKind[] = ['crash', 'crash at a call', 'ledger connection lost', 'commit unanswered', 'ledger slow'];
const ofRedis: readonly FaultKind[] = faultKinds.filter((kind) => kind.startsWith('redis'));

/** Two scans less than a window apart, each with its own row: the claim that knew of both had moved on, or was forgotten. */
const windows: SystemPlan['notPromised'] = new Set(['window_violated']);
/** A scan that a later one of its content has overtaken is told to come again for as long as that claim is kept. */
const overtaken: SystemPlan['notPromised'] = new Set(['never_answered']);
const nothing: SystemPlan['notPromised'] = new Set();

interface GuardedLedger {
  readonly name: string;
  readonly refusesSecondRow: boolean;
  readonly hasLookup: boolean;
  readonly mix: Partial<Mix>;
  readonly impossible: readonly FaultKind[];
  readonly notPromised: SystemPlan['notPromised'];
}

const ledgers: readonly [GuardedLedger, ...GuardedLedger[]] = [
  {
    name: 'unique pick and lookup',
    refusesSecondRow: true,
    hasLookup: true,
    mix: apart,
    impossible: [],
    notPromised: windows,
  },
  { name: 'unique pick', refusesSecondRow: true, hasLookup: false, mix: apart, impossible: [], notPromised: windows },
  {
    name: 'unique pick and lookup, contents again',
    refusesSecondRow: true,
    hasLookup: true,
    mix: timed,
    impossible: forgetting,
    notPromised: windows,
  },
  {
    name: 'unique pick and lookup, two trigger times',
    refusesSecondRow: true,
    hasLookup: true,
    mix: { ...apart, doubleListeners: 400 },
    impossible: [...forgetting, ...overrunning],
    notPromised: nothing,
  },
  {
    name: 'lookup',
    refusesSecondRow: false,
    hasLookup: true,
    mix: timed,
    impossible: [...forgetting, ...overrunning],
    notPromised: windows,
  },
  {
    name: 'neither',
    refusesSecondRow: false,
    hasLookup: false,
    // Of a scan that a later one of its content has overtaken nobody can tell any more.
    mix: apart,
    impossible: [...forgetting, ...overrunning, ...dying, ...ofRedis],
    notPromised: overtaken,
  },
];

export const guardPlan = (seed: number): SystemPlan => {
  const ledger = randomOf(seed, 'ledger of the site').pick(ledgers);
  return {
    name: `scangate-guard, ${ledger.name}`,
    mix: ledger.mix,
    // Where a lease is taken over, who takes it may be another scan of the content: of three in a row the one between can have two answers.
    closeScansMax: ledger.mix.redispenses === 0 ? 1 : 2,
    impossible: new Set([...databaseFaults, ...ledger.impossible]),
    notPromised: ledger.notPromised,
    build: (surroundings) => new GuardSystem(ledger, surroundings),
  };
};

class GuardSystem implements SimulatedSystem {
  readonly hasJournal = false;
  readonly #surroundings: Surroundings;
  readonly #rows: OwnRows;
  readonly #hasLookup: boolean;
  readonly #leaseMs: number;
  readonly #keepMs: number;

  constructor({ refusesSecondRow, hasLookup, impossible }: GuardedLedger, surroundings: Surroundings) {
    const { seed, scheduler, faults } = surroundings;
    this.#surroundings = surroundings;
    const settings = randomOf(seed, 'settings of the guard');
    this.#rows = new OwnRows({ refusesSecondRow, comparesFence: settings.perMille(300) }, scheduler, faults);
    this.#hasLookup = hasLookup;
    // Where nothing else than the claim forbids a second row, no lease is shorter than the slowest commit.
    // Where no claim is to be forgotten, none may run out either while a worker is paused or a device goes on.
    this.#keepMs = impossible.includes('redis flush') ? 24 * 60 * 60_000 : 10_000;
    this.#leaseMs = refusesSecondRow ? settings.pick([50, 1_000, 10_000]) : 60_000;
  }

  start(process: SimulatedProcess): Receive {
    const { redis } = this.#surroundings;
    const claims = new RedisClaimStore(redis.client(process), {}, process);
    const guard = createGuard({
      claims,
      leaseMs: this.#leaseMs,
      clockSkewMs: 2_000,
      keepMs: this.#keepMs,
      policy,
      clock: process,
      ids: countedIds(process.id),
    });
    const lookup = (pick: string) => this.#rows.lookup(process, pick);
    return async ({ value }: Attempt) => {
      const parsed = parseScan(value, { receivedAt: process.nowMs() });
      if (!parsed.ok) return { outcome: 'rejected', code: parsed.error.rejection.code };
      const commit: Parameters<typeof guard>[1] = (lease) => this.#rows.commit(process, lease);
      return answerOf(await guard(parsed.value, commit, this.#hasLookup ? { lookup } : {}));
    };
  }

  books(): Iterable<HistoryEvent> {
    return this.#rows.lines();
  }
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

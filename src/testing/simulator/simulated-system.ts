/** A system under simulation: what its workers do with a transmission, and what its books hold at the end. */
import type { IdSource } from '../../base/ids.ts';
import type { ScannerPolicy } from '../../gate/arrival.ts';
import { defaultScannerClass, type ScannerClass } from '../../identity/scanner-class.ts';
import type { ViolationKind } from '../checker/judgement.ts';
import type { HistoryEvent } from '../history.ts';
import type { Answer, Attempt } from '../workload/client.ts';
import type { Mix } from '../workload/mix.ts';
import type { FaultKind, Faults } from './faults.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedDatabase } from './simulated-database.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { SimulatedRedis } from './simulated-redis.ts';

/** What surrounds the workers of every system. */
export interface Surroundings {
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly redis: SimulatedRedis;
}

/** A worker's process at work. */
export type Receive = (attempt: Attempt) => Promise<Answer>;

/** What can be wrong with a run beside what the checker finds in its history. */
export type BrokenPromiseKind =
  | 'never_answered'
  | 'endless_claim'
  | 'commit_without_lease'
  | 'commits_at_once'
  | 'fence_not_greater'
  | 'held_by_nobody';

export interface BrokenPromise {
  readonly kind: BrokenPromiseKind;
  /** One sentence. */
  readonly message: string;
}

export interface SimulatedSystem {
  readonly hasJournal: boolean;
  /** A process begins, knowing nothing. */
  start(process: SimulatedProcess): Receive;
  /** What its books are in, where that is a database of ours. */
  readonly database?: SimulatedDatabase;
  /** Lines, records, quarantine and heads, read at the end. */
  books(): Iterable<HistoryEvent>;
  /** What it promises and broke, where no history shows it. */
  readonly broken?: readonly BrokenPromise[];
}

/** What cannot happen to a system without such a database. */
export const databaseFaults: readonly FaultKind[] = ['database pause', 'database crash', 'database failover', 'standby slow'];

/** Only devices that say when each trigger was pulled, and only what can be read: for systems that go by time alone. */
export const timed: Partial<Mix> = {
  idsOnly: 0,
  bare: 0,
  implausibleClocks: 0,
  reboots: 0,
  doubleListeners: 0,
  glued: 0,
  damaged: 0,
};

/** What is decided of a run before it begins. */
export interface SystemPlan {
  /** As it stands in the history. */
  readonly name: string;
  /** What the traffic must not hold, because this system does not promise to tell it apart. */
  readonly mix: Partial<Mix>;
  /** How many scans of one content may follow each other closely, where it does not promise which of more has which line. */
  readonly closeScansMax?: number;
  /** How far apart two scans are that do not follow each other closely, ms; two windows when left out, so that no clock makes it less than one. */
  readonly farMs?: number;
  /** Faults that it does not promise to survive. */
  readonly impossible: ReadonlySet<FaultKind>;
  /** What the checker may find, because nobody promises otherwise. */
  readonly notPromised: ReadonlySet<ViolationKind>;
  build(surroundings: Surroundings): SimulatedSystem;
}

const trusting: ScannerClass = { ...defaultScannerClass, name: 'trusting', distinctIds: 'trust' };

/** The scanners of the traffic whose ids are trusted say so in their names. */
export const policy: ScannerPolicy = (scannerId) => (scannerId.startsWith('TRUST-') ? trusting : defaultScannerClass);

/** Identifiers of one process, the same in each run. */
export function countedIds(prefix: string): IdSource {
  let last = 0;
  return {
    uuid: () => {
      last += 1;
      return `${prefix}-${last}`;
    },
  };
}

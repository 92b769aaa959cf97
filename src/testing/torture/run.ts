/**
 * A torture run: real servers, real workers, scanners that do not give up, and faults. In: a seed and how much of everything. Out: a
 * history in a file, what its checker says of that file, and what is wrong with the servers themselves. It stops all that it has started,
 * whatever happens; where it breaks off, it says what went wrong first and how far it was, and keeps the history.
 */
import { systemClock } from '../../base/clock.ts';
import { within } from '../../base/deadline.ts';
import { defaultScannerClass } from '../../identity/scanner-class.ts';
import type { Judgement } from '../checker/judgement.ts';
import { Lifetime } from '../servers/lifetime.ts';
import type { Mix } from '../workload/mix.ts';
import { BrokenOff } from './broken-off.ts';
import { longestSpellMs } from './device-traffic.ts';
import { Devices } from './devices.ts';
import type { FaultKind } from './fault.ts';
import { FaultPlayer } from './fault-player.ts';
import { faultKinds } from './faults.ts';
import { type Ground, startGround } from './ground.ts';
import { Progress } from './progress.ts';
import { RunHistory } from './run-history.ts';
import { type PlannedFault, scheduleOf } from './schedule.ts';
import type { System } from './system.ts';
import { MemoryWatch, metricOf } from './worker-watch.ts';

export interface TortureOptions {
  readonly seed: number;
  readonly scans: number;
  readonly system: System;
  /** How the run can be repeated. */
  readonly command: string;
  /** The file in which the history is kept. When left out, it is a temporary one that is removed unless something is wrong. */
  readonly history?: string;
  readonly print: (line: string) => void;
  readonly workers?: number;
  readonly scansPerS?: number;
  readonly faultsPerMinute?: number;
  readonly kinds?: readonly FaultKind[];
  /** No device waits longer before it sends again, 8000 ms when left out: a run does not end before the most patient one has heard. */
  readonly retryMsMax?: number;
  /** How often what happens in the traffic. */
  readonly mix?: Partial<Mix>;
  readonly postgresSettings?: Readonly<Record<string, string>>;
  /** Breaks the run off, with its reason: for an operator who ends it early. */
  readonly signal?: AbortSignal;
}

export interface TortureReport {
  readonly judgement: Judgement;
  /** How often each kind was really injected. */
  readonly faults: ReadonlyMap<string, number>;
  /** Faults that could not be injected, and why. */
  readonly passedOver: readonly string[];
  /** What is wrong with the servers and the workers, one sentence each. */
  readonly problems: readonly string[];
  readonly workerBytesMost: number;
  /** From the first trigger to the last scan that was heard of, ms. */
  readonly tookMs: number;
  readonly unanswered: number;
  /** The most that the process of the run itself took while it was played, and how late its event loop was at most, ms. */
  readonly ownBytesMost: number;
  readonly loopLagMsMost: number;
  /** Where the history can be read, if it was kept. */
  readonly history?: string;
}

type Played = Omit<TortureReport, 'judgement' | 'history'>;

const windowMs = 3_000;
/** How long thinking out one scan of the traffic may take, ms: so long after the devices begin, the first trigger is pulled. */
const planningMsOfScan = 0.05;
/** How long devices that are not offline may go on after the last fault was healed, ms. */
const hearMsMax = 180_000;
const wholeMsMax = 60_000;
const workerBytesMax = 600 * 1024 * 1024;

/** @throws BrokenOff when it was not played to its end; ScanGateError `SG_HISTORY_INVALID` when its history cannot be begun. */
export async function torture(options: TortureOptions): Promise<TortureReport> {
  const history = new RunHistory(options.history);
  const lifetime = new Lifetime();
  const run = new Run(options, lifetime, history);
  try {
    const played = await run.play();
    await lifetime.close();
    options.print('everything is stopped, and the history is judged');
    const judgement = await history.judged();
    if (judgement.isSound) history.drop();
    return { ...played, judgement, ...((options.history !== undefined || !judgement.isSound) && { history: history.path }) };
  } catch (error) {
    // What goes wrong while the ground is taken away follows from the first thing, and must not hide it.
    await lifetime.close().catch(() => undefined);
    history.file.abandon();
    throw new BrokenOff(error, run.known());
  }
}

class Run {
  readonly #options: TortureOptions;
  readonly #lifetime: Lifetime;
  readonly #history: RunHistory;
  readonly #problems: string[] = [];
  #devices: Devices | undefined;
  #player: FaultPlayer | undefined;

  constructor(options: TortureOptions, lifetime: Lifetime, history: RunHistory) {
    this.#options = options;
    this.#lifetime = lifetime;
    this.#history = history;
  }

  /** How far it is. */
  known(): BrokenOff['known'] {
    const counts = this.#devices?.counts ?? { pulled: 0, heard: 0, transmissions: 0, unanswered: 0 };
    return { counts, faults: this.#player?.injected ?? new Map(), problems: this.#problems, history: this.#history.path };
  }

  async play(): Promise<Played> {
    const { system, seed, command, signal } = this.#options;
    const judgedBy = { window_ms: windowMs, review_gap_ms: defaultScannerClass.reviewGapMs, has_journal: system.hasJournal };
    this.#history.file.write({ kind: 'run', v: 1, system: system.name, seed, ...judgedBy, command });
    const stopped = new Promise<never>((_, reject) => {
      const stop = (): void => reject(signal?.reason instanceof Error ? signal.reason : new Error('It was stopped.'));
      if (signal?.aborted === true) stop();
      signal?.addEventListener('abort', stop, { once: true });
    });
    const ground = await first(this.#startGround(), stopped);
    const devices = this.#startDevices(ground);
    try {
      return await first(this.#playOn(ground, devices), stopped, devices.failed);
    } finally {
      this.#player?.end();
    }
  }

  #startGround(): Promise<Ground> {
    const { system, scans, workers = 4, postgresSettings = {} } = this.#options;
    return startGround(this.#lifetime, { system, workers, scans, postgresSettings });
  }

  #startDevices({ workers }: Ground): Devices {
    const { system, seed, scans, scansPerS = 100, retryMsMax = 8_000, mix = {} } = this.#options;
    const startsAt = systemClock.nowMs() + 1_000 + Math.round(scans * planningMsOfScan);
    const addresses = workers.map(({ name, url }) => ({ name, url }));
    const amounts = { seed, scans, scansPerS, windowMs, startsAt, retryMsMax, mix };
    this.#devices = new Devices(this.#lifetime, this.#history.file, {
      ...amounts,
      workers: addresses,
      answers: system.answers.href,
    });
    return this.#devices;
  }

  async #playOn(ground: Ground, devices: Devices): Promise<Played> {
    const { system, seed, scans, scansPerS = 100, print } = this.#options;
    print(`${ground.workers.length} workers of ${system.name}, seed ${seed}, ${scans} physical scans at ${scansPerS} a second`);
    await devices.planned();
    const memory = new MemoryWatch(ground.workers);
    this.#lifetime.onEnd(() => memory.stop());
    const progress = new Progress(this.#lifetime, () => devices.counts, print);
    const begun = performance.now();
    const player = await this.#playFaults(ground, devices);
    await ground.redis.untilWhole(wholeMsMax).catch(() => this.#problem('Redis has no primary with a replica at the end.'));
    const patienceMs = hearMsMax + longestSpellMs({ scans, scansPerS });
    if ((await within(patienceMs, devices.allHeard(), 'late')) === 'late')
      this.#problem(`Devices had not heard after ${patienceMs} ms.`);
    const tookMs = performance.now() - begun;
    if (system.hasMetrics) await this.#untilClaimsAreUp(ground, devices);
    await memory.end();
    await devices.end();
    await this.#examine(ground, memory.mostBytes);
    return {
      faults: player.injected,
      passedOver: player.passedOver,
      problems: this.#problems,
      workerBytesMost: memory.mostBytes,
      tookMs,
      unanswered: devices.counts.unanswered,
      ...progress.most(),
    };
  }

  /** Until the last trigger was pulled, and every fault is healed. */
  async #playFaults(ground: Ground, devices: Devices): Promise<FaultPlayer> {
    const { seed, print } = this.#options;
    const player = new FaultPlayer({
      seed,
      ground,
      schedule: this.#schedule(),
      clock: systemClock,
      history: this.#history.file.write,
      print,
    });
    this.#player = player;
    const faults = player.play();
    await Promise.race([devices.allPulled(), faults.then(() => devices.allPulled())]);
    player.end();
    await faults;
    print('every fault is healed');
    return player;
  }

  #schedule(): readonly PlannedFault[] {
    const { seed, scans, scansPerS = 100, faultsPerMinute = 40, kinds = faultKinds } = this.#options;
    return scheduleOf({ seed, kinds, withinMs: (scans / scansPerS) * 1_000, perMinute: faultsPerMinute });
  }

  #problem(sentence: string): void {
    this.#problems.push(sentence);
    this.#history.file.write({ kind: 'problem', message: sentence });
    this.#options.print(`PROBLEM: ${sentence}`);
  }

  /** Claims recover without a restart: scans go on until each worker says that they do. */
  async #untilClaimsAreUp({ workers }: Ground, devices: Devices): Promise<void> {
    const deadline = performance.now() + wholeMsMax;
    for (let number = 0; ; number += 1) {
      const states = await Promise.all(workers.map((worker) => metricOf(worker, 'scangate_claims_up')));
      if (states.every((up) => up === 1)) return;
      if (performance.now() > deadline) {
        this.#problem(
          `Claims are not back: ${workers.map(({ name }, index) => `${name} ${states[index] ?? 'silent'}`).join(', ')}.`,
        );
        return;
      }
      if ((await within(wholeMsMax, devices.probe(number), 'late')) === 'late')
        this.#problem('A scan was not heard of after every fault was healed.');
    }
  }

  async #examine({ postgres, database, workers }: Ground, workerBytes: number): Promise<void> {
    const { system } = this.#options;
    for (const sentence of workers.flatMap(({ endedByItself }) => endedByItself)) this.#problem(sentence);
    if (workerBytes > workerBytesMax) this.#problem(`A worker took ${Math.round(workerBytes / 1e6)} MB of memory.`);
    const deadlocks = postgres.everLoggedCount('deadlock detected');
    if (deadlocks > 0) this.#problem(`PostgreSQL has found ${deadlocks} deadlocks.`);
    // Nothing is written any more while the books are read.
    await Promise.all(workers.map((worker) => worker.end('SIGTERM')));
    await system.readBooks(postgres, database, this.#history.file.write);
    for (const sentence of await system.audit(postgres, database)) this.#problem(sentence);
  }
}

/** What comes first of them; what becomes of the others is not asked any more. */
async function first<T>(...promises: readonly Promise<T>[]): Promise<T> {
  for (const one of promises) one.catch(() => undefined);
  return Promise.race(promises);
}

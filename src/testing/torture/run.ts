/**
 * A torture run: real servers, real workers, scanners that do not give up, and faults. In: a seed and how much of everything. Out: a
 * history, what its checker says of it, and what is wrong with the servers themselves. It stops all that it has started, whatever happens.
 */
import { systemClock, systemTimers } from '../../base/clock.ts';
import { within } from '../../base/deadline.ts';
import { defaultScannerClass } from '../../identity/scanner-class.ts';
import { HistoryChecker } from '../checker/check-history.ts';
import type { Judgement } from '../checker/judgement.ts';
import type { HistoryWriter } from '../history.ts';
import { Lifetime } from '../servers/lifetime.ts';
import { waited } from '../servers/until.ts';
import { createDevices, type Devices } from '../workload/client.ts';
import type { Mix } from '../workload/mix.ts';
import { type PlannedScan, trafficOf } from '../workload/traffic.ts';
import type { FaultKind } from './fault.ts';
import { FaultPlayer } from './fault-player.ts';
import { faultKinds } from './faults.ts';
import { type Ground, startGround } from './ground.ts';
import { httpSender } from './http-sender.ts';
import { probeScan } from './probe-scans.ts';
import { scheduleOf } from './schedule.ts';
import type { System } from './system.ts';
import { MemoryWatch, metricOf } from './worker-watch.ts';

export interface TortureOptions {
  readonly seed: number;
  readonly scans: number;
  readonly system: System;
  /** How the run can be repeated. */
  readonly command: string;
  /** Where events go beside the checker. */
  readonly history: HistoryWriter;
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
  /** Is given what stops everything that was started, for an operator who ends the run early. */
  readonly onStopSignal?: (stop: () => Promise<void>) => void;
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
}

const windowMs = 3_000;
/** Of each scanner. */
const scansPerMinute = 12;
/** How long devices may go on after the last fault was healed, ms. */
const hearMsMax = 180_000;
const wholeMsMax = 60_000;
const workerBytesMax = 600 * 1024 * 1024;

export async function torture(options: TortureOptions): Promise<TortureReport> {
  const lifetime = new Lifetime();
  options.onStopSignal?.(() => lifetime.end());
  try {
    return await new Run(options, lifetime).play();
  } finally {
    await lifetime.end();
  }
}

class Run {
  readonly #options: TortureOptions;
  readonly #lifetime: Lifetime;
  readonly #checker = new HistoryChecker();
  readonly #problems: string[] = [];

  constructor(options: TortureOptions, lifetime: Lifetime) {
    this.#options = options;
    this.#lifetime = lifetime;
  }

  async play(): Promise<TortureReport> {
    const { system, seed, command, scans, scansPerS = 100, faultsPerMinute = 40, workers = 4, print } = this.#options;
    const { postgresSettings = {}, kinds = faultKinds } = this.#options;
    const judgedBy = { window_ms: windowMs, review_gap_ms: defaultScannerClass.reviewGapMs, has_journal: system.hasJournal };
    this.#history({ kind: 'run', v: 1, system: system.name, seed, ...judgedBy, command });
    const ground = await startGround(this.#lifetime, { system, workers, scans, postgresSettings });
    print(`${workers} workers of ${system.name}, seed ${seed}, ${scans} physical scans at ${scansPerS} a second`);
    const sender = httpSender(system, ground.workers);
    const memory = new MemoryWatch(ground.workers);
    this.#lifetime.onEnd(() => memory.stop());
    const [first, ...others] = ground.workers.map(({ name }) => name);
    const devices = createDevices({
      seed,
      workers: [first ?? '', ...others],
      send: sender.send,
      timers: systemTimers,
      clock: systemClock,
      history: this.#history,
    });
    const withinMs = (scans / scansPerS) * 1_000;
    const schedule = scheduleOf({ seed, kinds, withinMs, perMinute: faultsPerMinute });
    const player = new FaultPlayer({ seed, ground, schedule, clock: systemClock, history: this.#history, print });
    const begun = performance.now();
    const traffic = this.#playTraffic(devices);
    const faults = player.play();
    await Promise.race([traffic.sent, faults.then(() => traffic.sent)]);
    player.end();
    await faults;
    print('every fault is healed');
    await ground.redis.untilWhole(wholeMsMax).catch(() => this.#problem('Redis has no primary with a replica at the end.'));
    if ((await within(hearMsMax, traffic.heard, 'late')) === 'late')
      this.#problem(`Devices had not heard after ${hearMsMax} ms.`);
    const tookMs = performance.now() - begun;
    if (system.hasMetrics) await this.#untilClaimsAreUp(ground, devices);
    await memory.end();
    await this.#examine(ground, memory.mostBytes);
    sender.close();
    return {
      judgement: this.#checker.judge(),
      faults: player.injected,
      passedOver: player.passedOver,
      problems: this.#problems,
      workerBytesMost: memory.mostBytes,
      tookMs,
      unanswered: sender.unanswered(),
    };
  }

  readonly #history: HistoryWriter = (event) => {
    this.#checker.add(event);
    this.#options.history(event);
  };

  #problem(sentence: string): void {
    this.#problems.push(sentence);
    this.#options.print(`PROBLEM: ${sentence}`);
  }

  /** `sent`: the last trigger was pulled. `heard`: every device has heard of all that it sent. */
  #playTraffic(devices: Devices): { readonly sent: Promise<void>; readonly heard: Promise<void> } {
    const { seed, scans, scansPerS = 100, retryMsMax = 8_000, mix = {} } = this.#options;
    const scanners = Math.max(8, Math.round((scansPerS * 60) / scansPerMinute));
    const facilities = Math.max(2, Math.round(scanners / 60));
    // Scanners do not stop at the same time: of a longer traffic, as many scans as are wanted, for none depends on another.
    const longer = Math.ceil(scans * 1.5);
    const startsAt = systemClock.nowMs() + 500;
    const amounts = { scans: longer, scanners, facilities, scansPerMinute };
    const { scans: planned } = trafficOf({ seed, startsAt, windowMs, mix, ...amounts });
    const underWay: Promise<void>[] = [];
    const send = async (): Promise<void> => {
      for (const scan of planned.slice(0, scans)) {
        const wait = scan.truth.pulled_at - systemClock.nowMs();
        if (wait > 0) await waited(wait);
        this.#history(scan.truth);
        underWay.push(devices(backingOff(scan, retryMsMax)));
      }
    };
    const sent = send();
    const heard = sent.then(() => Promise.all(underWay)).then(() => undefined);
    return { sent, heard };
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
      const scan = probeScan(number, systemClock.nowMs());
      this.#history(scan.truth);
      if ((await within(wholeMsMax, devices(scan), 'late')) === 'late')
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
    await system.readBooks(postgres, database, this.#history);
    for (const sentence of await system.audit(postgres, database)) this.#problem(sentence);
  }
}

/**
 * A device that has heard nothing for long waits twice as long each time: a fleet of which each goes on as often as at first would, after an
 * outage, be busy with nothing but what it was sent meanwhile.
 */
function backingOff({ truth, readings }: PlannedScan, retryMsMax: number): PlannedScan {
  return {
    truth,
    readings: readings.map((reading) => ({ ...reading, retryAfterMs: doubled(reading.retryAfterMs, retryMsMax) })),
  };
}

function doubled(retryAfterMs: readonly number[], mostMs: number): number[] {
  const waits = retryAfterMs.map((ms) => Math.min(ms, mostMs));
  for (let ms = (waits.at(-1) ?? 1_000) * 2; ms < mostMs; ms *= 2) waits.push(ms);
  return [...waits, mostMs];
}

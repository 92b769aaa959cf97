/**
 * One simulated run: traffic, devices, network, workers with the real code, stores, and everything that can go wrong with them.
 *
 * In: a seed. Out: the history of what happened, the same for a seed on every machine, and its judgement. Faults end a while after the last
 * scan; then the devices go on until each has heard. A run in which one never does is not sound.
 */

import { defaultScannerClass } from '../../identity/scanner-class.ts';
import { checkHistory } from '../checker/check-history.ts';
import type { Judgement, ViolationKind } from '../checker/judgement.ts';
import type { HistoryEvent, SentEvent } from '../history.ts';
import { noon } from '../wire-scans.ts';
import { createDevices } from '../workload/client.ts';
import type { Mix } from '../workload/mix.ts';
import { randomOf } from '../workload/random.ts';
import { type PlannedScan, trafficOf } from '../workload/traffic.ts';
import { Faults } from './faults.ts';
import { gatePlan } from './gate-system.ts';
import { guardPlan } from './guard-system.ts';
import { planMishaps } from './mishaps.ts';
import { recipePlan } from './recipe-system.ts';
import { Scheduler } from './scheduler.ts';
import { WrongClock } from './simulated-process.ts';
import { SimulatedRedis } from './simulated-redis.ts';
import type { BrokenPromise, BrokenPromiseKind, SimulatedSystem, SystemPlan } from './simulated-system.ts';
import { Workers } from './workers.ts';

export const simulatedSystems = ['gate', 'guard', 'recipe'] as const;
export type SystemName = (typeof simulatedSystems)[number];

export interface SimulationOptions {
  readonly seed: number;
  readonly system: SystemName;
  /** How many triggers are pulled. */
  readonly scans: number;
  /** Scans, such as `s3`, and faults, such as `crash` or `crash#1`, that are left out. */
  readonly without?: ReadonlySet<string>;
  /** How often what happens in the traffic, in place of what the seed and the system say. */
  readonly mix?: Partial<Mix>;
}

export interface Simulation {
  readonly events: readonly HistoryEvent[];
  readonly judgement: Judgement;
  /** What is wrong, in sentences; nothing in a sound run. */
  readonly found: readonly string[];
  /** The kinds of what is wrong. */
  readonly kinds: readonly (ViolationKind | BrokenPromiseKind)[];
  readonly isSound: boolean;
  /** Everything that can be left out of this run. */
  readonly parts: readonly string[];
}

/** How long after the last scan faults go on, and how long after that all devices have to have heard, ms of the simulated time. */
const faultsAfterMs = 5_000;
const restMs = 60 * 60_000;
const windowMs = 3_000;

/**
 * As scanners are; where what is scanned one after the other, or by several at once, is nearly the same; and in a hurry: the same again and
 * again, without waiting, and half of the answers missed.
 */
const mixes: readonly [Partial<Mix>, ...Partial<Mix>[]] = [
  {},
  { nearTwins: 400, sharedContents: 200 },
  { redispenses: 500, missedAcks: 400, pipelined: 800 },
];

export async function simulate(options: SimulationOptions): Promise<Simulation> {
  const { seed, system: systemName, scans, without = new Set<string>(), mix } = options;
  const events: HistoryEvent[] = [];
  const write = (event: HistoryEvent): number => events.push(event);
  const startAt = noon;
  const plan = plans[systemName](seed);
  const settings = randomOf(seed, 'settings of the run');
  const traffic = trafficOf({
    seed,
    scans,
    startsAt: startAt,
    windowMs,
    scanners: settings.pick([1, 2, 4, 8]),
    facilities: settings.pick([1, 2, 3]),
    scansPerMinute: settings.pick([12, 60, 300]),
    mix: mix ?? { ...settings.pick(mixes), ...plan.mix },
  });
  const planned = withoutCrowds(traffic.scans, plan).filter(({ truth }) => !without.has(truth.scan));
  const lastAt = traffic.scans.at(-1)?.truth.pulled_at ?? startAt;
  const scheduler = new Scheduler(startAt);
  const endAt = lastAt + faultsAfterMs;
  const faults = new Faults({ seed, startAt, endAt, impossible: plan.impossible, without }, scheduler, write);
  const redisClock = new WrongClock(scheduler, settings.pick([0, 0, -2_000, 86_400_000]));
  const redis = new SimulatedRedis(scheduler, faults, redisClock);
  const surroundings = { seed, scheduler, faults, redis };
  const system = plan.build(surroundings);
  write({
    kind: 'run',
    v: 1,
    system: plan.name,
    seed,
    window_ms: windowMs,
    review_gap_ms: defaultScannerClass.reviewGapMs,
    has_journal: system.hasJournal,
    binds_ids: system.hasJournal,
    command: `scangate simulate --system ${systemName} --scans ${scans} --seeds 1 --seed ${seed}`,
  });
  const names = Array.from({ length: settings.pick([1, 2, 3, 4]) }, (_, index) => `w${index + 1}`) as [string, ...string[]];
  const workers = new Workers(names, surroundings, system, write);
  planMishaps({ ...surroundings, workers, system });
  // What a device sends is written down when its place on the way is known.
  let sending: SentEvent | undefined;
  const devices = createDevices({
    seed,
    workers: names,
    timers: scheduler,
    clock: scheduler,
    history: (event) => {
      if (event.kind === 'sent') sending = event;
      else write(event);
    },
    send: (attempt) => workers.send(attempt, sending as SentEvent),
  });
  const unheard = new Set<string>();
  for (const scan of planned) {
    const { truth } = scan;
    unheard.add(truth.scan);
    scheduler.at(truth.pulled_at, () => {
      write(truth);
      void devices(scan).then(() => unheard.delete(truth.scan));
    });
  }
  await scheduler.run(endAt + restMs);
  for (const event of system.books()) write(event);
  return {
    events,
    ...judged(checkHistory(events), plan, brokenIn(unheard, redis, system)),
    parts: [...planned.map(({ truth }) => truth.scan), ...faults.names],
  };
}

/** Leaves out what would be one too many of a content. */
function withoutCrowds(
  scans: readonly PlannedScan[],
  { closeScansMax = Number.POSITIVE_INFINITY, farMs = 2 * windowMs }: SystemPlan,
): readonly PlannedScan[] {
  const crowds = new Map<string, { lastAt: number; size: number }>();
  return scans.filter(({ truth: { content, pulled_at } }) => {
    const crowd = crowds.get(content);
    const size = crowd !== undefined && pulled_at - crowd.lastAt < farMs ? crowd.size + 1 : 1;
    if (size <= closeScansMax) crowds.set(content, { lastAt: pulled_at, size });
    return size <= closeScansMax;
  });
}

/** What no history shows. */
function brokenIn(unheard: ReadonlySet<string>, redis: SimulatedRedis, system: SimulatedSystem): readonly BrokenPromise[] {
  const never = [...unheard].map((scan) => `A device that sent ${scan} has never heard an answer.`);
  const endless = redis.primary.endless.map((key) => `The claim ${key} never ends by itself.`);
  return [
    ...never.map((message) => ({ kind: 'never_answered' as const, message })),
    ...endless.map((message) => ({ kind: 'endless_claim' as const, message })),
    ...(system.broken ?? []),
  ];
}

function judged(
  judgement: Judgement,
  { notPromised }: SystemPlan,
  broken: readonly BrokenPromise[],
): Pick<Simulation, 'judgement' | 'found' | 'kinds' | 'isSound'> {
  const all = [...judgement.violations.filter(({ kind }) => !notPromised.has(kind)), ...broken];
  const found = all.map(({ kind, message }) => `${kind}: ${message}`);
  return { judgement, found, kinds: [...new Set(all.map(({ kind }) => kind))], isSound: found.length === 0 };
}

const plans: Readonly<Record<SystemName, (seed: number) => SystemPlan>> = {
  gate: gatePlan,
  guard: guardPlan,
  recipe: recipePlan,
};

/**
 * What goes wrong in a run, drawn from its seed: which kinds of fault there are at all, how often, when, and whom they meet.
 *
 * Each seed has another mix, from none to all, because two faults that always come with twenty others are never met alone. What is
 * drawn for one message depends on the name of that message: without a scan, a kind or a window, everything else stays as it was.
 */
import type { HistoryWriter } from '../history.ts';
import { type Random, randomOf } from '../workload/random.ts';
import type { Scheduler } from './scheduler.ts';

/** Met by single messages, while they last. */
const passing = [
  'request lost',
  'answer lost',
  'transmission doubled',
  'network slow',
  'crash at a call',
  'redis request lost',
  'redis reply lost',
  'redis reset',
  'redis slow',
  'ledger connection lost',
  'commit unanswered',
  'ledger slow',
  'ledger silent',
  'standby slow',
] as const;

/** Met at an instant. */
const sudden = [
  'crash',
  'pause',
  'worker clock jump',
  'redis flush',
  'redis eviction',
  'redis failover',
  'redis restart',
  'redis refuses',
  'redis pause',
  'redis clock jump',
  'database pause',
  'database crash',
  'database failover',
] as const;

export type PassingFault = (typeof passing)[number];
export type SuddenFault = (typeof sudden)[number];
export type FaultKind = PassingFault | SuddenFault;

export const faultKinds: readonly FaultKind[] = [...passing, ...sudden];

export interface FaultSettings {
  readonly seed: number;
  /** Faults are drawn from `startAt` to `endAt`, and none is begun after that. */
  readonly startAt: number;
  readonly endAt: number;
  /** Kinds that this system does not promise to survive. */
  readonly impossible?: ReadonlySet<FaultKind>;
  /** Kinds, or single windows and instants such as `crash#2`, that are left out. */
  readonly without?: ReadonlySet<string>;
}

interface Span {
  readonly from: number;
  readonly until: number;
}

interface Rate {
  readonly perMille: number;
  readonly spans: readonly Span[];
}

/** One instant at which something happens to somebody. */
export interface Mishap {
  readonly fault: SuddenFault;
  readonly at: number;
  /** Chance of this one alone. */
  readonly random: Random;
}

export class Faults {
  readonly seed: number;
  readonly mishaps: readonly Mishap[];
  /** Everything that can be left out of this run. */
  readonly names: readonly string[];
  readonly #rates = new Map<PassingFault, Rate>();
  readonly #scheduler: Scheduler;
  readonly #write: HistoryWriter;
  readonly #times = new Map<string, number>();

  constructor(settings: FaultSettings, scheduler: Scheduler, write: HistoryWriter) {
    const { seed, impossible = new Set(), without = new Set() } = settings;
    this.seed = seed;
    this.#scheduler = scheduler;
    this.#write = write;
    const names: string[] = [];
    const mishaps: Mishap[] = [];
    const share = randomOf(seed, 'how many kinds of fault').pick([0, 150, 300, 500, 800]);
    for (const kind of faultKinds) {
      const random = randomOf(seed, `fault ${kind}`);
      if (!random.perMille(share) || impossible.has(kind) || without.has(kind)) continue;
      names.push(kind);
      const drawn = isPassing(kind) ? spansOf(random, settings) : instantsOf(random, settings);
      const kept = drawn.filter((_, index) => !without.has(`${kind}#${index}`));
      names.push(...drawn.map((_, index) => `${kind}#${index}`).filter((name) => !without.has(name)));
      if (isPassing(kind)) this.#rates.set(kind, { perMille: random.pick([5, 20, 80, 300]), spans: kept });
      else for (const { from, index } of indexed(drawn, kept)) mishaps.push(mishapOf(seed, kind as SuddenFault, from, index));
    }
    this.names = names;
    this.mishaps = mishaps;
  }

  /** Chance of one message: the first, second … of its name. */
  of(name: string): Random {
    const times = (this.#times.get(name) ?? 0) + 1;
    this.#times.set(name, times);
    return randomOf(this.seed, `${name} ${times}`);
  }

  /** Whether this fault meets the message whose chance this is. It draws once, whatever the answer. */
  meets(fault: PassingFault, random: Random, target: string): boolean {
    const rate = this.#rates.get(fault);
    if (rate === undefined) return false;
    const { now } = this.#scheduler;
    const isOn = rate.spans.some(({ from, until }) => from <= now && now < until);
    if (!random.perMille(rate.perMille) || !isOn) return false;
    this.note(fault, target);
    return true;
  }

  note(fault: FaultKind, target: string, lastsMs?: number): void {
    const at = this.#scheduler.nowMs();
    this.#write({ kind: 'fault', fault, target, at, ...(lastsMs !== undefined && { until: at + lastsMs }) });
  }
}

/** Most delays are short, few are long: an exponential law, and one of fifty a twentyfold. */
export function delayMs(random: Random, meanMs: number): number {
  const share = (random.below(1_000_000) + 1) / 1_000_001;
  const long = random.below(50) === 0 ? 20 : 1;
  return -meanMs * long * Math.log(share);
}

function isPassing(kind: FaultKind): kind is PassingFault {
  return (passing as readonly FaultKind[]).includes(kind);
}

function spansOf(random: Random, { startAt, endAt }: FaultSettings): Span[] {
  const count = random.below(4);
  if (count === 0) return [{ from: startAt, until: endAt }];
  return Array.from({ length: count }, () => {
    const from = random.between(startAt, endAt);
    return { from, until: Math.min(endAt, from + random.between(100, 6_000)) };
  });
}

function instantsOf(random: Random, { startAt, endAt }: FaultSettings): Span[] {
  return Array.from({ length: random.between(1, 3) }, () => {
    const from = random.between(startAt, endAt);
    return { from, until: from };
  });
}

function indexed(drawn: readonly Span[], kept: readonly Span[]): { from: number; index: number }[] {
  return drawn
    .map((span, index) => ({ span, index }))
    .filter(({ span }) => kept.includes(span))
    .map(({ span, index }) => ({ from: span.from, index }));
}

function mishapOf(seed: number, fault: SuddenFault, at: number, index: number): Mishap {
  return { fault, at, random: randomOf(seed, `${fault}#${index}`) };
}

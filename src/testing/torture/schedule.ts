/**
 * Which faults come when. The same for a seed. Every kind comes once before any comes again, so that short runs meet many of them. When a
 * fault is over, and so when the next of its place can begin, is decided by real servers: times are the earliest ones.
 */
import { type Random, randomOf } from '../workload/random.ts';
import type { FaultKind } from './fault.ts';

export interface PlannedFault {
  /** Its number, which is all that its chances depend on beside the seed. */
  readonly number: number;
  readonly kind: FaultKind;
  /** From the beginning of the run, ms. */
  readonly at: number;
  readonly lastsMs: number;
}

export interface ScheduleOptions {
  readonly seed: number;
  readonly kinds: readonly FaultKind[];
  /** Within this time from the beginning, ms. */
  readonly withinMs: number;
  readonly perMinute: number;
}

export function scheduleOf({ seed, kinds, withinMs, perMinute }: ScheduleOptions): PlannedFault[] {
  if (perMinute <= 0 || kinds.length === 0) return [];
  const random = randomOf(seed, 'faults');
  const gapMs = 60_000 / perMinute;
  const planned: PlannedFault[] = [];
  let deck: FaultKind[] = [];
  for (
    let at = random.between(0, Math.round(gapMs));
    at < withinMs;
    at += random.between(Math.round(gapMs * 0.3), Math.round(gapMs * 1.7))
  ) {
    if (deck.length === 0) deck = shuffled(kinds, random);
    const kind = deck.pop();
    if (kind === undefined) break;
    planned.push({ number: planned.length, kind, at, lastsMs: random.between(...kind.lastsMs) });
  }
  return planned;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random.below(left.length), 1));
}

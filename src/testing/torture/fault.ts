/** A fault: what is done to whom, and how it is made good again. */
import type { Random } from '../workload/random.ts';
import type { Ground } from './ground.ts';

/** What must not be broken twice at once, or nobody could say what was. */
export type FaultPlace = 'redis' | 'postgres' | 'worker' | 'redis link' | 'postgres link' | 'http link';

export interface FaultKind {
  /** Words of a person who operates it, such as `redis primary killed`. */
  readonly name: string;
  readonly place: FaultPlace;
  /** How long it lasts, ms. */
  readonly lastsMs: readonly [least: number, most: number];
  /** Picks who is hit, and does it. */
  inject(ground: Ground, random: Random): Promise<Injected>;
}

export interface Injected {
  readonly target: string;
  /** Makes it good again, and resolves when it is. Nothing where it was over at once. */
  readonly heal?: () => unknown;
}

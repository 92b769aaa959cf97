/**
 * One simulated run after the other, seed by seed.
 *
 * In: a system, the first seed, how many. Out: figures of all of them, and of each that is not sound what was found. It keeps no history.
 */
import type { AnsweredEvent } from '../history.ts';
import { type SimulationOptions, simulate } from './simulate.ts';

export interface SeedsOptions extends Pick<SimulationOptions, 'system' | 'scans'> {
  readonly firstSeed: number;
  readonly seeds: number;
  /** Ends after so many seeds that are not sound. */
  readonly unsoundMax: number;
}

export interface UnsoundSeed {
  readonly seed: number;
  readonly found: readonly string[];
}

export interface SeedsFigures {
  seeds: number;
  scans: number;
  transmissions: number;
  lines: number;
  readonly answers: Record<AnsweredEvent['outcome'], number>;
  readonly faults: Record<string, number>;
  readonly unsound: UnsoundSeed[];
}

export function noFigures(): SeedsFigures {
  const answers = { committed: 0, suppressed: 0, conflict: 0, rejected: 0, unavailable: 0 };
  return { seeds: 0, scans: 0, transmissions: 0, lines: 0, answers, faults: {}, unsound: [] };
}

export async function runSeeds({ system, scans, firstSeed, seeds, unsoundMax }: SeedsOptions): Promise<SeedsFigures> {
  const figures = noFigures();
  for (let seed = firstSeed; seed < firstSeed + seeds && figures.unsound.length < unsoundMax; seed += 1) {
    const { judgement, isSound, found } = await simulate({ seed, system, scans });
    const { counts } = judgement;
    add(figures, {
      seeds: 1,
      scans: counts.scans,
      transmissions: counts.transmissions,
      lines: counts.lines,
      answers: counts.answers,
      faults: counts.faults,
      unsound: isSound ? [] : [{ seed, found }],
    });
  }
  return figures;
}

type Figures = { readonly [Name in keyof SeedsFigures]: Readonly<SeedsFigures[Name]> };

export function add(sum: SeedsFigures, one: Figures): void {
  sum.seeds += one.seeds;
  sum.scans += one.scans;
  sum.transmissions += one.transmissions;
  sum.lines += one.lines;
  for (const [outcome, count] of Object.entries(one.answers)) sum.answers[outcome as AnsweredEvent['outcome']] += count;
  for (const [fault, count] of Object.entries(one.faults)) sum.faults[fault] = (sum.faults[fault] ?? 0) + count;
  sum.unsound.push(...one.unsound);
}

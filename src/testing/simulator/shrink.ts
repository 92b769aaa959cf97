/**
 * The smallest part of an unsound run that is still unsound in the same way: scans and faults are taken out by halves, quarters and one by
 * one, for as long as anything can be. What remains is as it was, because chance is drawn by name.
 */
import { type Simulation, type SimulationOptions, simulate } from './simulate.ts';

export interface Shrunk {
  readonly simulation: Simulation;
  readonly without: ReadonlySet<string>;
  /** How many runs it took. */
  readonly runs: number;
}

/** @returns the run itself where it is sound. @param runsMax after so many runs it is left as small as it is. */
export async function shrink(options: SimulationOptions, runsMax = 2_000): Promise<Shrunk> {
  let without: ReadonlySet<string> = options.without ?? new Set();
  let smallest = await simulate({ ...options, without });
  let runs = 1;
  const wanted = smallest.kinds;
  if (smallest.isSound) return { simulation: smallest, without, runs };
  const isSame = ({ kinds }: Simulation): boolean => kinds.some((kind) => wanted.includes(kind));
  for (let size = Math.ceil(smallest.parts.length / 2); ; size = Math.ceil(size / 2)) {
    let isSmaller = false;
    for (let from = 0; from < smallest.parts.length && runs < runsMax; ) {
      const tried = new Set([...without, ...smallest.parts.slice(from, from + size)]);
      const simulation = await simulate({ ...options, without: tried });
      runs += 1;
      if (isSame(simulation) && simulation.parts.length < smallest.parts.length) {
        [smallest, without, isSmaller] = [simulation, tried, true];
      } else from += size;
    }
    if (runs >= runsMax || (size === 1 && !isSmaller)) return { simulation: smallest, without, runs };
  }
}

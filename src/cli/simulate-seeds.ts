/** Seeds of the simulation on every core: who runs which, what it came to, and the smallest history of one that is not sound. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type HistoryFile, lineOfEvent, openHistoryFile } from '../testing/checker/write-history.ts';
import { add, noFigures, type SeedsFigures, type SeedsOptions } from '../testing/simulator/run-seeds.ts';
import { shrink } from '../testing/simulator/shrink.ts';
import { type Simulation, simulate } from '../testing/simulator/simulate.ts';
import { progressBar } from './progress-bar.ts';
import { abortedBySignals } from './stop-on-signals.ts';

/** How many seeds a thread is given at once; fewer where the others are to end soon after the first that finds something. */
const seedsAtOnce = 25;
const seedsAtOnceFailFast = 5;
/** How many seeds that are not sound are enough. */
const unsoundEnough = 20;

export interface RunSeedsFlags extends Omit<SeedsOptions, 'unsoundMax'> {
  readonly shrink: boolean;
  /** Ends soon after the first seed that is not sound. */
  readonly failFast: boolean;
  /** Where the history of the first seed that is not sound is written, or that of the first one. */
  readonly history?: string;
}

/**
 * Stopped by a signal, it ends with what is under way and says the figures so far; a second signal ends the process at once.
 *
 * @returns whether every seed was run and sound.
 * @throws ScanGateError `SG_HISTORY_INVALID` before anything is run, where the history cannot be written.
 */
export async function simulateSeeds(flags: RunSeedsFlags): Promise<boolean> {
  const startedAt = performance.now();
  const stopping = abortedBySignals((signal) => `it was stopped by ${signal}`);
  const file = flags.history === undefined ? undefined : openHistoryFile(flags.history);
  const figures = await onEveryCore(flags, stopping);
  const { aborted: isStopped, reason } = stopping;
  const isWhole = figures.seeds === flags.seeds;
  // Seeds that were not run are not sound either.
  if (figures.unsound.length === 0 && !isWhole && !isStopped)
    throw new Error(`${figures.seeds} seeds were run, and not ${flags.seeds}.`);
  console.log(figuresText(flags, figures, (performance.now() - startedAt) / 1_000));
  if (!isWhole)
    console.log(
      `${figures.seeds} of ${flags.seeds} seeds were run: ${isStopped ? String(reason) : 'enough were found in which a rule was broken'}.`,
    );
  const first = figures.unsound[0]?.seed;
  const seed = first ?? flags.firstSeed;
  if (first !== undefined && flags.shrink && !isStopped) {
    const { simulation, runs } = await shrink({ ...flags, seed });
    console.log(`Seed ${seed}, shrunk in ${runs} runs to ${simulation.parts.length} parts: ${simulation.parts.join(', ')}`);
    console.log(simulation.events.map(lineOfEvent).join(''));
    writeAll(file, simulation);
  } else if (file !== undefined) writeAll(file, await simulate({ ...flags, seed }));
  return first === undefined && isWhole;
}

async function onEveryCore(
  { system, scans, firstSeed, seeds, failFast }: RunSeedsFlags,
  stopping: AbortSignal,
): Promise<SeedsFigures> {
  const figures = noFigures();
  const end = firstSeed + seeds;
  const unsoundMax = failFast ? 1 : unsoundEnough;
  const bar = progressBar('scans');
  let next = firstSeed;
  const runAll = async (): Promise<void> => {
    const thread = new Worker(new URL('../testing/simulator/seeds-thread.js', import.meta.url));
    while (next < end && figures.unsound.length < unsoundMax && !stopping.aborted) {
      const from = next;
      next += Math.min(failFast ? seedsAtOnceFailFast : seedsAtOnce, Math.ceil(seeds / availableParallelism()));
      add(figures, await ranIn(thread, { system, scans, unsoundMax, firstSeed: from, seeds: Math.min(next, end) - from }));
      bar.show(figures.seeds, seeds, figures.scans);
    }
    await thread.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), seeds) }, runAll));
  bar.end();
  figures.unsound.sort((a, b) => a.seed - b.seed);
  return figures;
}

/** Rejects when the thread dies of them. */
async function ranIn(thread: Worker, options: SeedsOptions): Promise<SeedsFigures> {
  thread.postMessage(options);
  const [figures] = await once(thread, 'message');
  return figures as SeedsFigures;
}

function figuresText(flags: RunSeedsFlags, figures: SeedsFigures, tookS: number): string {
  const { system, scans } = flags;
  const { seeds, unsound, answers, faults } = figures;
  const told = Object.entries(answers).map(([outcome, count]) => `${outcome} ${count}`);
  const met = Object.entries(faults).map(([fault, count]) => `${fault} ${count}`);
  const noneText = seeds === flags.seeds ? 'No rule was broken.' : 'No rule was broken in those that were run.';
  return [
    `${system}: ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}, ${figures.scans} scans, ${figures.transmissions} transmissions, ${figures.lines} lines in ${tookS.toFixed(1)} s: ${(seeds / tookS).toFixed(0)} seeds/s, ${(figures.scans / tookS).toFixed(0)} scans/s`,
    `answers: ${told.join(', ')}`,
    `faults: ${met.sort().join(', ') || 'none'}`,
    unsound.length === 0 ? noneText : `Seeds in which a rule was broken: ${unsound.length}`,
    ...unsound.flatMap(({ seed, found }) => [
      `seed ${seed}: ${found.length} ${found.length === 1 ? 'violation' : 'violations'}. Repeat it with: scangate simulate --system ${system} --scans ${scans} --seeds 1 --seed ${seed}`,
      ...found.slice(0, 5).map((sentence) => `  ${sentence}`),
    ]),
  ].join('\n');
}

/** As `--check` reads it. */
function writeAll(file: HistoryFile | undefined, { events }: Simulation): void {
  for (const event of events) file?.write(event);
  file?.close();
}

import { Command, Option } from 'commander';
import { ScanGateError } from '../base/errors.ts';
import { type SystemName, simulatedSystems } from '../testing/simulator/simulate.ts';

interface Flags {
  readonly check?: string;
  readonly json?: true;
  readonly seeds?: string;
  readonly seed?: string;
  readonly scans?: string;
  readonly system?: SystemName;
  readonly failFast?: true;
  readonly shrink?: true;
  readonly history?: string;
  readonly torture?: true;
  readonly scansPerSecond?: string;
  readonly faultsPerMinute?: string;
}

const seedMax = 2 ** 31 - 1;

/** What can be done, and which options mean something to it. */
const modes = {
  check: ['check', 'json'],
  torture: ['torture', 'seed', 'scans', 'scansPerSecond', 'faultsPerMinute', 'history'],
  seeds: ['seeds', 'seed', 'scans', 'system', 'failFast', 'shrink', 'history'],
} as const satisfies Record<string, readonly (keyof Flags)[]>;

export function simulateCommand(): Command {
  return new Command('simulate')
    .description(
      'Run fleets, on simulated time and stores or as real processes, and judge what really happened; or judge a history alone.',
    )
    .option('--seeds <n>', 'how many runs, each of another seed')
    .option('--seed <n>', 'the seed of the first run; 1 when left out')
    .option('--scans <n>', 'how many scans are made in each run; 20 when left out, 6000 with --torture')
    .addOption(new Option('--system <name>', 'with --seeds: what is simulated; gate when left out').choices(simulatedSystems))
    .option('--fail-fast', 'with --seeds: end soon after the first seed in which a rule was broken')
    .option('--shrink', 'with --seeds: show the smallest history of the first seed in which a rule was broken')
    .option('--history <file>', 'write the history of that seed, or of the first one, to this file as JSON lines')
    .option('--torture', 'real workers, Redis with a replica and a Sentinel, PostgreSQL, and faults')
    .option('--scans-per-second <n>', 'with --torture: how many scans are made in a second; 100 when left out')
    .option('--faults-per-minute <n>', 'with --torture: 40 when left out; 0: none')
    .option('--check <file>', 'judge the history in this file, JSON lines')
    .option('--json', 'with --check: the judgement as JSON')
    .action(async (flags: Flags) => {
      const mode = modeOf(flags);
      if (mode === 'torture') return tortureAsAsked(flags);
      return mode === 'seeds' ? seedsAsAsked(flags) : checkFile(flags.check ?? '', flags.json === true);
    });
}

/** What is to be done: one thing, with no option that would be passed over. */
function modeOf(flags: Flags): keyof typeof modes {
  const mode = (['check', 'torture', 'seeds'] as const).find((one) => flags[one] !== undefined);
  if (mode === undefined)
    throw new ScanGateError(
      'SG_CONFIG_INVALID',
      'Say what to do: --seeds N runs simulations, --torture real processes, --check FILE judges a history.',
    );
  const understood: readonly string[] = modes[mode];
  const idle = Object.keys(flags).find((name) => !understood.includes(name));
  if (idle === undefined) return mode;
  const option = idle.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new ScanGateError('SG_CONFIG_INVALID', `--${option} does nothing with --${mode}: leave one of them out.`);
}

async function seedsAsAsked({ system, scans, seeds, seed, failFast, shrink, history }: Flags): Promise<void> {
  const options = {
    system: system ?? 'gate',
    scans: numberOf('--scans', scans ?? '20', 1, 100_000),
    seeds: numberOf('--seeds', seeds ?? '', 1, seedMax),
    firstSeed: numberOf('--seed', seed ?? '1', 0, seedMax),
    failFast: failFast === true,
    shrink: shrink === true,
    ...(history !== undefined && { history }),
  };
  if (options.firstSeed + options.seeds - 1 > seedMax)
    throw new ScanGateError('SG_CONFIG_INVALID', `The last of the seeds would be greater than ${seedMax}: give fewer.`);
  const { simulateSeeds } = await import('./simulate-seeds.ts');
  if (!(await simulateSeeds(options))) process.exitCode = 1;
}

async function tortureAsAsked({ seed, scans, scansPerSecond, faultsPerMinute, history }: Flags): Promise<void> {
  const { tortureOnce } = await import('./simulate-torture.ts');
  const isSound = await tortureOnce({
    seed: numberOf('--seed', seed ?? '1', 0, seedMax),
    scans: numberOf('--scans', scans ?? '6000', 1, 10_000_000),
    scansPerS: numberOf('--scans-per-second', scansPerSecond ?? '100', 1, 10_000),
    faultsPerMinute: numberOf('--faults-per-minute', faultsPerMinute ?? '40', 0, 600),
    ...(history !== undefined && { history }),
  });
  // Node waits for ever for a connection that was reset at the wrong moment: nothing is open any more that would need it.
  process.exit(isSound ? 0 : 1);
}

async function checkFile(check: string, asJson: boolean): Promise<void> {
  const { checkHistoryFile } = await import('../testing/checker/read-history.ts');
  const judgement = await checkHistoryFile(check);
  if (judgement.counts.scans === 0) throw new ScanGateError('SG_HISTORY_INVALID', `${check} holds no scan: nothing was checked.`);
  const text = asJson ? JSON.stringify(judgement) : (await import('./judgement-text.ts')).judgementText(judgement);
  console.log(text);
  if (!judgement.isSound) process.exitCode = 1;
}

function numberOf(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new ScanGateError('SG_CONFIG_INVALID', `${option} has to be a whole number from ${least} to ${most}.`);
  return value;
}

import { Command, Option } from 'commander';
import { ScanGateError } from '../base/errors.ts';
import { checkHistoryFile } from '../testing/checker/read-history.ts';
import { type SystemName, simulatedSystems } from '../testing/simulator/simulate.ts';
import { judgementText } from './judgement-text.ts';
import { simulateSeeds } from './simulate-seeds.ts';

interface Flags {
  readonly check?: string;
  readonly json?: true;
  readonly seeds?: string;
  readonly seed?: string;
  readonly scans?: string;
  readonly system?: SystemName;
  readonly shrink?: true;
  readonly history?: string;
}

const seedMax = 2 ** 31 - 1;

export function simulateCommand(): Command {
  return new Command('simulate')
    .description('Run fleets on simulated time, network and stores, and judge what really happened; or judge a history alone.')
    .option('--seeds <n>', 'how many runs, each of another seed')
    .option('--seed <n>', 'the seed of the first run; 1 when left out')
    .option('--scans <n>', 'how many scans are made in each run; 20 when left out')
    .addOption(new Option('--system <name>', 'what is simulated; gate when left out').choices(simulatedSystems))
    .option('--shrink', 'show the smallest history of the first seed in which a rule was broken')
    .option('--history <file>', 'write the history of that seed, or of the first one, to this file as JSON lines')
    .option('--check <file>', 'judge the history in this file, JSON lines')
    .option('--json', 'with --check: the judgement as JSON')
    .action(async (flags: Flags) => {
      if (flags.check !== undefined) return checkFile(flags.check, flags.json === true);
      if (flags.seeds === undefined)
        throw new ScanGateError(
          'SG_CONFIG_INVALID',
          'Say what to do: --seeds N runs simulations, --check FILE judges a history.',
        );
      const isSound = await simulateSeeds({
        system: flags.system ?? 'gate',
        scans: numberOf('--scans', flags.scans ?? '20', 1, 100_000),
        seeds: numberOf('--seeds', flags.seeds, 1, seedMax),
        firstSeed: numberOf('--seed', flags.seed ?? '1', 0, seedMax),
        shrink: flags.shrink === true,
        ...(flags.history !== undefined && { history: flags.history }),
      });
      if (!isSound) process.exitCode = 1;
    });
}

async function checkFile(check: string, asJson: boolean): Promise<void> {
  const judgement = await checkHistoryFile(check);
  if (judgement.counts.scans === 0) throw new ScanGateError('SG_HISTORY_INVALID', `${check} holds no scan: nothing was checked.`);
  console.log(asJson ? JSON.stringify(judgement) : judgementText(judgement));
  if (!judgement.isSound) process.exitCode = 1;
}

function numberOf(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new ScanGateError('SG_CONFIG_INVALID', `${option} has to be a whole number from ${least} to ${most}.`);
  return value;
}

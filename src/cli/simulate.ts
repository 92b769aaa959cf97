import { Command } from 'commander';
import { ScanGateError } from '../base/errors.ts';
import { checkHistoryFile } from '../testing/checker/read-history.ts';
import { judgementText } from './judgement-text.ts';

interface Flags {
  readonly check?: string;
  readonly json?: true;
}

export function simulateCommand(): Command {
  return new Command('simulate')
    .description('Judge what really happened in a run: every scan that was pulled, sent and answered, against the books.')
    .option('--check <file>', 'judge the history in this file, JSON lines')
    .option('--json', 'the judgement as JSON')
    .action(async ({ check, json }: Flags) => {
      if (check === undefined) throw new ScanGateError('SG_CONFIG_INVALID', 'Say what to do: --check FILE judges a history.');
      const judgement = await checkHistoryFile(check);
      if (judgement.counts.scans === 0)
        throw new ScanGateError('SG_HISTORY_INVALID', `${check} holds no scan: nothing was checked.`);
      console.log(json === true ? JSON.stringify(judgement) : judgementText(judgement));
      if (!judgement.isSound) process.exitCode = 1;
    });
}

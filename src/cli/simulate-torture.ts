/** One run of real processes under faults, from the command line: its seed, what happened, and the figures. */
import { openHistoryFile } from '../testing/checker/read-history.ts';
import { type TortureReport, torture } from '../testing/torture/run.ts';
import { scanGateSystem } from '../testing/torture/scangate-system.ts';
import { judgementText } from './judgement-text.ts';

export interface TortureFlags {
  readonly seed: number;
  readonly scans: number;
  readonly scansPerS: number;
  readonly faultsPerMinute: number;
  readonly history?: string;
}

/** @returns whether no rule was broken, and nothing else is wrong. */
export async function tortureOnce({ history, ...flags }: TortureFlags): Promise<boolean> {
  const { seed, scans, scansPerS, faultsPerMinute } = flags;
  const command = `scangate simulate --torture --seed ${seed} --scans ${scans} --scans-per-second ${scansPerS} --faults-per-minute ${faultsPerMinute}`;
  const file = history === undefined ? undefined : openHistoryFile(history);
  const begun = performance.now();
  const report = await torture({
    ...flags,
    system: scanGateSystem(),
    command,
    history: (event) => file?.write(event),
    print: (line) => console.log(`${((performance.now() - begun) / 1_000).toFixed(1).padStart(7)} s  ${line}`),
    onStopSignal: (stop) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop().finally(() => process.exit(1)));
    },
  });
  file?.close();
  console.log(judgementText(report.judgement));
  console.log(figuresOf(report));
  return report.judgement.isSound && report.problems.length === 0;
}

function figuresOf({ judgement, faults, passedOver, problems, tookMs, unanswered, workerBytesMost }: TortureReport): string {
  const { scans, transmissions } = judgement.counts;
  const tookS = tookMs / 1_000;
  const injected = [...faults.values()].reduce((sum, count) => sum + count, 0);
  return [
    `${scans} scans in ${tookS.toFixed(0)} s: ${(scans / tookS).toFixed(0)} scans/s, ${(transmissions / tookS).toFixed(0)} transmissions/s`,
    ...[...faults].sort().map(([fault, count]) => `${String(count).padStart(5)} × ${fault}`),
    `${injected} faults of ${faults.size} kinds; ${unanswered} transmissions without an answer; workers took at most ${(workerBytesMost / 1e6).toFixed(0)} MB`,
    ...[...new Set(passedOver)].map((sentence) => `not injected: ${sentence}`),
    ...problems.map((sentence) => `PROBLEM: ${sentence}`),
    ...(problems.length > 0 ? [`Repeat it with: ${judgement.run.command}`] : []),
  ].join('\n');
}

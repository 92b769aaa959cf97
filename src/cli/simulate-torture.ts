/** One run of real processes under faults, from the command line: its seed, what happened, and the figures; or why it broke off. */
import { BrokenOff } from '../testing/torture/broken-off.ts';
import { type TortureReport, torture } from '../testing/torture/run.ts';
import { scanGateSystem } from '../testing/torture/scangate-system.ts';
import { judgementText } from './judgement-text.ts';
import { abortedBySignals } from './stop-on-signals.ts';

export interface TortureFlags {
  readonly seed: number;
  readonly scans: number;
  readonly scansPerS: number;
  readonly faultsPerMinute: number;
  readonly history?: string;
}

/** @returns whether no rule was broken, and nothing else is wrong. */
export async function tortureOnce(flags: TortureFlags): Promise<boolean> {
  const { seed, scans, scansPerS, faultsPerMinute } = flags;
  const command = `scangate simulate --torture --seed ${seed} --scans ${scans} --scans-per-second ${scansPerS} --faults-per-minute ${faultsPerMinute}`;
  const begun = performance.now();
  const signal = abortedBySignals((name) => new Error(`It was stopped by ${name}.`));
  try {
    const report = await torture({
      ...flags,
      system: scanGateSystem(),
      command,
      signal,
      print: (line) => console.log(`${((performance.now() - begun) / 1_000).toFixed(1).padStart(7)} s  ${line}`),
    });
    console.log(judgementText(report.judgement));
    console.log(figuresOf(report));
    return report.judgement.isSound;
  } catch (error) {
    if (!(error instanceof BrokenOff)) throw error;
    console.error(brokenOffText(error, command));
    return false;
  }
}

function figuresOf(report: TortureReport): string {
  const { judgement, faults, passedOver, tookMs, unanswered, workerBytesMost, ownBytesMost, loopLagMsMost } = report;
  const { scans, transmissions } = judgement.counts;
  const tookS = tookMs / 1_000;
  return [
    `${scans} scans in ${tookS.toFixed(0)} s: ${(scans / tookS).toFixed(0)} scans/s, ${(transmissions / tookS).toFixed(0)} transmissions/s`,
    ...faultLines(faults),
    `${countOf(faults)} faults of ${faults.size} kinds; ${unanswered} transmissions without an answer; workers took at most ${(workerBytesMost / 1e6).toFixed(0)} MB`,
    `This process took at most ${(ownBytesMost / 1e6).toFixed(0)} MB, and its event loop was ${loopLagMsMost} ms late at most.`,
    ...[...new Set(passedOver)].map((sentence) => `not injected: ${sentence}`),
    ...(report.history === undefined ? [] : [`The history is in ${report.history}`]),
  ].join('\n');
}

function brokenOffText({ message, known }: BrokenOff, command: string): string {
  const { counts, faults, problems, history } = known;
  return [
    `scangate: The run broke off: ${message}`,
    `${counts.pulled} scans sent, ${counts.heard} heard; ${counts.transmissions} transmissions, ${counts.unanswered} without an answer; ${countOf(faults)} faults of ${faults.size} kinds`,
    ...faultLines(faults),
    ...problems.map((sentence) => `PROBLEM: ${sentence}`),
    `Nothing was judged. The history up to there is in ${history}`,
    `Repeat it with: ${command}`,
  ].join('\n');
}

function faultLines(faults: ReadonlyMap<string, number>): string[] {
  return [...faults].sort().map(([fault, count]) => `${String(count).padStart(5)} × ${fault}`);
}

function countOf(faults: ReadonlyMap<string, number>): number {
  return [...faults.values()].reduce((sum, count) => sum + count, 0);
}

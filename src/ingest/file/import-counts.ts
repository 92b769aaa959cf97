/** What became of the rows of a file. Every row that was read has one outcome, so the first number is the sum of the next four. */
import type { Decision } from '../../ledger/ledger.ts';
import type { Flag } from '../../scan/scan.ts';

export interface ImportCounts {
  readonly read: number;
  readonly committed: number;
  readonly suppressed: number;
  readonly conflict: number;
  readonly rejected: number;
  /** Suppressed rows without a scan id that are in everything, to the millisecond, what was committed before. */
  readonly identical_rows: number;
  /** How many rows carry each flag. */
  readonly flags: Readonly<Partial<Record<Flag, number>>>;
}

export const noRows: ImportCounts = {
  read: 0,
  committed: 0,
  suppressed: 0,
  conflict: 0,
  rejected: 0,
  identical_rows: 0,
  flags: {},
};

/** A decision, as far as it is counted. */
export interface CountedOutcome {
  readonly outcome: Decision['outcome'];
  readonly gapMs?: number | undefined;
  readonly scanId?: string | undefined;
  readonly flags: readonly Flag[];
}

export function withOutcomes(counts: ImportCounts, outcomes: readonly CountedOutcome[]): ImportCounts {
  const flags: Partial<Record<Flag, number>> = { ...counts.flags };
  const sum = { ...counts, flags };
  for (const one of outcomes) {
    sum.read += 1;
    sum[one.outcome] += 1;
    if (one.outcome === 'suppressed' && one.gapMs === 0 && one.scanId === undefined) sum.identical_rows += 1;
    for (const flag of one.flags) flags[flag] = (flags[flag] ?? 0) + 1;
  }
  return sum;
}

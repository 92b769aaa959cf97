/** The lines that a claim should still stand for: those of the last W + guard, each of its own class. */
import type { LedgerLine } from '../ledger/ledger-line.ts';

export interface PositionedLine extends LedgerLine {
  readonly position: number;
}

export interface BackwardLines {
  /** Lines before a position, or the last ones, the last first. */
  linesBefore(position: number | undefined, limit: number): Promise<readonly PositionedLine[]>;
}

/** How long the claim of a line lives on, ms; not above 0 when it has ended. */
export type RemainingMs = (line: LedgerLine, nowMs: number) => number;

/** A claim is made after the scan was received, so that it ends no earlier than this says. */
export function remainingMs(guardMsOf: (line: LedgerLine) => number): RemainingMs {
  return (line, nowMs) => Math.ceil(line.received_at + line.window_ms + guardMsOf(line) - nowMs);
}

/** The newest first. Ends where a whole page is too old. */
export async function* recentLines(
  books: BackwardLines,
  remaining: RemainingMs,
  nowMs: () => number,
  pageRows = 1_000,
): AsyncGenerator<PositionedLine> {
  for (let before: number | undefined; ; ) {
    const page: readonly PositionedLine[] = await books.linesBefore(before, pageRows);
    const live = page.filter((line) => remaining(line, nowMs()) > 0);
    yield* live;
    before = page.at(-1)?.position;
    if (live.length === 0 || before === undefined || page.length < pageRows) return;
  }
}

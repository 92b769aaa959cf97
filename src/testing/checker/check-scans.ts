/**
 * Each physical scan against the book: one line for what is a scan, none for what is none. A scan without a line is lost, or another one's
 * line was named in its place.
 *
 * In: the whole history. Out: the scans that the book leaves out with a reason, and why.
 */
import type { Findings, SwallowedScans } from './judgement.ts';
import type { KnownHistory, KnownScan, KnownTransmission } from './known-history.ts';
import { ReusedIds, type SwallowedBecause, whySwallowed } from './swallowed.ts';

export interface ScansJudged {
  readonly swallowed: SwallowedScans;
  /** Scans without a line for which the line of another was named: what the book does not have to hold. */
  readonly leftOut: ReadonlySet<KnownScan>;
}

export function checkScans(history: KnownHistory, windowMs: number, findings: Findings): ScansJudged {
  const reusedIds = new ReusedIds(history.scans.values());
  const leftOut = new Set<KnownScan>();
  const swallowed = { withinWindow: 0, deviceClock: 0, receiptTime: 0, reusedId: 0, unexplained: 0, putUpForReview: 0 };
  for (const scan of history.scans.values()) {
    checkConflicts(scan, reusedIds, findings);
    if (scan.lines.length > 0) checkLines(scan, findings);
    else if (scan.truth.readable) {
      const because = leftOutBecause(history, scan, windowMs, reusedIds);
      if (because === undefined) findings.add('lost_scan', lossOf(scan), scan.truth.scan);
      else {
        leftOut.add(scan);
        if (because !== 'conflict') countSwallowed(scan, because, swallowed, findings);
      }
    }
  }
  return { swallowed, leftOut };
}

function checkLines({ truth, lines }: KnownScan, findings: Findings): void {
  for (const line of truth.readable ? lines.slice(1) : lines) {
    if (truth.readable) {
      const message = `${truth.scan} was pulled once and has ${lines.length} lines; ${line.entry_id}, for ${line.transmission}, is one too many.`;
      findings.add('phantom_overage', message, truth.scan);
    } else {
      findings.add('line_for_no_scan', `${truth.scan} is no scan; ${line.entry_id} was written for it.`, truth.scan);
    }
  }
}

/** A device that gives no two scans one id is never told that they contradict each other. */
function checkConflicts(scan: KnownScan, reusedIds: ReusedIds, findings: Findings): void {
  const conflict = scan.transmissions.find(isConflict);
  if (conflict === undefined || reusedIds.has(scan)) return;
  const message = `${conflict.sent.transmission} was a conflict, though no other scan has the id of ${scan.truth.scan}.`;
  findings.add('false_conflict', message, scan.truth.scan);
}

function isConflict({ answer, records }: KnownTransmission): boolean {
  return answer?.outcome === 'conflict' || records.some(({ outcome }) => outcome === 'conflict');
}

function leftOutBecause(
  history: KnownHistory,
  scan: KnownScan,
  windowMs: number,
  reusedIds: ReusedIds,
): SwallowedBecause | 'conflict' | undefined {
  const reasons = scan.transmissions.flatMap((transmission) =>
    namedInstead(transmission).flatMap((entryId) => {
      const { line, scan: other } = history.lines.get(entryId) ?? {};
      return line === undefined || other === undefined
        ? []
        : [whySwallowed(scan, { line, scan: other }, transmission, { windowMs, reusedIds })];
    }),
  );
  return (
    reasons.find((reason) => reason !== 'unexplained') ??
    reasons[0] ??
    (scan.transmissions.some(isConflict) ? 'conflict' : undefined)
  );
}

/** The entries that a transmission was suppressed for, by its answer and by its records. */
function namedInstead({ answer, records }: KnownTransmission): string[] {
  return [answer?.outcome === 'suppressed' ? answer.entry_id : undefined, ...records.map((one) => suppressedFor(one))].filter(
    (entryId) => entryId !== undefined,
  );
}

function suppressedFor({
  outcome,
  entryId,
}: {
  readonly outcome: string;
  readonly entryId: string | undefined;
}): string | undefined {
  return outcome === 'suppressed' ? entryId : undefined;
}

function countSwallowed(
  { truth, transmissions }: KnownScan,
  because: SwallowedBecause,
  swallowed: { -readonly [Name in keyof SwallowedScans]: number },
  findings: Findings,
): void {
  swallowed[because] += 1;
  if (transmissions.some(({ records }) => records.some((record) => record.isPutUpForReview))) swallowed.putUpForReview += 1;
  if (because !== 'unexplained') return;
  const message = `${truth.scan} has no line; another scan's line was named for it, from which content, time or id tell it apart.`;
  findings.add('swallowed_scan', message, truth.scan);
}

function lossOf({ truth, transmissions }: KnownScan): string {
  if (transmissions.length === 0) return `${truth.scan} was pulled, never sent, and has no line.`;
  const outcomes = new Set(transmissions.map(({ answer }) => answer?.outcome).filter((outcome) => outcome !== undefined));
  if (outcomes.size === 0) return `${truth.scan} was never answered (${transmissions.length} transmissions), and has no line.`;
  return `${truth.scan} was answered ${[...outcomes].join(', ')}, and has no line.`;
}

/**
 * Each physical scan against the book: one line for what is a scan, none for what is none. A scan without a line is lost, or another one's
 * line was named in its place.
 *
 * In: the whole history. Out: the scans that the book leaves out with a reason, and why.
 */
import type { Draft } from '../../base/draft.ts';
import type { Findings, SwallowedScans } from './judgement.ts';
import type { KnownHistory, KnownScan, KnownTransmission } from './known-history.ts';
import { type Circumstances, entriesOf, ReusedIds, type SwallowedBecause, whySwallowed } from './swallowed.ts';

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
    const named = namedInstead(history, scan, { windowMs, reusedIds });
    if (scan.lines.length > 0) {
      countLines(scan, findings);
      checkNamed(scan, named, findings);
    } else if (scan.truth.readable) {
      const because = leftOutBecause(scan, named, reusedIds);
      if (because === undefined) findings.add('lost_scan', lossOf(scan), scan.truth.scan);
      else {
        leftOut.add(scan);
        if (because !== 'conflict') countSwallowed(scan, because, swallowed, findings);
      }
    }
  }
  return { swallowed, leftOut };
}

function countLines({ truth, lines }: KnownScan, findings: Findings): void {
  for (const line of truth.readable ? lines.slice(1) : lines) {
    if (truth.readable) {
      const message = `${truth.scan} was pulled once and has ${lines.length} lines; ${line.entry_id}, for ${line.transmission}, is one too many.`;
      findings.add('phantom_overage', message, truth.scan);
    } else {
      findings.add('line_for_no_scan', `${truth.scan} is no scan; ${line.entry_id} was written for it.`, truth.scan);
    }
  }
}

/** A device that gives no two scans one id is never told that they contradict each other, nor are two that are the same. */
function checkConflicts(scan: KnownScan, reusedIds: ReusedIds, findings: Findings): void {
  for (const transmission of scan.transmissions) {
    for (const entryId of entriesOf(transmission, 'conflict')) {
      const meaning = reusedIds.meaning(scan, entryId);
      if (meaning.some(({ truth }) => truth.content !== scan.truth.content)) continue;
      const [other] = meaning;
      const because =
        other === undefined
          ? `though no other scan with the id of ${scan.truth.scan} has the line that it names`
          : `though ${other.truth.scan} has the same content`;
      findings.add('false_conflict', `${transmission.sent.transmission} was a conflict, ${because}.`, scan.truth.scan);
      return;
    }
  }
}

/** That a transmission was suppressed for the line of another physical scan. */
interface NamedInstead {
  readonly transmission: KnownTransmission;
  readonly other: KnownScan;
  readonly because: SwallowedBecause;
}

function namedInstead(history: KnownHistory, scan: KnownScan, circumstances: Circumstances): NamedInstead[] {
  return scan.transmissions.flatMap((transmission) =>
    entriesOf(transmission, 'suppressed').flatMap((entryId) => {
      const known = history.lines.get(entryId);
      const other = known?.scan;
      if (known === undefined || other === undefined || other === scan) return [];
      return [
        { transmission, other, because: whySwallowed(scan, { line: known.line, scan: other }, transmission, circumstances) },
      ];
    }),
  );
}

/** A scan with a line of its own is not a duplicate of a line that can be told from it. */
function checkNamed({ truth }: KnownScan, named: readonly NamedInstead[], findings: Findings): void {
  for (const { transmission, other, because } of named) {
    if (because !== 'unexplained') continue;
    const message = `${transmission.sent.transmission} was suppressed for the line of ${other.truth.scan}, though ${truth.scan} has its own.`;
    findings.add('false_acknowledgement', message, truth.scan);
  }
}

function leftOutBecause(
  scan: KnownScan,
  named: readonly NamedInstead[],
  reusedIds: ReusedIds,
): SwallowedBecause | 'conflict' | undefined {
  // One that nothing explains is not made good by another that something does.
  const unexplained = named.find(({ because }) => because === 'unexplained');
  const isConflict = reusedIds.has(scan) && scan.transmissions.some((one) => entriesOf(one, 'conflict').length > 0);
  return (unexplained ?? named[0])?.because ?? (isConflict ? 'conflict' : undefined);
}

function countSwallowed(
  { truth, transmissions }: KnownScan,
  because: SwallowedBecause,
  swallowed: Draft<SwallowedScans>,
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

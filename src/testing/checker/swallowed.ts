/** Why the line of another physical scan could be named for one: what told the two apart, and whether anybody could have seen it. */
import type { LineEvent, ScanEvent } from '../history.ts';
import type { SwallowedScans } from './judgement.ts';
import type { KnownRecord, KnownScan, KnownTransmission } from './known-history.ts';

export type SwallowedBecause = Exclude<keyof SwallowedScans, 'putUpForReview'>;

export interface Circumstances {
  /** W of the run. */
  readonly windowMs: number;
  readonly reusedIds: ReusedIds;
}

/** A line, and the physical scan that it was written for. */
interface LineOfOther {
  readonly line: LineEvent;
  readonly scan: KnownScan;
}

/** How far apart the clocks of two workers may be that have received two transmissions. */
const workerClocksMsMax = 300_000;

/** @param transmission of the scan, that was suppressed for that line of the other. */
export function whySwallowed(
  scan: KnownScan,
  { line, scan: other }: LineOfOther,
  transmission: KnownTransmission,
  { windowMs: windowMsOfRun, reusedIds }: Circumstances,
): SwallowedBecause {
  const windowMs = scan.truth.window_ms ?? windowMsOfRun;
  const byTime = areAlike(scan.truth, other.truth) ? whyNear(scan, { line, scan: other }, transmission, windowMs) : undefined;
  // Of two contents under one id the later one contradicts the first: it is never a duplicate of it (R1).
  const isReused = reusedIds.meaning(scan, line.entry_id).some(({ truth }) => truth.content === scan.truth.content);
  return byTime ?? (isReused ? 'reusedId' : 'unexplained');
}

/** Which times of two scans that nothing but time tells apart are less than W apart, if any are. */
function whyNear(
  { truth: here }: KnownScan,
  { line, scan: other }: LineOfOther,
  transmission: KnownTransmission,
  windowMs: number,
): SwallowedBecause | undefined {
  const there = other.truth;
  if (Math.abs(here.pulled_at - there.pulled_at) < windowMs) return 'withinWindow';
  const timedBy = [...transmission.records, ...recordsOf(other, line.entry_id)];
  const [hereAt, thereAt] = [here.device_at, there.device_at];
  if (hereAt === undefined || thereAt === undefined || timedBy.some(({ isByReceipt }) => isByReceipt)) {
    // By the times of its records where there are any, which are checked as such.
    return transmission.records.length > 0 || isReceivedNear(transmission, line, windowMs) ? 'receiptTime' : undefined;
  }
  const isNear = Math.abs(hereAt - thereAt) < windowMs || timedBy.some(({ isByAge }) => isByAge);
  if (isNear) return 'deviceClock';
  // The line can stand for a third one between the two, whose time it has, and whose worker died.
  return Math.abs(hereAt - line.occurred_at) < windowMs ? 'withinWindow' : undefined;
}

/** The records that committed a line. */
function recordsOf({ transmissions }: KnownScan, entryId: string): KnownRecord[] {
  const records = transmissions.flatMap((transmission) => transmission.records);
  return records.filter((record) => record.outcome === 'committed' && record.entryId === entryId);
}

function isReceivedNear({ sent, answer }: KnownTransmission, { occurred_at }: LineEvent, windowMs: number): boolean {
  const farMs = windowMs + workerClocksMsMax;
  return sent.sent_at < occurred_at + farMs && (answer?.answered_at ?? Number.POSITIVE_INFINITY) > occurred_at - farMs;
}

/** Nothing but time tells them apart, and an id that is not trusted. */
function areAlike(here: ScanEvent, there: ScanEvent): boolean {
  const isIdTrusted = here.distinct_ids === 'trust' && here.scan_uuids.length + there.scan_uuids.length > 0;
  const isSameContent =
    here.content === there.content && here.scanner_id === there.scanner_id && here.facility_uuid === there.facility_uuid;
  return isSameContent && !isIdTrusted;
}

/** Ids that a device gave to more than one physical scan. */
export class ReusedIds {
  readonly #owners = new Map<string, KnownScan[]>();

  constructor(scans: Iterable<KnownScan>) {
    for (const scan of scans) {
      for (const id of idsOf(scan)) this.#owners.set(id, [...(this.#owners.get(id) ?? []), scan]);
    }
  }

  has(scan: KnownScan): boolean {
    return this.#sharing(scan).length > 0;
  }

  /** Other scans with an id of this one, which that id means this entry for: it is their line, or they were suppressed for it. */
  meaning(scan: KnownScan, entryId: string): KnownScan[] {
    return this.#sharing(scan).filter(
      ({ lines, transmissions }) =>
        lines.some((line) => line.entry_id === entryId) ||
        transmissions.some((transmission) => entriesOf(transmission, 'suppressed').includes(entryId)),
    );
  }

  #sharing(scan: KnownScan): KnownScan[] {
    return idsOf(scan)
      .flatMap((id) => this.#owners.get(id) ?? [])
      .filter((owner) => owner !== scan);
  }
}

/** The entries of other lines that a transmission was told of with this outcome, by its answer and by its records. */
export function entriesOf({ answer, records }: KnownTransmission, outcome: 'suppressed' | 'conflict'): string[] {
  const told = answer?.outcome === outcome ? answer.entry_id : undefined;
  const kept = records.filter((record) => record.outcome === outcome).map(({ entryId }) => entryId);
  return [told, ...kept].filter((entryId) => entryId !== undefined);
}

function idsOf({ truth }: KnownScan): string[] {
  return truth.scan_uuids.map((id) => `${truth.facility_uuid}|${truth.scanner_id}|${id}`);
}

/** Why the line of another physical scan could be named for one: what told the two apart, and whether anybody could have seen it. */
import type { LineEvent, ScanEvent } from '../history.ts';
import type { SwallowedScans } from './judgement.ts';
import type { KnownScan, KnownTransmission } from './known-history.ts';

export type SwallowedBecause = Exclude<keyof SwallowedScans, 'putUpForReview'>;

/** A line, and whose it is. */
export interface LineOfScan {
  readonly line: LineEvent;
  readonly scan: KnownScan;
}

export interface Circumstances {
  /** W of the run. */
  readonly windowMs: number;
  readonly reusedIds: ReusedIds;
}

/** @param transmission of the scan, that was suppressed for this line of the other. */
export function whySwallowed(
  scan: KnownScan,
  { line, scan: other }: LineOfScan,
  transmission: KnownTransmission,
  { windowMs: windowMsOfRun, reusedIds }: Circumstances,
): SwallowedBecause {
  const windowMs = scan.truth.window_ms ?? windowMsOfRun;
  const because = areAlike(scan.truth, other.truth)
    ? whyAlikeSwallowed(scan.truth, other.truth, line, transmission, windowMs)
    : undefined;
  return because ?? (reusedIds.share(scan, other) ? 'reusedId' : 'unexplained');
}

function whyAlikeSwallowed(
  here: ScanEvent,
  there: ScanEvent,
  line: LineEvent,
  { records }: KnownTransmission,
  windowMs: number,
): SwallowedBecause | undefined {
  if (Math.abs(here.pulled_at - there.pulled_at) < windowMs) return 'withinWindow';
  const deviceAt = here.device_at ?? Number.NaN;
  // The line can stand for a third one between the two, whose time it has, and whose worker died.
  if (Math.abs(deviceAt - line.occurred_at) < windowMs) return 'withinWindow';
  const isReceipt = here.device_at === undefined || there.device_at === undefined;
  if (isReceipt || records.some(({ isByReceipt }) => isByReceipt)) return 'receiptTime';
  const isNearByDevice = Math.abs(deviceAt - (there.device_at ?? Number.NaN)) < windowMs;
  return isNearByDevice || records.some(({ isClockSuspect }) => isClockSuspect) ? 'deviceClock' : undefined;
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
  readonly #owners = new Map<string, KnownScan>();
  readonly #reused = new Set<string>();

  constructor(scans: Iterable<KnownScan>) {
    for (const scan of scans) {
      for (const id of idsOf(scan)) {
        const owner = this.#owners.get(id);
        if (owner === undefined) this.#owners.set(id, scan);
        else if (owner !== scan) this.#reused.add(id);
      }
    }
  }

  has(scan: KnownScan): boolean {
    return idsOf(scan).some((id) => this.#reused.has(id));
  }

  share(scan: KnownScan, other: KnownScan): boolean {
    const ids = idsOf(other);
    return idsOf(scan).some((id) => ids.includes(id));
  }
}

function idsOf({ truth }: KnownScan): string[] {
  return truth.scan_uuids.map((id) => `${truth.facility_uuid}|${truth.scanner_id}|${id}`);
}

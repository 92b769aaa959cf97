/**
 * What a scan is, given the books: R1, then R2, then a commit. Pure, and the only place where it is decided.
 *
 * A suppression always names the line that it duplicates. The review flags (R7) are set here as well.
 */
import { differingFields, movementOf } from '../identity/movement.ts';
import { gapMs, type Span, samePhysicalScan } from '../identity/window.ts';
import { recordedScan } from '../scan/recorded-scan.ts';
import type { Flag } from '../scan/scan.ts';
import { signedDelta } from '../scan/scan-type.ts';
import type { BookState, KnownLine } from './book-state.ts';
import type { ScanTransmission } from './ledger.ts';

export type Ruling =
  | { readonly kind: 'commit'; readonly flags: readonly Flag[] }
  | {
      readonly kind: 'suppress';
      readonly of: KnownLine;
      readonly reason: 'same_scan_id' | 'same_content';
      readonly gapMs: number;
      /** W that decided: that of the earlier of the two scans. */
      readonly windowMs: number;
      readonly flags: readonly Flag[];
    }
  | { readonly kind: 'conflict'; readonly of: KnownLine; readonly differs: readonly string[]; readonly flags: readonly Flag[] };

/** How many windows after a line a further one of the same content is put up for review. */
const doubleCountWindows = 3;

export function decide(state: BookState, transmission: ScanTransmission): Ruling {
  return byScanId(state, transmission) ?? byContent(state, transmission);
}

function byScanId(state: BookState, { scan, identity }: ScanTransmission): Ruling | undefined {
  if (scan.scanId === undefined) return undefined;
  const known = state.knownScanId(scan.facilityUuid, scan.scannerId, scan.scanId);
  if (known === undefined) return undefined;
  if (known.fingerprint === identity.fingerprint) {
    const gap = gapMs(known.line, spanOf(scan));
    // A retransmission carries the time of its trigger: another one says that the id was used again.
    const usedAgain = scan.timeBasis === 'device' && gap >= known.line.windowMs;
    return {
      kind: 'suppress',
      of: known.line,
      reason: 'same_scan_id',
      gapMs: gap,
      windowMs: known.line.windowMs,
      flags: usedAgain ? [...scan.flags, 'possible_under_count'] : scan.flags,
    };
  }
  const first = state.movement(scan.facilityUuid, scan.scannerId, scan.scanId);
  return { kind: 'conflict', of: known.line, differs: differingFields(first, movementOf(recordedScan(scan))), flags: scan.flags };
}

function byContent(state: BookState, transmission: ScanTransmission): Ruling {
  const { scan, identity, scannerClass } = transmission;
  const span = spanOf(scan, scannerClass.windowMs);
  const lines = state.nearestLines(scan.facilityUuid, identity.content, scan.occurredAt);
  const flags = [...scan.flags, ...outOfOrder(state, transmission)];
  const of = nearest(
    lines.filter((line) => samePhysicalScan(line, span)),
    span,
  );
  if (of !== undefined) {
    const gap = gapMs(of, span);
    const review = couldBeGenuine(transmission, of, gap) ? (['possible_under_count'] as const) : [];
    const { windowMs } = of.occurredAt <= scan.occurredAt ? of : span;
    return { kind: 'suppress', of, reason: 'same_content', gapMs: gap, windowMs, flags: [...flags, ...review] };
  }
  const soon = lines.some((line) => gapMs(line, span) < doubleCountWindows * scannerClass.windowMs);
  const review = [...(soon ? (['possible_double_count'] as const) : []), ...alreadyOut(state, transmission)];
  return { kind: 'commit', flags: [...flags, ...review] };
}

/** The nearest in time; of two equally near, the earlier. */
function nearest(lines: readonly KnownLine[], span: Span): KnownLine | undefined {
  return lines.toSorted((a, b) => gapMs(a, span) - gapMs(b, span) || a.occurredAt - b.occurredAt)[0];
}

/**
 * A gap that a person could have needed to pull the trigger again; or two ids whose times are only those of their arrival, so
 * that the gap says nothing.
 */
function couldBeGenuine({ scan, scannerClass }: ScanTransmission, of: KnownLine, gap: number): boolean {
  if (scan.serialNumber !== undefined) return false;
  const distinctIds = scan.scanId !== undefined && of.scanId !== undefined && scan.scanId !== of.scanId;
  return gap >= scannerClass.reviewGapMs || (distinctIds && scan.timeBasis === 'receipt');
}

/** A serial that leaves the stock, and whose last movement was out of it. */
function alreadyOut(state: BookState, { scan }: ScanTransmission): Flag[] {
  const { facilityUuid, product, serialNumber, scanType, quantity, direction } = scan;
  if (serialNumber === undefined || !signedDelta(scanType, quantity, direction).startsWith('-')) return [];
  const last = state.lastDeltaOfSerial(facilityUuid, product, serialNumber);
  return last?.startsWith('-') === true ? ['serial_already_out'] : [];
}

function outOfOrder(state: BookState, { scan }: ScanTransmission): Flag[] {
  const last = state.lastOccurredAt(scan.facilityUuid, scan.scannerId);
  return last !== undefined && scan.occurredAt < last ? ['out_of_order'] : [];
}

function spanOf(scan: { occurredAt: number }, windowMs = 0): Span {
  return { occurredAt: scan.occurredAt, windowMs };
}

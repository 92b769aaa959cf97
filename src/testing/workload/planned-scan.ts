/** What a scan is, in truth, and what each listener of its device sends of it: under which ids, when, and how long until it is heard. */
import type { Draft } from '../../base/draft.ts';
import type { WireScan } from '../../scan/wire-schema.ts';
import type { ScanEvent } from '../history.ts';
import { deltaOf, movedOf } from './content.ts';
import { deviceTime } from './device-clock.ts';
import type { Pull } from './pulls.ts';
import type { Random } from './random.ts';
import { spell } from './spelling.ts';
import type { PlannedScan, Reading } from './traffic.ts';

/** @param name of the scan. */
export function plannedScan(pull: Pull, name: string): PlannedScan {
  const { scanner } = pull;
  const ids = idsOf(pull);
  const readings = [readingOf(pull, name, ids[0], 0)];
  if (scanner.listeners === 2) readings.push(readingOf(pull, `${name}b`, ids[1], 1));
  return { truth: truthOf(pull, name, ids), readings };
}

function truthOf({ scanner, pulledAt, content }: Pull, name: string, ids: readonly string[]): ScanEvent {
  const truth: Draft<ScanEvent> = {
    kind: 'scan',
    scan: name,
    facility_uuid: scanner.facilityUuid,
    scanner_id: scanner.scannerId,
    pulled_at: pulledAt,
    content: content?.text ?? `unreadable ${name}`,
    scan_uuids: ids,
    distinct_ids: scanner.isTrusted ? 'trust' : 'ignore',
    readable: content !== undefined,
    product: content?.product.text ?? '',
    delta: content === undefined ? '0' : deltaOf(content),
  };
  if (content !== undefined) truth.moved = movedOf(content);
  if (scanner.capturedAs !== 'none') truth.device_at = deviceTime(scanner.clock, pulledAt);
  return truth;
}

function idsOf({ scanner, index: pulls, random }: Pull): string[] {
  const index = scanner.countsUpTo === undefined ? pulls : pulls % scanner.countsUpTo;
  if (scanner.ids === 'none') return [];
  if (scanner.listeners === 1) return [scanner.ids === 'counter' ? String(index + 1) : uuidOf(random)];
  return scanner.ids === 'counter' ? [`A${index + 1}`, `B${index + 1}`] : [uuidOf(random), uuidOf(random)];
}

/** Looks like a UUID of version 4. */
function uuidOf(random: Random): string {
  const hex = () => random.between(0x1_00_00_00, 0xf_ff_ff_ff).toString(16);
  const [a, b, c] = [hex(), hex(), hex()];
  return `${a}${b[0]}-${b.slice(1, 5)}-4${c.slice(0, 3)}-a${c.slice(3, 6)}-${hex()}${a.slice(0, 5)}`;
}

/** @param listener 0, or 1 for the second one. */
function readingOf(pull: Pull, name: string, scanId: string | undefined, listener: 0 | 1): Reading {
  const { scanner, random, rebootedAfterMs } = pull;
  const lagMs = listener * scanner.listenerLagMs;
  const wire = wireOf(pull, lagMs);
  if (scanId !== undefined) wire.scan_uuid = scanId;
  const isRebooted = rebootedAfterMs > 0 && scanner.mix.retryMs === undefined;
  const missedAcks = missedBy(pull);
  const waits = scanner.retryAfterMs === 'mixed' ? mixedWaits(random, scanner.windowMs) : scanner.retryAfterMs;
  return {
    name,
    firstSendAt: pull.firstSendAt + lagMs,
    wire,
    clock: scanner.clock,
    sendsSentAt: scanner.sendsSentAt,
    queue: scanner.queues[listener],
    paths: random.perMille(scanner.mix.twoPaths) ? 2 : 1,
    missedAcks: isRebooted ? Math.max(1, missedAcks) : missedAcks,
    retryAfterMs: isRebooted ? [rebootedAfterMs, ...waits] : waits,
  };
}

function wireOf({ scanner, pulledAt, content, barcode, random }: Pull, lagMs: number): Draft<WireScan> {
  const { clock, capturedAs } = scanner;
  const wire: Draft<WireScan> = {
    facility_uuid: scanner.facilityUuid,
    scanner_id: scanner.scannerId,
    scan_type: content?.act.type ?? 'dispense',
  };
  if (content !== undefined) spell(wire, content, random);
  else wire.barcode = barcode;
  // Two scans of one content under one id are the same only where both say it, or none.
  if (scanner.countsUpTo === undefined && random.perMille(300)) delete wire.expiration_date;
  if (capturedAs !== 'none') {
    const at = deviceTime(clock, pulledAt) + lagMs;
    wire.captured_at = capturedAs === 'number' ? at : new Date(at).toISOString();
  }
  return wire;
}

const waitMsLeast = 50;
const waitMsMost = 30_000;
/** How often the least wait can be doubled before it is the longest one. */
const doublings = 10;

/** From 50 ms to 30 s, as many short as long ones, doubled each time; or to the very edge of the window. */
function mixedWaits(random: Random, windowMs: number): readonly number[] {
  const least = waitMsLeast * 2 ** random.below(doublings);
  const drawn = random.between(least, Math.min(waitMsMost, 2 * least));
  const first = random.perMille(250) ? windowMs + random.between(-1, 1) : drawn;
  return [1, 2, 4, 8].map((times) => Math.min(waitMsMost, first * times));
}

/** Mostly one, seldom several; three times as often where retries can cross with the next scan of the same content. */
function missedBy({ random, isFollowed, scanner: { mix } }: Pull): number {
  if (mix.retryMs !== undefined) return 1;
  if (!random.perMille(isFollowed ? 3 * mix.missedAcks : mix.missedAcks)) return 0;
  return random.perMille(800) ? 1 : random.between(2, 4);
}

/** The scans of one scanner, in the order in which they were pulled. */
import type { WireScan } from '../../scan/wire-schema.ts';
import type { ScanEvent } from '../history.ts';
import { type Content, contentOf, deltaOf, movedOf, nearTwinOf } from './content.ts';
import { damagedBarcode, gluedBarcode } from './damage.ts';
import { deviceTime } from './device-clock.ts';
import { type Random, randomOf } from './random.ts';
import { type Scanner, type Spell, tellsApart } from './scanners.ts';
import { spell, type Writable } from './spelling.ts';
import type { PlannedScan, Reading } from './traffic.ts';

/** A scan whose name is not known yet: scans are named in the order of all scanners. */
export interface Pull {
  readonly scanner: Scanner;
  /** The how manieth of its scanner. */
  readonly index: number;
  readonly pulledAt: number;
  /** What was scanned; nothing where what was read is no scan. */
  readonly content: Content | undefined;
  /** What was read, where it is no scan. */
  readonly barcode: string;
  readonly random: Random;
  /** Whether it is the same content as the scan before. */
  readonly isAgain: boolean;
  /** Whether only one dimension tells it from the scan before. */
  readonly isTwin: boolean;
  /** Whether the scan after it is the same content. */
  isFollowed: boolean;
  firstSendAt: number;
  /** The scanner lost its power before it could hear the answer, and is back so many ms after it sent. */
  rebootedAfterMs: number;
}

export function pullsOf(scanner: Scanner): Pull[] {
  const pulls: Pull[] = [];
  let previous: Pull | undefined;
  for (let index = 0; index < scanner.scans; index += 1) {
    const next = nextPull(scanner, index, previous);
    if (previous !== undefined) previous.isFollowed = next.isAgain;
    pulls.push(next);
    previous = next;
  }
  for (const spell of scanner.spells) replay(scanner, spell, pulls);
  return pulls;
}

function nextPull(scanner: Scanner, index: number, previous: Pull | undefined): Pull {
  const random = randomOf(scanner.seed, `scan ${scanner.index} ${index}`);
  const again = previous && againAfter(previous, random);
  const from = previous?.pulledAt ?? scanner.startsAt;
  const pulledAt = again ?? whenOn(scanner, from + naturalGap(random, scanner.gapMs));
  const firstSendAt = pulledAt + random.between(1, 30);
  const barcode = again === undefined ? damageOf(scanner, random, index) : '';
  const fresh = again === undefined && barcode === '' ? newContent(scanner, random, index) : undefined;
  const twin = fresh && twinOf(scanner, previous, index);
  return {
    scanner,
    index,
    pulledAt,
    content: again === undefined ? (twin ?? fresh) : previous?.content,
    barcode,
    random,
    isAgain: again !== undefined,
    isTwin: twin !== undefined,
    isFollowed: false,
    firstSendAt,
    rebootedAfterMs: rebootAfter(scanner, firstSendAt),
  };
}

/** What was read instead of a scan, or `''`. */
function damageOf({ mix }: Scanner, random: Random, index: number): string {
  const kind = random.below(1_000);
  if (kind < mix.glued) return gluedBarcode(random, serialOf(random, index));
  return kind < mix.glued + mix.damaged ? damagedBarcode(random, serialOf(random, index)) : '';
}

function newContent(scanner: Scanner, random: Random, index: number): Content {
  const { seed, mix, place } = scanner;
  const serial = random.perMille(mix.serials) ? serialOf(random, index) : '';
  const own = contentOf(random, place, serial, referenceOf(scanner, random, index));
  const shared = randomOf(seed, `content of all scanners ${index}`);
  return shared.perMille(mix.sharedContents) ? contentOf(shared, place, '', `RX-${index}`) : own;
}

/** Never of a twin or of what was scanned once more: one that differs twice could be what was there before. */
function twinOf({ seed, mix, place, index: of }: Scanner, previous: Pull | undefined, index: number): Content | undefined {
  const random = randomOf(seed, `twin ${of} ${index}`);
  if (!random.perMille(mix.nearTwins) || previous?.content === undefined || previous.isTwin || previous.isAgain) return undefined;
  return nearTwinOf(previous.content, random, place, `${of}-${index}`);
}

/** 15 % in a hurry, 10 % after a pause. */
function naturalGap(random: Random, gapMs: number): number {
  const kind = random.below(100);
  const [least, most] = kind < 15 ? [0.1, 0.4] : kind < 90 ? [0.4, 1.2] : [1.2, 4];
  return Math.max(150, random.between(Math.floor(gapMs * least), Math.floor(gapMs * most)));
}

/** When the same content is scanned once more, if it is: from what a hand can do upward, and at the edges of the window. */
function againAfter(previous: Pull, random: Random): number | undefined {
  const { scanner, pulledAt, content, isAgain } = previous;
  const { mix, windowMs, listenerLagMs } = scanner;
  if (!random.perMille(mix.redispenses) || content === undefined) return undefined;
  const gap = random.pick([
    random.between(400, 1_000),
    random.between(400, windowMs - 100),
    windowMs - 1,
    windowMs,
    windowMs + 1,
    random.between(windowMs + 100, 3 * windowMs + 100),
    random.between(3 * windowMs, 10 * windowMs),
  ]);
  if (listenerLagMs > 0 && (isAgain || Math.abs(gap - windowMs) < 100)) return undefined;
  const at = pulledAt + gap;
  return whenOn(scanner, at) === at && tellsApart(scanner, pulledAt, at) ? at : undefined;
}

/** The next instant at which the scanner has power. */
function whenOn({ reboots }: Scanner, at: number): number {
  const off = reboots.find(({ from, until }) => at >= from && at < until);
  return off === undefined ? at : off.until + 1;
}

/** How long after it sent the scanner has its power back, if it lost it right afterwards; else 0. */
function rebootAfter({ reboots }: Scanner, sentAt: number): number {
  const off = reboots.find(({ from }) => from > sentAt && from - sentAt < 2_000);
  return off === undefined ? 0 : off.until - sentAt;
}

function serialOf(random: Random, index: number): string {
  return `${random.between(0x10_00_00_00, 0x7f_ff_ff_ff).toString(36).toUpperCase()}Z${index}`;
}

/** Where nothing else would tell two scans of one content apart, each has the number of its prescription. */
function referenceOf({ index: of, isNumbered }: Scanner, random: Random, index: number): string {
  return isNumbered || random.perMille(200) ? `RX-${of}-${index}` : '';
}

/** What was pulled while there was no network is sent when it is back. */
function replay(scanner: Scanner, { from, until, order }: Spell, pulls: Pull[]): void {
  const kept = pulls.filter(({ pulledAt }) => pulledAt >= from && pulledAt < until);
  const ranked = order === 'as scanned' ? kept : order === 'reversed' ? kept.toReversed() : shuffled(kept);
  const begins = whenOn(scanner, until);
  for (const [rank, pull] of ranked.entries()) {
    pull.firstSendAt = begins + 5 + rank * 3;
    pull.rebootedAfterMs = 0;
  }
}

function shuffled(pulls: readonly Pull[]): Pull[] {
  return pulls
    .map((pull) => ({ pull, at: pull.random.below(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ pull }) => pull);
}

/** @param name of the scan. */
export function plannedScan(pull: Pull, name: string): PlannedScan {
  const { scanner } = pull;
  const ids = idsOf(pull);
  const readings = [readingOf(pull, name, ids[0], 0)];
  if (scanner.listeners === 2) readings.push(readingOf(pull, `${name}b`, ids[1], 1));
  return { truth: truthOf(pull, name, ids), readings };
}

function truthOf({ scanner, pulledAt, content }: Pull, name: string, ids: readonly string[]): ScanEvent {
  const truth: Writable<ScanEvent> = {
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

function wireOf({ scanner, pulledAt, content, barcode, random }: Pull, lagMs: number): Writable<WireScan> {
  const { clock, capturedAs } = scanner;
  const wire: Writable<WireScan> = {
    facility_uuid: scanner.facilityUuid,
    scanner_id: scanner.scannerId,
    scan_type: content?.act.type ?? 'dispense',
  };
  if (content !== undefined) spell(wire, content, random);
  else wire.barcode = barcode;
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

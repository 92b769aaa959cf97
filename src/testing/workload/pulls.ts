/** The triggers of one scanner, in the order in which they were pulled: when, and what was scanned. */
import { type Content, contentOf, nearTwinOf } from './content.ts';
import { damagedBarcode, gluedBarcode } from './damage.ts';
import { type Random, randomOf } from './random.ts';
import { type Scanner, type Spell, tellsApart } from './scanners.ts';

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

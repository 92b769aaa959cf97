/** The devices of a traffic: what each sends with a scan, what its clock says, when it is off and when it has no network. */
import { type DeviceClock, offsetAt } from './device-clock.ts';
import type { Mix } from './mix.ts';
import { type Random, randomOf } from './random.ts';

export interface ScannerOptions {
  readonly seed: number;
  readonly scans: number;
  readonly startsAt: number;
  readonly scanners?: number;
  readonly facilities?: number;
  readonly windowMs?: number;
  readonly scansPerMinute?: number;
}

export interface Scanner {
  readonly index: number;
  readonly seed: number;
  readonly facilityUuid: string;
  readonly scannerId: string;
  /** Facility and scanner in one text. */
  readonly place: string;
  readonly startsAt: number;
  readonly windowMs: number;
  /** How many scans it makes, and how far apart on the average. */
  readonly scans: number;
  readonly gapMs: number;
  readonly mix: Mix;
  /** A `uuid`, a counter that begins at 1 on every device, or none. */
  readonly ids: 'uuid' | 'counter' | 'none';
  readonly capturedAs: 'number' | 'text' | 'none';
  /** Whether the class of the scanner says that different ids are different scans. */
  readonly isTrusted: boolean;
  /** After so many ids that it has counted, the next is the first again. */
  readonly countsUpTo: number | undefined;
  readonly listeners: 1 | 2;
  /** Whether every scan has a reference of its own, because nothing else would tell two of one content apart. */
  readonly isNumbered: boolean;
  /** How much later than the first listener the second one stamps the trigger. */
  readonly listenerLagMs: number;
  readonly clock: DeviceClock;
  readonly sendsSentAt: boolean;
  /** Where the readings of each listener wait for each other; `null`: they do not. */
  readonly queues: readonly [string | null, string | null];
  readonly reboots: readonly Span[];
  readonly spells: readonly Spell[];
  /** `mixed`: of each reading others. */
  readonly retryAfterMs: readonly number[] | 'mixed';
}

/** From an instant up to, but not including, another, by the true clock. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** No network. What was scanned meanwhile is sent afterwards, in an order of its own. */
export interface Spell extends Span {
  readonly order: 'as scanned' | 'reversed' | 'shuffled';
}

const idKinds: readonly [Scanner['ids'], ...Scanner['ids'][]] = ['uuid', 'uuid', 'counter'];

const dayMs = 86_400_000;
/** By less than two minutes, so that the clock of a worker may be wrong as well. */
export const believedAheadMs = 60_000;
const believedBehindMs = dayMs;

/** Two scanners of two facilities have the same id; the ids of those that are trusted begin with `TRUST-`. */
export function scannersOf(options: ScannerOptions, mix: Mix): Scanner[] {
  const { scans, scanners = 8, facilities = 2 } = options;
  return Array.from({ length: scanners }, (_, index) => {
    const share = Math.floor(scans / scanners) + (index < scans % scanners ? 1 : 0);
    const facility = index % facilities;
    return scannerOf({ ...options, scans: share }, mix, index, facility, Math.floor(index / facilities));
  });
}

function scannerOf(options: ScannerOptions, mix: Mix, index: number, facility: number, place: number): Scanner {
  const { seed, scans, startsAt, windowMs = 3_000, scansPerMinute = 12 } = options;
  const random = randomOf(seed, `scanner ${index}`);
  const gapMs = Math.max(200, Math.round(60_000 / scansPerMinute));
  const run = { from: startsAt, until: startsAt + scans * gapMs };
  const said = saidBy(random, mix);
  const ids = said === 'times' || said === 'neither' ? 'none' : random.pick(idKinds);
  const isTrusted = ids !== 'none' && random.perMille(mix.trusted);
  const reboots = random.perMille(mix.reboots) ? spansIn(random, run, 4_000, 40_000) : [];
  const clock = clockOf(random, mix, ids !== 'none', run, reboots);
  const isDouble = said === 'both' && !isTrusted && isSteady(clock) && random.perMille(mix.doubleListeners);
  const listenerLagMs = isDouble && random.perMille(500) ? random.between(1, 9) : 0;
  const isReceiptTimed = said === 'ids' || said === 'neither';
  const names = namesOf(facility, place, isTrusted);
  return {
    index,
    seed,
    ...names,
    startsAt,
    windowMs,
    scans,
    gapMs,
    mix,
    ids,
    capturedAs: isReceiptTimed ? 'none' : random.pick(['number', 'text']),
    isTrusted,
    countsUpTo: countOf(randomOf(seed, `count ${index}`), ids, mix),
    isNumbered: !isTrusted && (isReceiptTimed || listenerLagMs > 0 || !isSteady(clock)),
    listeners: isDouble ? 2 : 1,
    listenerLagMs,
    clock,
    sendsSentAt: random.perMille(500),
    queues: random.perMille(mix.pipelined) ? [null, null] : [names.place, `${names.place}|b`],
    reboots,
    spells: random.perMille(mix.offline) ? spellsIn(random, run) : [],
    retryAfterMs: mix.retryMs === undefined ? random.pick(retries) : [mix.retryMs, 30_000],
  };
}

function namesOf(facility: number, place: number, isTrusted: boolean): Pick<Scanner, 'facilityUuid' | 'scannerId' | 'place'> {
  const facilityUuid = `0b9f7f52-5f5e-4d0e-9a51-${String(facility + 1).padStart(12, '0')}`;
  const scannerId = `${isTrusted ? 'TRUST' : 'SCN'}-${String(place + 1).padStart(2, '0')}`;
  return { facilityUuid, scannerId, place: `${facilityUuid}|${scannerId}` };
}

function saidBy(random: Random, { idsOnly, timesOnly, bare }: Mix): 'ids' | 'times' | 'neither' | 'both' {
  const at = random.below(1_000);
  if (at < idsOnly) return 'ids';
  if (at < idsOnly + timesOnly) return 'times';
  return at < idsOnly + timesOnly + bare ? 'neither' : 'both';
}

function countOf(random: Random, ids: Scanner['ids'], { reusedIds }: Mix): number | undefined {
  return ids === 'counter' && random.perMille(reusedIds) ? 3 : undefined;
}

/** Impatient ones, usual ones, those that back off, those that wait half a minute, and those that draw each wait anew. */
const retries: readonly [Scanner['retryAfterMs'], ...Scanner['retryAfterMs'][]] = [
  [50, 200, 1_000, 5_000],
  [250, 500, 2_000],
  [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000],
  [1_000],
  [2_900, 3_100, 5_000],
  [5_000, 10_000, 30_000],
  [30_000],
  'mixed',
  'mixed',
  'mixed',
];

/** Whether the clock is believed and never set. */
function isSteady({ offsetMs, steps }: DeviceClock): boolean {
  return steps.length === 0 && isBelieved(offsetMs);
}

/** Whether what a clock says that is so far from the true one is taken as the time of the scan. */
export function isBelieved(offsetMs: number): boolean {
  return offsetMs <= believedAheadMs && offsetMs >= -believedBehindMs;
}

function clockOf(random: Random, mix: Mix, hasIds: boolean, run: Span, reboots: readonly Span[]): DeviceClock {
  const isWrong = hasIds && random.perMille(mix.implausibleClocks);
  const isSkewed = random.perMille(mix.skewedClocks);
  const isStepped = random.perMille(mix.steppedClocks);
  const offsetMs = isWrong ? wrongOffset(random, run.from) : isSkewed ? skew(random) : random.between(-50, 50);
  const set = isStepped ? spansIn(random, run, 1, 1).map(({ from }) => ({ at: from, offsetMs: skew(random) })) : [];
  const booted = reboots.flatMap(({ until }) => {
    const synchronised = { at: until, offsetMs: skew(random) };
    // A clock that is not kept through the reboot begins at 1970, until it has asked for the time.
    return hasIds && random.perMille(400)
      ? [
          { at: until, offsetMs: -until },
          { ...synchronised, at: until + random.between(500, 15_000) },
        ]
      : [synchronised];
  });
  return { offsetMs, steps: [...set, ...booted].sort((a, b) => a.at - b.at) };
}

function skew(random: Random): number {
  return random.pick([
    random.between(-500, 500),
    random.between(-5_000, 5_000),
    random.between(-believedAheadMs, believedAheadMs),
    -3_600_000,
    -random.between(0, believedBehindMs),
  ]);
}

function wrongOffset(random: Random, startsAt: number): number {
  return random.pick([
    // Never set; the end of the era of NTP; forty days behind; some minutes ahead.
    -startsAt + random.between(0, dayMs),
    Date.UTC(2036, 1, 7, 6, 28, 16) - startsAt,
    -40 * dayMs,
    random.between(200_000, 900_000),
  ]);
}

/** One span in each half of a run. */
function spansIn(random: Random, { from, until }: Span, leastMs: number, mostMs: number): Span[] {
  const half = Math.floor((until - from) / 2);
  return [0, 1].map((index) => {
    const lasts = Math.min(random.between(leastMs, mostMs), Math.max(1, Math.floor(half / 4)));
    const begins = from + index * half + random.below(Math.max(1, Math.floor(half / 2)));
    return { from: begins, until: begins + lasts };
  });
}

function spellsIn(random: Random, run: Span): Spell[] {
  const tenth = Math.floor((run.until - run.from) / 10);
  return spansIn(random, run, Math.max(1, Math.floor(tenth / 5)), Math.max(1, tenth)).map((span) => ({
    ...span,
    order: random.pick(['as scanned', 'reversed', 'shuffled']),
  }));
}

/** Whether a content can be scanned at both instants, and the two be told apart by the clock of the device. */
export function tellsApart({ isTrusted, capturedAs, clock }: Scanner, first: number, second: number): boolean {
  if (isTrusted) return true;
  if (capturedAs === 'none') return false;
  const offset = offsetAt(clock, first);
  return isBelieved(offset) && offset === offsetAt(clock, second);
}

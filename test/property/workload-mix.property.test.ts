/** What a mix asks for is in the traffic, and nothing that it does not ask for. A failure prints the seed of the traffic. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeviceClock } from '../../src/testing/workload/device-clock.ts';
import { type Mix, quietMix } from '../../src/testing/workload/mix.ts';
import { type PlannedScan, type Reading, trafficOf } from '../../src/testing/workload/traffic.ts';

const startsAt = 1_772_712_000_000;
type Scans = readonly PlannedScan[];

const traffic = (seed: number, mix: Partial<Mix>): Scans => trafficOf({ seed, scans: 240, startsAt, scanners: 6, mix }).scans;

function forEverySeed(check: (seed: number) => void): void {
  const judged = fc.property(fc.integer(), (seed) => {
    check(seed);
  });
  fc.assert(judged, { numRuns: 15 });
}

const everyReading = (scans: Scans, holds: (reading: Reading) => boolean): boolean =>
  scans.every(({ readings }) => readings.every(holds));
const someReading = (scans: Scans, holds: (reading: Reading) => boolean): boolean =>
  scans.some(({ readings }) => readings.some(holds));
const serialOf = ({ truth }: PlannedScan): string | undefined => truth.content.split('|')[6];
const sendingDelay = ({ truth, readings }: PlannedScan): number => (readings[0]?.firstSendAt ?? Number.NaN) - truth.pulled_at;
const isRight = ({ offsetMs, steps }: DeviceClock): boolean => Math.abs(offsetMs) <= 50 && steps.length === 0;
/** By what the gate believes: 31 days behind, two minutes ahead. */
const isBelieved = ({ offsetMs }: DeviceClock): boolean => offsetMs >= -31 * 86_400_000 && offsetMs <= 120_000;

/** Ms between two scans of one content that follow each other. */
function gapsOf(scans: Scans): number[] {
  const lastAt = new Map<string, number>();
  return scans.flatMap(({ truth }) => {
    const last = lastAt.get(truth.content);
    lastAt.set(truth.content, truth.pulled_at);
    return last === undefined ? [] : [truth.pulled_at - last];
  });
}

type Shares = Exclude<keyof Mix, 'retryMs' | 'reusedIds'>;

const placeOf = ({ truth }: PlannedScan): string => `${truth.facility_uuid}|${truth.scanner_id}`;

/** Of two scans of one scanner that follow each other: in how many parts of the content they differ. */
function differences(scans: Scans): number[] {
  const last = new Map<string, readonly string[]>();
  return scans.flatMap((scan) => {
    const parts = scan.truth.content.split('|');
    const before = last.get(placeOf(scan));
    last.set(placeOf(scan), parts);
    return before === undefined ? [] : [parts.filter((part, index) => part !== before[index]).length];
  });
}

/** How many of the scans are, but for their place, of a content that another scanner has as well. */
function sharedCount(scans: Scans): number {
  const contentOf = (scan: PlannedScan): string => scan.truth.content.slice(placeOf(scan).length);
  return scans.filter((scan) => scans.some((other) => placeOf(other) !== placeOf(scan) && contentOf(other) === contentOf(scan)))
    .length;
}

/** How many scans have the id of an earlier one of their scanner. */
function reusedCount(scans: Scans): number {
  const ids = scans.flatMap((scan) => scan.truth.scan_uuids.map((id) => `${placeOf(scan)}|${id}`));
  return ids.length - new Set(ids).size;
}

/** What is true of a traffic in which this happens always, and untrue where it never does. */
const alone: Readonly<Record<Shares, (scans: Scans) => boolean>> = {
  missedAcks: (scans) => everyReading(scans, ({ missedAcks }) => missedAcks > 0),
  redispenses: (scans) => [2_999, 3_000, 3_001].every((gap) => gapsOf(scans).includes(gap)),
  serials: (scans) => scans.every((scan) => serialOf(scan) !== ''),
  twoPaths: (scans) => everyReading(scans, ({ paths }) => paths === 2),
  glued: (scans) => scans.every(({ truth }) => !truth.readable),
  damaged: (scans) => scans.every(({ truth }) => !truth.readable),
  nearTwins: (scans) => differences(scans).filter((count) => count === 1).length > scans.length / 3,
  sharedContents: (scans) => sharedCount(scans) > (scans.length * 3) / 4,
  idsOnly: (scans) => everyReading(scans, ({ wire }) => wire.captured_at === undefined && wire.scan_uuid !== undefined),
  timesOnly: (scans) => everyReading(scans, ({ wire }) => wire.captured_at !== undefined && wire.scan_uuid === undefined),
  bare: (scans) => everyReading(scans, ({ wire }) => wire.captured_at === undefined && wire.scan_uuid === undefined),
  doubleListeners: (scans) => scans.every(({ readings }) => readings.length === 2),
  trusted: (scans) => scans.every(({ truth }) => truth.distinct_ids === 'trust'),
  skewedClocks: (scans) => someReading(scans, ({ clock }) => Math.abs(clock.offsetMs) > 50),
  steppedClocks: (scans) => everyReading(scans, ({ clock }) => clock.steps.length > 0),
  implausibleClocks: (scans) => everyReading(scans, ({ clock }) => !isBelieved(clock)),
  reboots: (scans) => everyReading(scans, ({ clock }) => clock.steps.length > 0),
  offline: (scans) => scans.some((scan) => sendingDelay(scan) > 1_000),
  pipelined: (scans) => everyReading(scans, ({ queue }) => queue === null),
};

describe('a mix', () => {
  it.each(Object.entries(alone))('has %s where it asks for them', (share, holds) => {
    forEverySeed((seed) => expect(holds(traffic(seed, { ...quietMix, [share]: 1_000 }))).toBe(true));
  });

  it.each(Object.entries(alone))('has no %s where it does not', (_, holds) => {
    forEverySeed((seed) => expect(holds(traffic(seed, quietMix))).toBe(false));
  });

  it('of nothing has scans with ids and right clocks, each sent at once and heard', () => {
    forEverySeed((seed) => {
      const loud = traffic(seed, quietMix).filter(
        ({ truth, readings }) =>
          truth.scan_uuids.length !== 1 ||
          !truth.readable ||
          !readings.every(({ clock, missedAcks, paths }) => isRight(clock) && missedAcks === 0 && paths === 1),
      );
      expect(loud).toEqual([]);
      expect(traffic(seed, quietMix).every((scan) => sendingDelay(scan) <= 30)).toBe(true);
    });
  });

  it('of reused ids gives some scans the id of an earlier one of their scanner, and none where it does not ask for it', () => {
    const of = (reusedIds: number): Scans[] => [1, 2, 3, 4, 5].map((seed) => traffic(seed, { ...quietMix, reusedIds }));
    expect(of(0).map(reusedCount)).toEqual([0, 0, 0, 0, 0]);
    expect(of(1_000).filter((scans) => reusedCount(scans) > 0).length).toBeGreaterThan(2);
  });

  it('of one delay has every scan sent a second time after exactly that', () => {
    forEverySeed((seed) => {
      const scans = traffic(seed, { retryMs: 500 });
      expect(everyReading(scans, ({ missedAcks, retryAfterMs }) => missedAcks === 1 && retryAfterMs[0] === 500)).toBe(true);
    });
  });
});

describe('a traffic', () => {
  it('has as many scans as it was asked for, in the order in which they were pulled, each with a name of its own', () => {
    forEverySeed((seed) => {
      const { scans } = trafficOf({ seed, scans: 101, startsAt, scanners: 7 });
      const times = scans.map(({ truth }) => truth.pulled_at);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(scans.map(({ truth }) => truth.scan)).toEqual(Array.from({ length: 101 }, (_, index) => `s${index}`));
    });
  });

  it('is plain data, the same for its seed and another one for another', () => {
    forEverySeed((seed) => {
      const made = traffic(seed, {});
      expect(JSON.parse(JSON.stringify(made))).toEqual(made);
      expect(JSON.stringify(traffic(seed, {}))).toBe(JSON.stringify(made));
      expect(JSON.stringify(traffic(seed + 1, {}))).not.toBe(JSON.stringify(made));
    });
  });

  it('sends again, when the power is back, what a device sent right before it lost it', () => {
    const waits: number[] = [];
    for (let seed = 0; seed < 20; seed += 1) {
      const scans = traffic(seed, { ...quietMix, reboots: 1_000 });
      const lost = scans.flatMap(({ readings }) => readings.filter(({ missedAcks }) => missedAcks === 1));
      waits.push(...lost.map(({ retryAfterMs }) => retryAfterMs[0] ?? 0));
    }
    expect(waits.length).toBeGreaterThan(20);
    // From 4 to 40 s without power, lost at most 2 s after it was sent.
    expect(waits.filter((ms) => ms < 4_000 || ms > 42_000)).toEqual([]);
  });

  it('sends what was pulled without a network in order, reversed and shuffled', () => {
    const orders = new Set<string>();
    for (let seed = 0; seed < 60; seed += 1) {
      const scans = trafficOf({ seed, scans: 60, startsAt, scanners: 1, mix: { ...quietMix, offline: 1_000 } }).scans;
      const kept = scans.filter((scan) => sendingDelay(scan) > 30).map((scan) => scan.readings[0]?.firstSendAt ?? 0);
      const rises = kept.slice(1).filter((at, index) => at > (kept[index] ?? 0)).length;
      if (kept.length > 3) orders.add(rises === kept.length - 1 ? 'in order' : rises <= 1 ? 'reversed' : 'shuffled');
    }
    expect([...orders].sort()).toEqual(['in order', 'reversed', 'shuffled']);
  });
});

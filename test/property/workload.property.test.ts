/**
 * The traffic is what it says of itself, and honest: whatever is in it can be told apart in principle. A failure prints the seed of the
 * traffic.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScannerPolicy } from '../../src/gate/arrival.ts';
import { admit } from '../../src/gate/arrival.ts';
import { defaultScannerClass } from '../../src/identity/scanner-class.ts';
import { productText } from '../../src/scan/product.ts';
import { recordedScan } from '../../src/scan/recorded-scan.ts';
import { signedDelta } from '../../src/scan/scan-type.ts';
import type { ScanEvent } from '../../src/testing/history.ts';
import { movedBy } from '../../src/testing/moved.ts';
import { type DeviceClock, deviceTime, offsetAt } from '../../src/testing/workload/device-clock.ts';
import { type PlannedScan, type Reading, trafficOf } from '../../src/testing/workload/traffic.ts';

const startsAt = 1_772_712_000_000;
const windowMs = 3_000;

/** What holds of the traffic of every seed. It is of many devices, so that each kind of them is there. */
function forEverySeed(check: (scans: readonly PlannedScan[]) => void): void {
  const traffic = (seed: number) => trafficOf({ seed, scans: 500, startsAt, scanners: 25, facilities: 3 }).scans;
  fc.assert(
    fc.property(fc.integer(), (seed) => check(traffic(seed))),
    { numRuns: 12 },
  );
}

const trusting: ScannerPolicy = (scannerId) =>
  scannerId.startsWith('TRUST-') ? { ...defaultScannerClass, distinctIds: 'trust' } : defaultScannerClass;

/** What the gate makes of a reading that comes right away. */
const admitted = ({ wire, name, firstSendAt }: Reading) =>
  admit(
    { value: { ...wire, actor: name }, receivedAt: firstSendAt, transport: 'library', raw: () => ({ bytes: new Uint8Array() }) },
    { policy: trusting },
  );

const scannerOf = ({ truth }: PlannedScan): string => `${truth.facility_uuid} ${truth.scanner_id}`;

/** Every two scans of one scanner and one content, the earlier one first. */
function pairsOf(scans: readonly PlannedScan[]): [PlannedScan, PlannedScan][] {
  const groups = Object.values(grouped(scans, ({ truth }) => truth.content));
  return groups.flatMap((group) =>
    group.flatMap((first, index) => group.slice(index + 1).map((second): [PlannedScan, PlannedScan] => [first, second])),
  );
}

function grouped<T>(items: readonly T[], nameOf: (item: T) => string): Record<string, T[]> {
  const groups: Record<string, T[]> = {};
  for (const item of items) {
    groups[nameOf(item)] ??= [];
    groups[nameOf(item)]?.push(item);
  }
  return groups;
}

/** Not more than a minute ahead, nor more than a day and an hour behind. */
const isBelieved = (clock: DeviceClock, at: number): boolean =>
  offsetAt(clock, at) <= 60_000 && offsetAt(clock, at) >= -90_000_000;

const clockOf = ({ readings }: PlannedScan): DeviceClock => readings[0]?.clock ?? { offsetMs: Number.NaN, steps: [] };
const isTimed = ({ wire, clock }: Reading, pulledAt: number): boolean =>
  wire.captured_at !== undefined && isBelieved(clock, pulledAt);
const capturedMs = ({ wire }: Reading): number => new Date(wire.captured_at ?? Number.NaN).getTime();

/** What the gate reads, in the words of the truth. */
function readAs({ scan_uuids }: ScanEvent, reading: Reading): unknown {
  const made = admitted(reading);
  if (made.kind !== 'scan') return { refused: made.rejection.message, wire: reading.wire };
  const { product, scanType, quantity, direction, facilityUuid, scannerId, scanId } = made.scan;
  const delta = signedDelta(scanType, quantity, direction);
  const isKnown = scanId === undefined ? scan_uuids.length === 0 : scan_uuids.includes(scanId);
  const moved = movedBy(recordedScan(made.scan));
  return [reading.name, facilityUuid, scannerId, productText(product), delta, moved, made.scannerClass.distinctIds, isKnown];
}

function saidOf({ facility_uuid, scanner_id, product, delta, moved, distinct_ids }: ScanEvent, { name }: Reading): unknown {
  return [name, facility_uuid, scanner_id, product, delta, moved, distinct_ids, true];
}

describe('what the traffic says of a scan', () => {
  it('is what the gate reads, where it can be read', () => {
    forEverySeed((scans) => {
      const readable = scans.filter((scan) => scan.truth.readable);
      expect(readable.flatMap(({ truth, readings }) => readings.map((reading) => readAs(truth, reading)))).toEqual(
        readable.flatMap(({ truth, readings }) => readings.map((reading) => saidOf(truth, reading))),
      );
    });
  });

  it('tells contents apart exactly where the gate does', () => {
    forEverySeed((scans) => {
      const seen: string[] = [];
      for (const { truth, readings } of scans) {
        for (const reading of readings) {
          const made = admitted(reading);
          // Under `trust` the id is part of the identity: then the truth tells contents apart, and ids do.
          if (made.kind === 'scan' && truth.distinct_ids === 'ignore') seen.push(`${truth.content} = ${made.identity.content}`);
        }
      }
      const both = new Set(seen);
      const [ours, theirs] = [0, 1].map((side) => new Set([...both].map((pair) => pair.split(' = ')[side])));
      expect([ours?.size, theirs?.size]).toEqual([both.size, both.size]);
    });
  });

  it('says of what is glued or damaged that it cannot be read, and the gate refuses it', () => {
    const reasons = new Set<string>();
    forEverySeed((scans) => {
      for (const { truth, readings } of scans.filter((scan) => !scan.truth.readable)) {
        expect([truth.product, truth.delta]).toEqual(['', '0']);
        for (const reading of readings) {
          const made = admitted(reading);
          if (made.kind !== 'rejection') throw new Error(`This was read: ${JSON.stringify(reading.wire)}`);
          reasons.add(made.rejection.reason ?? '');
        }
      }
    });
    expect([...reasons]).toEqual(
      expect.arrayContaining(['ai_too_long', 'bad_check_digit', 'truncated', 'repeated_ai', 'bad_date']),
    );
  });

  it('says what the clock of the device said at the trigger, exactly where the device says it', () => {
    forEverySeed((scans) => {
      const wrong = scans.filter(({ truth: { device_at, pulled_at }, readings: [first] }) => {
        if (first === undefined || device_at === undefined) return first?.wire.captured_at !== undefined;
        return device_at !== deviceTime(first.clock, pulled_at) || device_at !== capturedMs(first);
      });
      expect(wrong).toEqual([]);
    });
  });
});

describe('honest traffic', () => {
  it('has an id or a believed time in every transmission', () => {
    forEverySeed((scans) => {
      const bare = scans.filter(({ truth, readings }) =>
        readings.some((reading) => reading.wire.scan_uuid === undefined && !isTimed(reading, truth.pulled_at)),
      );
      expect(bare).toEqual([]);
    });
  });

  it('never has one id twice on one scanner', () => {
    forEverySeed((scans) => {
      const ids = scans.flatMap((scan) => scan.truth.scan_uuids.map((id) => `${scannerOf(scan)} ${id}`));
      expect(new Set(ids).size).toBe(ids.length);
    });
  });

  it('has two listeners only where both say a believed time, the same or a few ms later, and no class trusts ids', () => {
    forEverySeed((scans) => {
      for (const { truth, readings } of scans.filter((scan) => scan.readings.length > 1)) {
        const [first, second, ...more] = readings;
        if (first === undefined || second === undefined) throw new Error('There are two.');
        expect(more).toEqual([]);
        expect([first.name, second.name]).toEqual([truth.scan, `${truth.scan}b`]);
        expect(truth.scan_uuids).toEqual([first.wire.scan_uuid, second.wire.scan_uuid]);
        expect([isTimed(first, truth.pulled_at), isTimed(second, truth.pulled_at)]).toEqual([true, true]);
        expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).toContain(capturedMs(second) - capturedMs(first));
        expect(truth.distinct_ids).toBe('ignore');
      }
    });
  });

  it('scans no content twice within what a hand can do', () => {
    forEverySeed((scans) => {
      const gaps = pairsOf(scans).map(([first, second]) => second.truth.pulled_at - first.truth.pulled_at);
      expect(gaps.filter((gap) => gap < 400)).toEqual([]);
    });
  });

  it('scans a content twice only where ids are trusted, or both times are believed and by one setting of the clock', () => {
    forEverySeed((scans) => {
      const doubtful = pairsOf(scans).filter(([first, second]) => {
        const times = [first, second].map((scan) => ({ scan, at: scan.truth.pulled_at }));
        const areTimed = times.every(({ scan, at }) => scan.readings.every((reading) => isTimed(reading, at)));
        const offsets = new Set(times.map(({ scan, at }) => offsetAt(clockOf(scan), at)));
        return first.truth.distinct_ids === 'ignore' && !(areTimed && offsets.size === 1);
      });
      expect(doubtful).toEqual([]);
    });
  });

  it('has no two listeners whose few ms would decide about the window', () => {
    forEverySeed((scans) => {
      const lagOf = ({ readings }: PlannedScan) => Math.max(...readings.map(capturedMs)) - Math.min(...readings.map(capturedMs));
      const near = pairsOf(scans).filter(([first, second]) => {
        const gap = second.truth.pulled_at - first.truth.pulled_at;
        return lagOf(first) > 0 && Math.abs(gap - windowMs) < 50;
      });
      expect(near).toEqual([]);
    });
  });
});

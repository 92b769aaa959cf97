import { describe, expect, it } from 'vitest';
import { gapMs, samePhysicalScan, windowEndsAt } from '../../../src/identity/window.ts';

const at = (occurredAt: number, windowMs = 3_000) => ({ occurredAt, windowMs });
const first = at(1_762_206_341_900);

/** The times that are committed when scans of one content arrive in this order. */
function committed(times: readonly number[], windowMs: number): number[] {
  const lines: number[] = [];
  for (const time of times) {
    if (!lines.some((line) => samePhysicalScan(at(line, windowMs), at(time, windowMs)))) lines.push(time);
  }
  return lines;
}

describe('samePhysicalScan', () => {
  it.each([0, 1, 40, 500, 1_500, 2_999])('says so of a repeat after %i ms', (gap) => {
    expect(samePhysicalScan(first, at(first.occurredAt + gap))).toBe(true);
    expect(samePhysicalScan(at(first.occurredAt + gap), first)).toBe(true);
  });

  it.each([3_000, 3_001, 30_000, 31_536_000_000])('does not say so of a repeat after %i ms', (gap) => {
    expect(samePhysicalScan(first, at(first.occurredAt + gap))).toBe(false);
    expect(samePhysicalScan(at(first.occurredAt + gap), first)).toBe(false);
  });

  it('knows no edge of a quantised window: 2.9 s and 3.1 s are one scan', () => {
    expect(samePhysicalScan(at(2_900), at(3_100))).toBe(true);
  });

  it('goes by the window of the scanner class: 1.5 s are two scans for 1 s and one for 2 s', () => {
    expect(samePhysicalScan(at(0, 1_000), at(1_500, 1_000))).toBe(false);
    expect(samePhysicalScan(at(0, 2_000), at(1_500, 2_000))).toBe(true);
  });

  it('goes by the window of the earlier scan where the class has changed in between', () => {
    expect(samePhysicalScan(at(0, 1_000), at(1_500, 2_000))).toBe(false);
    expect(samePhysicalScan(at(0, 2_000), at(1_500, 1_000))).toBe(true);
    expect(samePhysicalScan(at(1_500, 1_000), at(0, 2_000))).toBe(true);
  });

  it('suppresses three of four reports of one trigger', () => {
    expect(committed([0, 300, 600, 900], 2_000)).toEqual([0]);
  });

  it('never slides: a repeat every minute counts once in each window of two', () => {
    const everyMinute = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((minute) => minute * 60_000);

    expect(committed(everyMinute, 120_000)).toEqual([0, 120_000, 240_000, 360_000, 480_000, 600_000]);
  });

  it('decides by the order of arrival: 0, 2, 4 s leave two lines, 2, 0, 4 s one', () => {
    expect(committed([0, 2_000, 4_000], 3_000)).toEqual([0, 4_000]);
    expect(committed([2_000, 0, 4_000], 3_000)).toEqual([2_000]);
  });

  it('judges a spool by the times of its scans', () => {
    const nine = 1_762_160_400_000;

    expect(committed([nine, nine + 400, nine + 7_200_000], 3_000)).toEqual([nine, nine + 7_200_000]);
    expect(committed([nine, nine + 7_200_000, nine + 400], 3_000)).toEqual([nine, nine + 7_200_000]);
  });
});

describe('windowEndsAt', () => {
  it('is the first instant at which the same content is a new scan', () => {
    expect(windowEndsAt(first)).toBe(1_762_206_344_900);
    expect(samePhysicalScan(first, at(1_762_206_344_899))).toBe(true);
    expect(samePhysicalScan(first, at(1_762_206_344_900))).toBe(false);
  });
});

describe('gapMs', () => {
  it('is the distance in time, whichever came first', () => {
    expect(gapMs(at(1_000), at(1_400))).toBe(400);
    expect(gapMs(at(1_400), at(1_000))).toBe(400);
    expect(gapMs(first, first)).toBe(0);
  });
});

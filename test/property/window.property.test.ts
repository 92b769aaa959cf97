import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapMs, type Span, samePhysicalScan, windowEndsAt } from '../../src/identity/window.ts';
import { type SeededNumbers, withSeed } from '../support/scans.ts';

const from2000 = 946_684_800_000;
const centuryMs = 3_155_760_000_000;
const windows = [1, 2, 3, 999, 1_000, 3_000, 3_001, 30_000, 120_000, 86_400_000] as const;

/** Where two instants are interesting: equal, one before, at and one after an edge, or anywhere. */
function gapNear(windowMs: number, numbers: SeededNumbers): number {
  const places = [0, 1, windowMs - 1, windowMs, windowMs + 1, numbers.below(windowMs), numbers.below(3 * windowMs)] as const;
  return (numbers.below(2) === 0 ? 1 : -1) * numbers.pick(places);
}

interface Pair {
  readonly one: Span;
  readonly other: Span;
  /** How much later the other is. */
  readonly gap: number;
}

function pairOfOneWindow(numbers: SeededNumbers): Pair {
  const windowMs = numbers.below(4) === 0 ? 1 + numbers.below(86_400_000) : numbers.pick(windows);
  const gap = gapNear(windowMs, numbers);
  const occurredAt = from2000 + numbers.below(centuryMs);
  return { one: { occurredAt, windowMs }, other: { occurredAt: occurredAt + gap, windowMs }, gap };
}

function pairOfTwoWindows(numbers: SeededNumbers): Pair {
  const earlierMs = numbers.pick(windows);
  const laterMs = numbers.pick(windows);
  const gap = Math.abs(gapNear(numbers.below(2) === 0 ? earlierMs : laterMs, numbers));
  const occurredAt = from2000 + numbers.below(centuryMs);
  return { one: { occurredAt, windowMs: earlierMs }, other: { occurredAt: occurredAt + gap, windowMs: laterMs }, gap };
}

function expectBothWays({ one, other, gap }: Pair, same: boolean): void {
  if (samePhysicalScan(one, other) === same && samePhysicalScan(other, one) === same) return;
  throw new Error(`${JSON.stringify(one)} and, ${gap} ms later, ${JSON.stringify(other)} are not, both ways: ${same}.`);
}

describe('the window', () => {
  it('is symmetric and half-open in four million pairs', () => {
    withSeed((numbers) => {
      let same = 0;
      let edges = 0;
      for (let count = 0; count < 4_000_000; count += 1) {
        const pair = pairOfOneWindow(numbers);
        const distance = Math.abs(pair.gap) - pair.one.windowMs;
        expectBothWays(pair, distance < 0);
        same += Number(distance < 0);
        edges += Number(distance === 0);
      }
      expect(same).toBeGreaterThan(1_000_000);
      expect(edges).toBeGreaterThan(100_000);
    });
  });

  it('is the one of the earlier scan where two classes meet, in two million pairs', () => {
    withSeed((numbers) => {
      for (let count = 0; count < 2_000_000; count += 1) {
        const pair = pairOfTwoWindows(numbers);
        expectBothWays(pair, pair.gap < pair.one.windowMs);
      }
    });
  });

  const anyInstant = fc.integer({ min: from2000, max: from2000 + centuryMs });
  const anyWindow = fc.integer({ min: 1, max: 86_400_000 });

  it('ends at the first instant that is a new scan', () => {
    fc.assert(
      fc.property(anyInstant, anyWindow, (occurredAt, windowMs) => {
        const anchor = { occurredAt, windowMs };
        const end = windowEndsAt(anchor);

        expect(end - occurredAt).toBe(windowMs);
        expect(samePhysicalScan(anchor, { occurredAt: end - 1, windowMs })).toBe(true);
        expect(samePhysicalScan(anchor, { occurredAt: end, windowMs })).toBe(false);
        expect(samePhysicalScan(anchor, { occurredAt: occurredAt - windowMs + 1, windowMs })).toBe(true);
        expect(samePhysicalScan(anchor, { occurredAt: occurredAt - windowMs, windowMs })).toBe(false);
      }),
    );
  });

  it('is moved by nothing but its own scan: the same at every time', () => {
    fc.assert(
      fc.property(
        anyInstant,
        anyInstant,
        anyWindow,
        fc.integer({ min: -200_000, max: 200_000 }),
        (at, elsewhere, windowMs, gap) => {
          const sameAt = (start: number) =>
            samePhysicalScan({ occurredAt: start, windowMs }, { occurredAt: start + gap, windowMs });

          expect(sameAt(elsewhere)).toBe(sameAt(at));
        },
      ),
    );
  });

  it('is anchored at the committed scan: a steady repeat is committed once a window, however long it goes on', () => {
    fc.assert(
      fc.property(
        anyInstant,
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 200 }),
        (start, windowMs, stepMs, repeats) => {
          let committed = { occurredAt: start, windowMs };
          const lines = [start];
          for (let repeat = 1; repeat < repeats; repeat += 1) {
            const scan = { occurredAt: start + repeat * stepMs, windowMs };
            if (samePhysicalScan(committed, scan)) continue;
            committed = scan;
            lines.push(scan.occurredAt);
          }
          const repeatsInWindow = Math.ceil(windowMs / stepMs);

          expect(lines).toHaveLength(Math.ceil(repeats / repeatsInWindow));
          expect(lines).toEqual(lines.map((_, line) => start + line * repeatsInWindow * stepMs));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('the gap', () => {
  it('is the same both ways, and below the window exactly for one physical scan', () => {
    fc.assert(
      fc.property(anyGapCase(), ({ one, other }) => {
        expect(gapMs(one, other)).toBe(gapMs(other, one));
        expect(gapMs(one, other) < one.windowMs).toBe(samePhysicalScan(one, other));
      }),
      { numRuns: 2_000 },
    );
  });
});

function anyGapCase() {
  return fc
    .tuple(
      fc.integer({ min: from2000, max: from2000 + centuryMs }),
      fc.integer({ min: -6_000, max: 6_000 }),
      fc.integer({ min: 1, max: 6_000 }),
    )
    .map(([occurredAt, gap, windowMs]) => ({ one: { occurredAt, windowMs }, other: { occurredAt: occurredAt + gap, windowMs } }));
}

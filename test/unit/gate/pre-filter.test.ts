import { describe, expect, test } from 'vitest';
import { PreFilter, type PreFilterSize } from '../../../src/gate/pre-filter.ts';
import { fixedClock, type SeededNumbers, withSeed } from '../../support/scans.ts';

const rememberMs = 3_500;

function filterOf(size: Partial<PreFilterSize> = {}) {
  const clock = fixedClock();
  return { clock, filter: new PreFilter({ scansPerS: 1_000, rememberMs, ...size }, clock) };
}

/** A digest as good as any, as far as the filter reads it. */
function digest(numbers: SeededNumbers): string {
  const part = () =>
    numbers
      .below(2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return (part() + part()).padEnd(64, '0');
}

// `printf a | sha256sum`, and of b.
const contentA = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';
const contentB = '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d';

describe('a content', () => {
  test('is new once, and seen from then on', () => {
    const { filter } = filterOf();
    expect([filter.ask(contentA), filter.ask(contentB), filter.ask(contentA)]).toEqual(['new', 'new', 'seen']);
  });

  test('is new again to a filter that was started anew', () => {
    filterOf().filter.ask(contentA);
    expect(filterOf().filter.ask(contentA)).toBe('new');
  });

  test('is told from others by its digest alone, also where its parts are zero', () => {
    const { filter } = filterOf();
    expect([filter.ask('0'.repeat(64)), filter.ask('f'.repeat(64)), filter.ask('0'.repeat(64))]).toEqual(['new', 'new', 'seen']);
  });

  test.each([0, 1, 1_749, 1_750, 1_751, 3_499, 3_500])('is remembered %i ms later, wherever a generation ends', (laterMs) => {
    for (let startMs = 0; startMs <= 1_750; startMs += 125) {
      const { filter, clock } = filterOf();
      clock.advance(startMs);
      filter.ask(contentA);
      clock.advance(laterMs);
      expect(filter.ask(contentA)).toBe('seen');
    }
  });

  test.each([5_250, 5_251, 100_000, 9_000_000_000])('is forgotten %i ms later, wherever a generation ends', (laterMs) => {
    for (let startMs = 0; startMs <= 1_750; startMs += 125) {
      const { filter, clock } = filterOf();
      clock.advance(startMs);
      filter.ask(contentA);
      clock.advance(laterMs);
      expect(filter.ask(contentA)).toBe('new');
    }
  });

  test('that is asked for again and again is remembered from the last time on', () => {
    const { filter, clock } = filterOf();
    const told = Array.from({ length: 10 }, () => {
      clock.advance(3_000);
      return filter.ask(contentA);
    });
    expect(told).toEqual(['new', ...Array(9).fill('seen')]);
  });

  test('is not forgotten while others come and generations go, at random times', () => {
    withSeed((numbers) => {
      const { filter, clock } = filterOf({ scansPerS: 100 });
      const asked: { content: string; at: number }[] = [];
      let checked = 0;
      for (let count = 0; count < 3_000; count += 1) {
        clock.advance(numbers.below(20));
        const content = digest(numbers);
        filter.ask(content);
        asked.push({ content, at: clock.nowMs() });
        const old = asked[numbers.below(asked.length)];
        if (old === undefined || clock.nowMs() - old.at > rememberMs) continue;
        checked += 1;
        if (filter.ask(old.content) !== 'seen') throw new Error(`Forgotten after ${clock.nowMs() - old.at} ms.`);
      }
      expect(checked).toBeGreaterThan(100);
    });
  });
});

describe('a clock', () => {
  test('that is set back makes it remember for longer, and not for ever', () => {
    const { filter, clock } = filterOf();
    filter.ask(contentA);
    clock.advance(-86_400_000);
    expect(filter.ask(contentA)).toBe('seen');
    clock.advance(5_250);
    expect(filter.ask(contentA)).toBe('new');
  });
});

describe('new contents', () => {
  /** The share of new contents that were taken for seen, at a steady rate over many generations. */
  function falsePositives(numbers: SeededNumbers, scansPerS: number, arrivingPerS: number): number {
    const { filter, clock } = filterOf({ scansPerS });
    const total = 20_000;
    let wrong = 0;
    for (let count = 0; count < total; count += 1) {
      if (count % (arrivingPerS / 100) === 0) clock.advance(10);
      wrong += Number(filter.ask(digest(numbers)) === 'seen');
    }
    return wrong / total;
  }

  test('are taken for seen in at most one of a hundred, at the rate that the filter is made for', () => {
    withSeed((numbers) => {
      const wrong = falsePositives(numbers, 1_000, 1_000);
      // Five standard deviations of one per cent of 20 000 are 0.35 %.
      expect(wrong).toBeLessThan(0.0135);
      expect(wrong).toBeGreaterThan(0);
    });
  });

  test('are taken for seen more and more often when more arrive, and never crowd out what is remembered', () => {
    withSeed((numbers) => {
      expect(falsePositives(numbers, 100, 4_000)).toBeGreaterThan(0.5);
    });
  });
});

describe('the size', () => {
  test.each<[Partial<PreFilterSize>, number]>([
    // By the usual formula: 1000/s × 1.75 s × ln(300) / ln(2)² bits are 20 776; three generations of 650 words of 32 bits.
    [{}, 7_800],
    [{ scansPerS: 10_000 }, 77_916],
    [{ scansPerS: 10_000, rememberMs: 7_000 }, 155_820],
    [{ scansPerS: 1, rememberMs: 1 }, 24],
  ])('%j takes %i bytes', (size, bytes) => {
    expect(filterOf(size).filter.bytes).toBe(bytes);
  });

  test('grows when fewer errors are wanted', () => {
    expect(filterOf({ falsePositives: 0.0001 }).filter.bytes).toBeGreaterThan(filterOf().filter.bytes);
  });

  test('of more than 64 MiB is refused', () => {
    expect(() => filterOf({ rememberMs: 86_400_000 })).toThrow(
      'The pre-filter needs 184 MiB for this rate and window, and may have 64.',
    );
  });

  test.each<Partial<PreFilterSize>>([
    { scansPerS: 0 },
    { scansPerS: Number.NaN },
    { rememberMs: 0 },
    { rememberMs: -1 },
    { falsePositives: 0 },
    { falsePositives: 1 },
    { rememberMs: Number.POSITIVE_INFINITY },
  ])('%j is refused', (size) => {
    expect(() => filterOf(size)).toThrow(RangeError);
  });
});

import { describe, expect, it } from 'vitest';
import { randomOf } from '../../../src/testing/workload/random.ts';

const drawn = (seed: number, name: string): number[] => {
  const random = randomOf(seed, name);
  return Array.from({ length: 8 }, () => random.below(1_000_000));
};

describe('chance that can be repeated', () => {
  it('draws the same for one seed and one name, whatever else was drawn', () => {
    const first = drawn(7, 's17');
    drawn(7, 's16');
    expect(drawn(7, 's17')).toEqual(first);
  });

  it('draws something else for every near seed and every near name', () => {
    const draws = [0, 1, 2, 3, 114, 115].flatMap((seed) =>
      ['s1', 's2', 'r1', 's17', 's18', ''].map((name) => drawn(seed, name)[0]),
    );
    expect(new Set(draws).size).toBe(36);
  });

  it('draws every number of a range, about equally often', () => {
    const counts = [0, 0, 0, 0, 0];
    for (let name = 0; name < 5_000; name += 1) {
      const at = randomOf(3, `s${name}`).between(0, 4);
      counts[at] = (counts[at] ?? 0) + 1;
    }
    // 1000 each; the standard deviation is 28.
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(170);
  });
});

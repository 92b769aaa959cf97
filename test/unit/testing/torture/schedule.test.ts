import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../../../../src/testing/torture/fault.ts';
import { faultKinds } from '../../../../src/testing/torture/faults.ts';
import { scheduleOf } from '../../../../src/testing/torture/schedule.ts';

const kinds: readonly FaultKind[] = ['a', 'b', 'c'].map((name) => ({
  name,
  place: 'worker',
  lastsMs: [100, 200],
  inject: () => Promise.reject(new Error('Not here.')),
}));

const minute = { withinMs: 60_000, perMinute: 40 };

describe('a schedule of faults', () => {
  it('is the same for a seed, and another for another', () => {
    const names = (seed: number) => scheduleOf({ seed, kinds, ...minute }).map(({ at, kind }) => `${at} ${kind.name}`);
    expect(names(7)).toEqual(names(7));
    expect(names(7)).not.toEqual(names(8));
  });

  it.each([1, 2, 3, 4, 5])('holds about as many as are wanted, in order, each as long as its kind lasts: seed %i', (seed) => {
    const schedule = scheduleOf({ seed, kinds, withinMs: 600_000, perMinute: 40 });
    expect(Math.abs(schedule.length - 400)).toBeLessThan(40);
    expect(schedule.map(({ at }) => at)).toEqual(schedule.map(({ at }) => at).sort((a, b) => a - b));
    expect(schedule.every(({ lastsMs }) => lastsMs >= 100 && lastsMs <= 200)).toBe(true);
    expect(schedule.every(({ at }) => at >= 0 && at < 600_000)).toBe(true);
  });

  it('brings every kind once before any comes again', () => {
    const schedule = scheduleOf({ seed: 3, kinds, ...minute });
    const rounds = Array.from({ length: 10 }, (_, round) =>
      schedule.slice(round * 3, round * 3 + 3).map(({ kind }) => kind.name),
    );
    expect(rounds.map((names) => names.sort())).toEqual(Array(10).fill(['a', 'b', 'c']));
  });

  it('is empty where no faults are wanted', () => {
    expect(scheduleOf({ seed: 1, kinds, withinMs: 60_000, perMinute: 0 })).toEqual([]);
  });
});

it('there are at least forty kinds of faults, no two of one name, and at every place some', () => {
  expect(faultKinds.length).toBeGreaterThanOrEqual(40);
  expect(new Set(faultKinds.map(({ name }) => name)).size).toBe(faultKinds.length);
  const places = [...new Set(faultKinds.map(({ place }) => place))].sort();
  expect(places).toEqual(['http link', 'postgres', 'postgres link', 'redis', 'redis link', 'worker']);
});

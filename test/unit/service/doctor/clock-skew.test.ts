import { expect, it } from 'vitest';
import { measureSkew, skewFinding } from '../../../../src/service/doctor/clock-skew.ts';

/** A clock that each reading moves on by the next of these. */
function readings(...times: readonly number[]): () => number {
  const left = [...times];
  return () => left.shift() ?? Number.NaN;
}

it('halves the round trip, and takes the best of three', async () => {
  const theirs = [1_000, 2_520, 4_000];
  const skew = await measureSkew(readings(0, 400, 1_000, 1_040, 2_000, 3_000), async () => theirs.shift());
  expect(skew).toEqual({ skewMs: 1_500, errorMs: 20 });
});

it('says nothing of a clock that is not told', async () => {
  expect(await measureSkew(readings(0, 1), async () => undefined)).toBeUndefined();
});

it.each([
  [0, 'ok', 'Its clock is as ours, give or take 20 ms.'],
  [1_020, 'ok', 'Its clock is 1020 ms ahead of ours, give or take 20 ms.'],
  [-1_021, 'warning', 'Its clock is 1021 ms behind ours, give or take 20 ms.'],
  [60_020, 'warning', 'Its clock is 60020 ms ahead of ours, give or take 20 ms.'],
  [
    60_021,
    'warning',
    'Its clock is 60021 ms ahead of ours, give or take 20 ms. That is no drift, one of the two is set wrong: a captured_at more than 120000 ms ahead of this machine is not believed.',
  ],
] as const)(
  'warns of a clock that is certainly more than a second away, and in other words of a minute: %d',
  (skewMs, level, found) => {
    expect(skewFinding('redis-clock', 'a:1', { skewMs, errorMs: 20 }, 120_000)).toMatchObject({ level, found });
  },
);

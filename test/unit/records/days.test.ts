import { expect, test } from 'vitest';
import { Days } from '../../../src/records/days.ts';

const at = (text: string): number => Date.parse(text);

test.each([
  ['UTC', '2026-03-05T23:59:59.999Z', '2026-03-05'],
  ['UTC', '2026-03-06T00:00:00Z', '2026-03-06'],
  ['America/New_York', '2026-03-06T04:59:59Z', '2026-03-05'],
  ['America/New_York', '2026-03-06T05:00:00Z', '2026-03-06'],
  ['America/New_York', '2026-07-06T04:00:00Z', '2026-07-06'],
  ['Asia/Kathmandu', '2026-03-05T18:14:59Z', '2026-03-05'],
  ['Asia/Kathmandu', '2026-03-05T18:15:00Z', '2026-03-06'],
])('in %s, %s is on the %s', (zone, instant, day) => {
  const days = new Days(zone);
  expect([days.of(at(instant)), days.of(at(instant))]).toEqual([day, day]);
});

test.each([
  ['UTC', '2026-03-05T12:00:00+00:00'],
  ['America/New_York', '2026-03-05T12:00:00-05:00'],
  ['Pacific/Kiritimati', '2026-03-05T12:00:00+14:00'],
])('noon of a day in %s is %s, which is on that day', (zone, noon) => {
  const days = new Days(zone);
  expect([days.noonOf('2026-03-05'), days.of(at(noon))]).toEqual([noon, '2026-03-05']);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCalendarDate } from '../../src/scan/calendar-date.ts';
import { parseInstant } from '../../src/scan/instant.ts';
import { defaultTimeRules, occurredAtOf } from '../../src/scan/occurred-at.ts';
import { withSeed } from '../support/scans.ts';

const year1Ms = -62_135_596_800_000;
const year10000Ms = 253_402_300_800_000;

/** RFC 3339, by the calendar of the engine. */
function rfc3339(epochMs: number, offsetMinutes: number, separator: string, colon: string): string {
  const local = new Date(epochMs + offsetMinutes * 60_000).toISOString().slice(0, -1).replace('T', separator);
  const hours = String(Math.floor(Math.abs(offsetMinutes) / 60)).padStart(2, '0');
  const minutes = String(Math.abs(offsetMinutes) % 60).padStart(2, '0');
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${hours}${colon}${minutes}`;
}

function rfc3339Date(year: number, month: number, day: number): string {
  return [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}

function instantOf(raw: string | number): number {
  const result = parseInstant('captured_at', raw);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe('parseInstant', () => {
  it('gives one instant for it in any offset, 200,000 times between the years 1 and 9999', () => {
    withSeed((numbers) => {
      const day = 86_400_000;
      for (let run = 0; run < 200_000; run += 1) {
        const epochMs = year1Ms + day + numbers.below(year10000Ms - year1Ms - 2 * day);
        const offsetMinutes = numbers.below(2 * 18 * 60 + 1) - 18 * 60;
        const text = rfc3339(epochMs, offsetMinutes, numbers.pick(['T', 't', ' ']), numbers.pick([':', '']));
        if (instantOf(text) !== epochMs) throw new Error(`${text} became ${instantOf(text)}, not ${epochMs}.`);
      }
    });
  });

  it('gives one instant for it in every unit of a count', () => {
    const thisAge = fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 });
    fc.assert(
      fc.property(thisAge, fc.integer({ min: 0, max: 999_999 }), (epochMs, below) => {
        const nanoseconds = String(1_000_000 + below).slice(1);
        const seconds = String(epochMs).replace(/(\d{3})$/, '.$1');

        expect(instantOf(epochMs)).toBe(epochMs);
        expect(instantOf(String(epochMs))).toBe(epochMs);
        expect(instantOf(seconds)).toBe(epochMs);
        expect(instantOf(Number(seconds))).toBe(epochMs);
        expect(instantOf(`${epochMs}${nanoseconds.slice(0, 3)}`)).toBe(epochMs);
        expect(instantOf(`${epochMs}${nanoseconds}`)).toBe(epochMs);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives whole milliseconds, NaN or a refusal with a sentence for any text', () => {
    const near = fc.string({ unit: fc.constantFrom(...'0123456789-:.TZ+ NaN'), maxLength: 30 });
    fc.assert(
      fc.property(fc.oneof(near, fc.string({ unit: 'binary' })), (text) => {
        const result = parseInstant('captured_at', text);
        if (result.ok) expect(Number.isInteger(result.value) || Number.isNaN(result.value)).toBe(true);
        else
          expect(result.error).toMatchObject({ field: 'captured_at', message: expect.stringMatching(/^captured_at is .*\.$/) });
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('isCalendarDate', () => {
  const months = Array.from({ length: 14 }, (_, month) => month);
  const daysOfMonths = months.flatMap((month) => Array.from({ length: 33 }, (_, day) => [month, day] as const));

  it('agrees with the calendar of the engine on every day of 800 years, and on every day that is none', () => {
    let days = 0;
    for (let year = 1_600; year < 2_400; year += 1) {
      for (const [month, day] of daysOfMonths) {
        const real = new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(rfc3339Date(year, month, day));
        if (isCalendarDate(year, month, day) !== real) throw new Error(`${year}-${month}-${day} is not ${real}.`);
        days += Number(real);
      }
    }
    // Two cycles of the Gregorian calendar.
    expect(days).toBe(2 * 146_097);
  });
});

describe('occurredAtOf', () => {
  const receivedAt = 1_772_719_509_000;
  const anyDeviceTime = fc.oneof(
    fc.integer({ min: receivedAt - 40 * 86_400_000, max: receivedAt + 300_000 }),
    fc.integer({ min: -4_000_000_000_000, max: 4_000_000_000_000 }),
    fc.constant(Number.NaN),
  );

  it('is never more than 31 days before, nor 2 min after the receipt, whatever a device says', () => {
    fc.assert(
      fc.property(fc.option(anyDeviceTime), fc.option(anyDeviceTime), (capturedAt, sentAt) => {
        const { occurredAt, basis, flags } = occurredAtOf(
          { receivedAt, ...(capturedAt !== null && { capturedAt }), ...(sentAt !== null && { sentAt }) },
          defaultTimeRules,
        );

        expect(occurredAt).toBeGreaterThanOrEqual(receivedAt - 2_678_400_000);
        expect(occurredAt).toBeLessThanOrEqual(receivedAt + 120_000);
        expect(flags.includes('late')).toBe(occurredAt < receivedAt - 60_000);
        if (basis === 'receipt') expect(occurredAt).toBe(receivedAt);
        if (occurredAt !== capturedAt) expect(flags.includes('clock_suspect')).toBe(capturedAt !== null);
      }),
      { numRuns: 5_000 },
    );
  });

  it('keeps the order and the distances of one device, whatever the network adds', () => {
    const anyDelay = fc.integer({ min: 0, max: 86_400_000 });
    fc.assert(
      fc.property(anyDelay, anyDelay, fc.integer({ min: 0, max: 86_400_000 }), (firstDelay, secondDelay, gap) => {
        const [first, second] = [
          { capturedAt: receivedAt, receivedAt: receivedAt + firstDelay },
          { capturedAt: receivedAt + gap, receivedAt: receivedAt + gap + secondDelay },
        ].map((times) => occurredAtOf(times, defaultTimeRules).occurredAt) as [number, number];

        expect(second - first).toBe(gap);
      }),
    );
  });
});

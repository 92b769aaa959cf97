import { describe, expect, it } from 'vitest';
import { type DeviceTimes, defaultTimeRules, occurredAtOf } from '../../../src/scan/occurred-at.ts';

// 2026-03-05T14:05:09Z. All other times are written as distances from it, or as literals of `date +%s`.
const receivedAt = 1_772_719_509_000;
const second = 1_000;
const minute = 60_000;
const day = 86_400_000;
const capturedIn2036 = 2_085_978_496_000;

function occurred(times: Omit<DeviceTimes, 'receivedAt'>, rules = defaultTimeRules) {
  return occurredAtOf({ ...times, receivedAt }, rules);
}

describe('a time that the device claims and that can be right', () => {
  it('is the time of the scan, as it is', () => {
    expect(occurred({ capturedAt: receivedAt - 1_234 })).toEqual({
      occurredAt: receivedAt - 1_234,
      basis: 'device',
      flags: [],
    });
  });

  it('is not moved by when it was sent or received', () => {
    const capturedAt = receivedAt - 7 * second;

    expect(occurred({ capturedAt, sentAt: capturedAt + 5 * second }).occurredAt).toBe(capturedAt);
    expect(occurred({ capturedAt, sentAt: Number.NaN }).occurredAt).toBe(capturedAt);
    expect(occurredAtOf({ capturedAt, receivedAt: receivedAt + day }, defaultTimeRules).occurredAt).toBe(capturedAt);
  });

  it('is not late at exactly 60 s, and late 1 ms after', () => {
    expect(occurred({ capturedAt: receivedAt - minute }).flags).toEqual([]);
    expect(occurred({ capturedAt: receivedAt - minute - 1 }).flags).toEqual(['late']);
  });

  it('is believed at exactly 5 s ahead, and suspect 1 ms after', () => {
    expect(occurred({ capturedAt: receivedAt + 5 * second }).flags).toEqual([]);
    expect(occurred({ capturedAt: receivedAt + 5 * second + 1 }).flags).toEqual(['clock_suspect']);
  });

  it('is kept at exactly 2 min ahead, and not 1 ms after', () => {
    expect(occurred({ capturedAt: receivedAt + 2 * minute })).toEqual({
      occurredAt: receivedAt + 2 * minute,
      basis: 'device',
      flags: ['clock_suspect'],
    });
    expect(occurred({ capturedAt: receivedAt + 2 * minute + 1 })).toEqual({
      occurredAt: receivedAt,
      basis: 'receipt',
      flags: ['clock_suspect'],
    });
  });

  it('is kept at exactly 31 days, and not 1 ms after', () => {
    expect(occurred({ capturedAt: receivedAt - 31 * day })).toEqual({
      occurredAt: receivedAt - 31 * day,
      basis: 'device',
      flags: ['late'],
    });
    expect(occurred({ capturedAt: receivedAt - 31 * day - 1 })).toEqual({
      occurredAt: receivedAt,
      basis: 'receipt',
      flags: ['clock_suspect'],
    });
  });

  it('has the bounds that the rules set', () => {
    const rules = { ageMsMax: day, aheadMsMax: 10 * second };

    expect(occurred({ capturedAt: receivedAt - day }, rules).basis).toBe('device');
    expect(occurred({ capturedAt: receivedAt - day - 1 }, rules).basis).toBe('receipt');
    expect(occurred({ capturedAt: receivedAt + 10 * second }, rules).basis).toBe('device');
    expect(occurred({ capturedAt: receivedAt + 10 * second + 1 }, rules).basis).toBe('receipt');
  });
});

describe('a time that an edge or a file stamped', () => {
  const rules = { ...defaultTimeRules, ageMsMax: Number.POSITIVE_INFINITY };

  it('may be years old', () => {
    expect(occurred({ capturedAt: receivedAt - 3_650 * day }, rules)).toEqual({
      occurredAt: receivedAt - 3_650 * day,
      basis: 'device',
      flags: ['late'],
    });
  });

  it('may be the first instant of 2000, and not the last of 1999', () => {
    expect(occurred({ capturedAt: 946_684_800_000 }, rules).basis).toBe('device');
    expect(occurred({ capturedAt: 946_684_799_999 }, rules)).toEqual({
      occurredAt: receivedAt,
      basis: 'receipt',
      flags: ['clock_suspect'],
    });
  });

  it('is still not believed from the future', () => {
    expect(occurred({ capturedAt: capturedIn2036 }, rules).basis).toBe('receipt');
  });

  it('is not put further back than 31 days by an age of a clock that cannot be right', () => {
    expect(occurred({ capturedAt: 0, sentAt: 31 * day }, rules).occurredAt).toBe(receivedAt - 31 * day);
    expect(occurred({ capturedAt: 0, sentAt: 31 * day + 1 }, rules).occurredAt).toBe(receivedAt);
  });
});

describe('a time that cannot be right, beside the time of sending', () => {
  it.each([
    ['1970', 0],
    ['1900', -2_208_988_800_000],
    ['2036-02-07T06:28:16Z', capturedIn2036],
    ['32 days ago', receivedAt - 32 * day],
    ['a year ahead', receivedAt + 365 * day],
  ])('gives the age of the scan: %s', (_, capturedAt) => {
    expect(occurred({ capturedAt, sentAt: capturedAt + 7 * second })).toEqual({
      occurredAt: receivedAt - 7 * second,
      basis: 'device',
      flags: ['clock_suspect'],
    });
  });

  it('gives an age of nothing', () => {
    expect(occurred({ capturedAt: 0, sentAt: 0 })).toEqual({ occurredAt: receivedAt, basis: 'device', flags: ['clock_suspect'] });
  });

  it('gives an age of more than 60 s, which is late as well', () => {
    expect(occurred({ capturedAt: 0, sentAt: minute }).flags).toEqual(['clock_suspect']);
    expect(occurred({ capturedAt: 0, sentAt: minute + 1 })).toEqual({
      occurredAt: receivedAt - minute - 1,
      basis: 'device',
      flags: ['clock_suspect', 'late'],
    });
  });

  it('gives an age of exactly 31 days, and not 1 ms more', () => {
    expect(occurred({ capturedAt: 0, sentAt: 31 * day }).occurredAt).toBe(receivedAt - 31 * day);
    expect(occurred({ capturedAt: 0, sentAt: 31 * day + 1 })).toEqual({
      occurredAt: receivedAt,
      basis: 'receipt',
      flags: ['clock_suspect'],
    });
  });

  it('gives no age of more than the rules allow', () => {
    const rules = { ...defaultTimeRules, ageMsMax: day };

    expect(occurred({ capturedAt: 0, sentAt: day }, rules).occurredAt).toBe(receivedAt - day);
    expect(occurred({ capturedAt: 0, sentAt: day + 1 }, rules).occurredAt).toBe(receivedAt);
  });

  it.each([
    ['sent before it was captured', 10 * second, 10 * second - 1],
    ['captured before the clock was set, sent after', 0, receivedAt],
    ['sent at NaN', 0, Number.NaN],
    ['captured at NaN', Number.NaN, receivedAt],
    ['both at NaN', Number.NaN, Number.NaN],
  ])('gives no age where it makes no sense: %s', (_, capturedAt, sentAt) => {
    expect(occurred({ capturedAt, sentAt })).toEqual({ occurredAt: receivedAt, basis: 'receipt', flags: ['clock_suspect'] });
  });
});

describe('a time that cannot be right, alone', () => {
  it.each([
    ['1970', 0],
    ['1900', -2_208_988_800_000],
    ['2036-02-07T06:28:16Z', capturedIn2036],
    ['the year 57813', 1_762_206_339_000_000],
    ['NaN', Number.NaN],
  ])('makes the receipt the time of the scan: %s', (_, capturedAt) => {
    expect(occurred({ capturedAt })).toEqual({ occurredAt: receivedAt, basis: 'receipt', flags: ['clock_suspect'] });
  });
});

describe('no time', () => {
  it('makes the receipt the time of the scan, without a flag', () => {
    expect(occurred({})).toEqual({ occurredAt: receivedAt, basis: 'receipt', flags: [] });
  });

  it('takes nothing from the time of sending', () => {
    expect(occurred({ sentAt: receivedAt - day })).toEqual({ occurredAt: receivedAt, basis: 'receipt', flags: [] });
  });
});

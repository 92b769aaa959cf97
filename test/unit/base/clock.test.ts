import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';

describe('systemClock', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('says the time of the machine in epoch milliseconds', () => {
    vi.setSystemTime('2026-03-05T14:05:09.250Z');

    expect(systemClock.nowMs()).toBe(1_772_719_509_250);
  });
});

import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { within } from '../../../src/base/deadline.ts';

describe('within', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('gives the value that comes in time', async () => {
    await expect(within(100, Promise.resolve('value'), 'late')).resolves.toBe('value');
  });

  it('gives `late` at the deadline, not before it', async () => {
    let answer: string | undefined;
    const waiting = within(100, new Promise<string>(() => {}), 'late').then((value) => {
      answer = value;
    });

    await vi.advanceTimersByTimeAsync(99);
    expect(answer).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(answer).toBe('late');
    await waiting;
  });

  it('passes a failure on', async () => {
    await expect(within(100, Promise.reject(new Error('disk full')), 'late')).rejects.toThrow('disk full');
  });

  it('leaves no timer behind, whether the value comes, fails or is late', async () => {
    await within(100, Promise.resolve(1), 'late');
    expect(vi.getTimerCount()).toBe(0);
    await within(100, Promise.reject(new Error('disk full')), 'late').catch(() => undefined);
    expect(vi.getTimerCount()).toBe(0);
    const late = within(100, new Promise(() => {}), 'late');
    await vi.advanceTimersByTimeAsync(100);
    await late;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('takes what arrived in time while the process was held up', async () => {
    vi.useRealTimers();
    const waiting = within(
      5,
      stat('.').then(() => 'value'),
      'late',
    );
    const heldUpUntil = performance.now() + 50;
    while (performance.now() < heldUpUntil);
    await expect(waiting).resolves.toBe('value');
  });
});

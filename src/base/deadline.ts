import { systemTimers, type Timers } from './clock.ts';

/**
 * Waits for a promise, but not for ever. What it stands for goes on; only the waiting ends.
 *
 * @returns the value, or `late` when it has not come within `withinMs`.
 */
export async function within<T, L>(
  withinMs: number,
  promise: Promise<T>,
  late: L,
  timers: Timers = systemTimers,
): Promise<T | L> {
  let cancel = (): void => undefined;
  const deadline = new Promise<L>((resolve) => {
    cancel = timers.after(withinMs, () => resolve(late));
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    cancel();
  }
}

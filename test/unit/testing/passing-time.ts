import type { Clock, Timers } from '../../../src/base/clock.ts';

export interface PassingTime {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Lets the time pass up to an instant: what was to run until then runs, in order, each with all that it sets off. */
  passUntil(at: number): Promise<void>;
}

/** Time that passes when it is told to. */
export function passingTime(startsAt: number): PassingTime {
  let now = startsAt;
  let waiting: { at: number; run: () => void }[] = [];
  const after: Timers['after'] = (ms, run) => {
    const timer = { at: now + ms, run };
    waiting.push(timer);
    return () => {
      waiting = waiting.filter((other) => other !== timer);
    };
  };
  const passUntil = async (at: number): Promise<void> => {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = waiting.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > at) break;
      waiting = waiting.filter((other) => other !== next);
      now = next.at;
      next.run();
    }
    now = at;
  };
  return { clock: { nowMs: () => now }, timers: { after }, passUntil };
}

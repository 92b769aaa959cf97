/** The gate's own clock. Epoch milliseconds, UTC. Everything that needs the time is given one. */
export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** Waiting: injected where something has a deadline, so that a simulation can let the time pass. */
export interface Timers {
  /** Runs so many ms from now, once, unless what it returns is called before. */
  after(ms: number, run: () => void): () => void;
}

/**
 * When the event loop was held up, a timer that has run out comes before the answers that have arrived meanwhile; so these are read before
 * anything is called late.
 */
export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(() => setImmediate(run), ms);
    return () => clearTimeout(timer);
  },
};

/** The gate's own clock. Epoch milliseconds, UTC. Everything that needs the time is given one. */
export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

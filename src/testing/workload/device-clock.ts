/** The clock of a device: by how much it differs from the true one, and when it is set. Plain data. */
export interface DeviceClock {
  /** What it adds to the true time. */
  readonly offsetMs: number;
  /** What it adds from an instant of the true clock on, in order. */
  readonly steps: readonly ClockStep[];
}

export interface ClockStep {
  readonly at: number;
  readonly offsetMs: number;
}

export function offsetAt({ offsetMs, steps }: DeviceClock, trueMs: number): number {
  let offset = offsetMs;
  for (const step of steps) {
    if (step.at > trueMs) break;
    offset = step.offsetMs;
  }
  return offset;
}

/** What the device says the time is, epoch ms. */
export function deviceTime(clock: DeviceClock, trueMs: number): number {
  return trueMs + offsetAt(clock, trueMs);
}

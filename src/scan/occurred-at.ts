/**
 * When a scan happened: the one place where a device's clock is believed or not.
 *
 * In: the device's claim (`capturedAt`, `sentAt`), our receipt (`receivedAt`, the gate's clock). Out: `occurredAt`, which is
 * computed once and travels with the scan, and what is to be flagged. All in epoch milliseconds, UTC. It never refuses: a
 * device with a broken clock has dispensed nevertheless.
 */
export interface TimeRules {
  /** How long ago a scan may have been captured. `Infinity` for what an edge or a file stamped. */
  readonly ageMsMax: number;
  /** How far ahead of the gate's clock a device's may be. */
  readonly aheadMsMax: number;
}

const dayMs = 86_400_000;

export const defaultTimeRules: TimeRules = { ageMsMax: 31 * dayMs, aheadMsMax: 120_000 };

/** 2000-01-01. No scan is older, whatever its source: before it lies every clock that was never set. */
const earliestMs = 946_684_800_000;

const suspectAheadMs = 5_000;
const lateMs = 60_000;

export interface DeviceTimes {
  readonly capturedAt?: number | undefined;
  readonly sentAt?: number | undefined;
  readonly receivedAt: number;
}

export interface OccurredAt {
  readonly occurredAt: number;
  /** Whose clock it is: the device's, or the gate's receipt. */
  readonly basis: 'device' | 'receipt';
  readonly flags: readonly ('clock_suspect' | 'late')[];
}

export function occurredAtOf(times: DeviceTimes, rules: TimeRules): OccurredAt {
  const { capturedAt, sentAt, receivedAt } = times;
  if (capturedAt === undefined) return { occurredAt: receivedAt, basis: 'receipt', flags: [] };
  if (isPlausible(capturedAt, receivedAt, rules)) {
    const suspect = capturedAt > receivedAt + suspectAheadMs;
    return { occurredAt: capturedAt, basis: 'device', flags: suspect ? ['clock_suspect'] : lateFlag(capturedAt, receivedAt) };
  }
  const ageMs = (sentAt ?? Number.NaN) - capturedAt;
  if (ageMs >= 0 && ageMs <= Math.min(rules.ageMsMax, defaultTimeRules.ageMsMax)) {
    const occurredAt = receivedAt - ageMs;
    return { occurredAt, basis: 'device', flags: ['clock_suspect', ...lateFlag(occurredAt, receivedAt)] };
  }
  return { occurredAt: receivedAt, basis: 'receipt', flags: ['clock_suspect'] };
}

function isPlausible(capturedAt: number, receivedAt: number, rules: TimeRules): boolean {
  const earliest = Math.max(receivedAt - rules.ageMsMax, earliestMs);
  return capturedAt >= earliest && capturedAt <= receivedAt + rules.aheadMsMax;
}

function lateFlag(occurredAt: number, receivedAt: number): 'late'[] {
  return receivedAt - occurredAt > lateMs ? ['late'] : [];
}

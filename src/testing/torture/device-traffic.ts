/**
 * Plays the traffic of a seed: each scan is made, pulled when it is time, sent by its device, and forgotten when it was heard. In: how much
 * of it, and devices that send. Out: the truth of each scan as an event, and how far it is. It keeps no scan longer than its device does.
 */
import { systemClock } from '../../base/clock.ts';
import type { HistoryWriter } from '../history.ts';
import { waited } from '../servers/until.ts';
import type { Devices } from '../workload/client.ts';
import type { Mix } from '../workload/mix.ts';
import { type PlannedScan, scansOf } from '../workload/traffic.ts';

export interface TrafficAmounts {
  readonly seed: number;
  readonly scans: number;
  readonly scansPerS: number;
  readonly windowMs: number;
  /** When the first trigger can be pulled, epoch ms of the true clock. */
  readonly startsAt: number;
  /** No device waits longer before it sends again. */
  readonly retryMsMax: number;
  readonly mix: Partial<Mix>;
}

export interface TrafficWatch {
  /** The whole of it is thought out, and goes on when its time has come. */
  planned(): void;
  pulled(): void;
  heard(): void;
  /** The last trigger was pulled. */
  allPulled(): void;
}

/** Of each scanner. */
const scansPerMinute = 12;
/** So many scans are thought out for each that is played. */
const thoughtOut = 1.5;

/** Resolves when every device has heard of all that it sent. */
export async function playTraffic(
  amounts: TrafficAmounts,
  devices: Devices,
  history: HistoryWriter,
  watch: TrafficWatch,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let pulled = 0;
  for (const scan of longerTrafficOf(amounts)) {
    if (pulled === 0) watch.planned();
    const wait = scan.truth.pulled_at - systemClock.nowMs();
    if (wait > 0) await waited(wait);
    history(scan.truth);
    watch.pulled();
    const heard: Promise<void> = devices(backingOff(scan, amounts.retryMsMax)).then(() => {
      underWay.delete(heard);
      watch.heard();
    });
    underWay.add(heard);
    pulled += 1;
    if (pulled === amounts.scans) break;
  }
  watch.allPulled();
  await Promise.all(underWay);
}

/** How long the longest offline spell of a scanner can go on after the last trigger, ms: a tenth of the traffic that was thought out. */
export function longestSpellMs({ scans, scansPerS }: Pick<TrafficAmounts, 'scans' | 'scansPerS'>): number {
  return ((scans * thoughtOut) / scansPerS / 10) * 1_000;
}

/** Scanners do not stop at the same time: of a longer traffic, as many scans as are wanted are played, for none depends on another. */
function longerTrafficOf({ seed, scans, scansPerS, windowMs, startsAt, mix }: TrafficAmounts): Iterable<PlannedScan> {
  const scanners = Math.max(8, Math.round((scansPerS * 60) / scansPerMinute));
  const facilities = Math.max(2, Math.round(scanners / 60));
  return scansOf({ seed, startsAt, windowMs, mix, scans: Math.ceil(scans * thoughtOut), scanners, facilities, scansPerMinute });
}

/**
 * A device that has heard nothing for long waits twice as long each time: a fleet of which each goes on as often as at first would, after an
 * outage, be busy with nothing but what it was sent meanwhile.
 */
function backingOff({ truth, readings }: PlannedScan, retryMsMax: number): PlannedScan {
  return {
    truth,
    readings: readings.map((reading) => ({ ...reading, retryAfterMs: doubled(reading.retryAfterMs, retryMsMax) })),
  };
}

function doubled(retryAfterMs: readonly number[], mostMs: number): number[] {
  const waits = retryAfterMs.map((ms) => Math.min(ms, mostMs));
  for (let ms = (waits.at(-1) ?? 1_000) * 2; ms < mostMs; ms *= 2) waits.push(ms);
  return [...waits, mostMs];
}

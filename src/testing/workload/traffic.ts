/**
 * Seeded, realistic scan traffic, in which every transmission knows its physical scan.
 *
 * In: a seed, how many scans, and a mix of what happens to them. Out: plain data, the same for a seed on every machine: what was pulled
 * when (the truth), and what each listener sends of it, when, and how often it misses the answer. It reads no clock and judges nothing.
 *
 * The traffic is honest: it holds nothing that could not be told apart in principle, by anybody.
 * - Every transmission carries an id, the time of its trigger by a clock that is believed, or both. Devices with neither exist only
 *   where the mix asks for `bare` ones.
 * - The time is stamped once, at the trigger: every retransmission repeats it, and everything else but its name and `sent_at`.
 * - Two listeners with two ids exist only on devices that stamp a believed time, both the same one or one a few ms later. On the latter
 *   no content is scanned twice so that those ms would decide about the window.
 * - Clocks that nobody believes exist only on devices with ids.
 * - Where the time is that of the receipt, a content is not scanned twice, unless the class of the scanner trusts ids: how far apart two
 *   receipts are says nothing of two scans.
 * - No clock is set between two scans of one content.
 */
import type { WireScan } from '../../scan/wire-schema.ts';
import type { ScanEvent } from '../history.ts';
import type { DeviceClock } from './device-clock.ts';
import { defaultMix, type Mix } from './mix.ts';
import { plannedScan } from './planned-scan.ts';
import { type Pull, pullsOf } from './pulls.ts';
import { scannersOf } from './scanners.ts';

export interface TrafficOptions {
  readonly seed: number;
  /** How many triggers are pulled. */
  readonly scans: number;
  /** When it begins, epoch ms of the true clock. */
  readonly startsAt: number;
  /** 8 when left out. */
  readonly scanners?: number;
  /** 2 when left out. */
  readonly facilities?: number;
  /** W, near which contents are scanned again; 3000 when left out. */
  readonly windowMs?: number;
  /** Of each scanner, about; 12 when left out. */
  readonly scansPerMinute?: number;
  readonly mix?: Partial<Mix>;
}

export interface Traffic {
  readonly seed: number;
  readonly windowMs: number;
  /** By `pulled_at`. Any of them can be taken out: the others stay as they are. */
  readonly scans: readonly PlannedScan[];
}

export interface PlannedScan {
  readonly truth: ScanEvent;
  /** One for each listener. */
  readonly readings: readonly Reading[];
}

/** What one listener of a device sends of one trigger. Plain data. */
export interface Reading {
  /** That of the scan, such as `s17`; of a second listener `s17b`. */
  readonly name: string;
  /** When it is first sent, epoch ms of the true clock. */
  readonly firstSendAt: number;
  readonly wire: ReadingWire;
  /** By which `sent_at` is said. */
  readonly clock: DeviceClock;
  readonly sendsSentAt: boolean;
  /** Readings of one queue are sent one after the other, each when that before it was heard; `null`: without waiting. */
  readonly queue: string | null;
  /** Over how many ways the first attempt is sent at once. */
  readonly paths: 1 | 2;
  /** The answers to so many first attempts do not reach the device. */
  readonly missedAcks: number;
  /** How long after an attempt the next one follows while nothing was heard; the last repeats. */
  readonly retryAfterMs: readonly number[];
}

/** What is the same in every transmission of a reading. */
export type ReadingWire = Omit<WireScan, 'actor' | 'sent_at'>;

export function trafficOf(options: TrafficOptions): Traffic {
  return { seed: options.seed, windowMs: options.windowMs ?? 3_000, scans: [...scansOf(options)] };
}

/** The scans of a traffic, each made when it is asked for and kept by nobody afterwards: a long one need not be in memory at once. */
export function* scansOf(options: TrafficOptions): Generator<PlannedScan, void> {
  const pulls: (Pull | undefined)[] = scannersOf(options, { ...defaultMix, ...options.mix })
    .flatMap(pullsOf)
    .sort((a, b) => a.pulledAt - b.pulledAt || a.scanner.index - b.scanner.index);
  for (const [index, pull] of pulls.entries()) {
    pulls[index] = undefined;
    if (pull !== undefined) yield plannedScan(pull, `s${index}`);
  }
}

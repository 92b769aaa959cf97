/** What the thread of the devices and the owner of a run say to each other. */
import type { TrafficAmounts } from './device-traffic.ts';
import type { WorkerAddress } from './http-sender.ts';

/** All that the thread is given. */
export interface DevicesPlan extends TrafficAmounts {
  readonly workers: readonly WorkerAddress[];
  /** Address of the module whose `answerOf` says what an answer means. */
  readonly answers: string;
}

/** How far the devices are. */
export interface DeviceCounts {
  /** Scans: pulled, and heard by all of their listeners. Probes are not among them. */
  readonly pulled: number;
  readonly heard: number;
  readonly transmissions: number;
  readonly unanswered: number;
}

export type FromDevices =
  /** Events of the history as lines, in order. None is said twice. */
  | { readonly kind: 'events'; readonly lines: string; readonly events: number; readonly counts: DeviceCounts }
  | { readonly kind: 'planned' | 'all pulled' | 'all heard' }
  | { readonly kind: 'probe heard'; readonly number: number }
  /** The last message: all of its events have been said. */
  | { readonly kind: 'ended'; readonly events: number };

export type ToDevices = { readonly kind: 'probe'; readonly number: number } | { readonly kind: 'end' };

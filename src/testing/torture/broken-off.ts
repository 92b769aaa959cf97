/** A run that could not be played to its end: why, and how far it was. The first thing that went wrong is the cause; what followed is not told. */
import { messageOf } from '../../base/message-of.ts';
import type { DeviceCounts } from './device-message.ts';

export interface KnownSoFar {
  readonly counts: DeviceCounts;
  /** How often each kind was really injected. */
  readonly faults: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
  /** Where what had happened can be read, as far as it was written; cut off. */
  readonly history: string;
}

export class BrokenOff extends Error {
  readonly known: KnownSoFar;

  constructor(cause: unknown, known: KnownSoFar) {
    super(messageOf(cause), { cause });
    this.name = 'BrokenOff';
    this.known = known;
  }
}

/**
 * How a run goes on: a line every half a minute, and how much memory its own process took and how late its event loop was at most. What
 * is late there is late on every link. It stops with the lifetime of the run.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Lifetime } from '../servers/lifetime.ts';
import type { DeviceCounts } from './device-message.ts';

const lineMs = 30_000;
const lookMs = 1_000;
/** How often the loop is looked at. Such a wait is no lag. */
const resolutionMs = 10;

export class Progress {
  #bytesMost = 0;
  #lagMsMost = 0;
  readonly #delay = monitorEventLoopDelay({ resolution: resolutionMs });

  constructor(lifetime: Lifetime, counts: () => DeviceCounts, print: (line: string) => void) {
    this.#delay.enable();
    const looks = setInterval(() => {
      this.#bytesMost = Math.max(this.#bytesMost, process.memoryUsage.rss());
    }, lookMs);
    const lines = setInterval(() => print(this.#line(counts())), lineMs);
    lifetime.onEnd(() => {
      clearInterval(looks);
      clearInterval(lines);
      this.#delay.disable();
    });
  }

  most(): { readonly ownBytesMost: number; readonly loopLagMsMost: number } {
    this.#lagMs();
    return { ownBytesMost: this.#bytesMost, loopLagMsMost: this.#lagMsMost };
  }

  #line({ pulled, heard, transmissions }: DeviceCounts): string {
    const bytes = process.memoryUsage.rss();
    return `${pulled} scans sent, ${heard} heard, ${pulled - heard} in flight; ${transmissions} transmissions; this process takes ${Math.round(bytes / 1e6)} MB, its event loop was ${this.#lagMs()} ms late at most`;
  }

  /** Since it was last asked. */
  #lagMs(): number {
    const lagMs = Math.max(0, Math.round(this.#delay.max / 1e6 - resolutionMs));
    this.#delay.reset();
    this.#lagMsMost = Math.max(this.#lagMsMost, lagMs);
    return lagMs;
  }
}

/**
 * One process for the seeds of many simulators, which keeps what they have in common compiled. It yields to what runs beside it, as the
 * command does here: whoever waits for time there must not wait for this.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SimulationOptions } from '../../src/testing/simulator/simulate.ts';

export interface Seeds extends Omit<SimulationOptions, 'seed' | 'without'> {
  /** The file that has `simulate`. */
  readonly simulator: string;
  readonly firstSeed: number;
  readonly seeds: number;
}

/** The first seed that is not sound; nothing where all are. */
interface Unsound {
  readonly seed?: number;
  readonly kinds?: readonly string[];
}

export class SeedsProcess {
  readonly #child: ChildProcess;
  readonly #died: Promise<never>;

  constructor() {
    const script = join(import.meta.dirname, 'simulate-seeds.js');
    this.#child = spawn('nice', ['-n', '10', process.execPath, script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#died = once(this.#child, 'exit').then((end) => {
      throw new Error(`The process of the simulations ended: ${end.join(' ')}.`);
    });
    this.#died.catch(() => undefined);
  }

  /** One call at a time. */
  async firstUnsound(seeds: Seeds): Promise<Unsound> {
    const answered = once(this.#child, 'message') as Promise<[Unsound & { readonly error?: string }]>;
    this.#child.send(seeds);
    const [{ error, ...unsound }] = await Promise.race([answered, this.#died]);
    if (error !== undefined) throw new Error(error);
    return unsound;
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }
}

/**
 * The devices of a run, for its owner: they live in a thread, and what they did comes back as lines of the history. Whatever ends the thread
 * before it was told to end is said once, in `failed`, and so is a history that cannot be written.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../base/message-of.ts';
import { packageFolder } from '../../base/package-folder.ts';
import type { HistoryFile } from '../checker/write-history.ts';
import type { Lifetime } from '../servers/lifetime.ts';
import type { DeviceCounts, DevicesPlan, FromDevices, ToDevices } from './device-message.ts';

const threadModule = join(packageFolder, 'dist/testing/torture/device-thread.js');

export class Devices {
  counts: DeviceCounts = { pulled: 0, heard: 0, transmissions: 0, unanswered: 0 };
  /** Never resolves. */
  readonly failed: Promise<never>;
  readonly #thread: Worker;
  readonly #history: HistoryFile;
  readonly #waiting = new Map<string, () => void>();
  readonly #said = new Set<string>();
  #events = 0;
  #fail: (error: unknown) => void = () => undefined;
  #hasEnded = false;

  constructor(lifetime: Lifetime, history: HistoryFile, plan: DevicesPlan) {
    this.#history = history;
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    // Whoever plays the run hears of it; that nobody does at this moment is no error of its own.
    this.failed.catch(() => undefined);
    this.#thread = new Worker(threadModule, { workerData: plan });
    this.#thread.on('message', (message: FromDevices) => this.#take(message));
    this.#thread.on('error', (error) => this.#fail(new Error(`The devices have failed: ${messageOf(error)}`, { cause: error })));
    this.#thread.on('exit', () => {
      if (!this.#hasEnded) this.#fail(new Error('The thread of the devices has ended by itself.'));
    });
    lifetime.onEnd(async () => {
      this.#hasEnded = true;
      await this.#thread.terminate();
    });
  }

  planned(): Promise<void> {
    return this.#hearing('planned');
  }

  /** The last trigger was pulled. */
  allPulled(): Promise<void> {
    return this.#hearing('all pulled');
  }

  /** Every device has heard of all that it sent. */
  allHeard(): Promise<void> {
    return this.#hearing('all heard');
  }

  /** One more scan, of a device that works; resolves when it was heard. @param number that no other probe has. */
  probe(number: number): Promise<void> {
    this.#ask({ kind: 'probe', number });
    return this.#hearing(`probe ${number} heard`);
  }

  /** Nothing is sent any more, and all that was is in the history. @throws when events of it are missing. */
  async end(): Promise<void> {
    this.#ask({ kind: 'end' });
    await this.#hearing('ended');
    // Devices that still wait, for a retry or for the end of a spell, would keep it alive.
    await this.#thread.terminate();
  }

  #ask(message: ToDevices): void {
    this.#thread.postMessage(message);
  }

  #take(message: FromDevices): void {
    if (message.kind === 'events') {
      this.counts = message.counts;
      this.#events += message.events;
      try {
        this.#history.writeLines(message.lines, message.events);
      } catch (error) {
        this.#fail(error);
      }
    } else if (message.kind === 'ended' && message.events !== this.#events) {
      this.#fail(new Error(`The devices have told ${message.events} events; ${this.#events} of them came.`));
    } else {
      if (message.kind === 'ended') this.#hasEnded = true;
      this.#heard(message.kind === 'probe heard' ? `probe ${message.number} heard` : message.kind);
    }
  }

  #heard(said: string): void {
    this.#said.add(said);
    this.#waiting.get(said)?.();
  }

  #hearing(said: string): Promise<void> {
    if (this.#said.has(said)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(said, resolve));
  }
}

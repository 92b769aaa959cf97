/**
 * The time of a simulation: it stands still while anything runs, and leaps to the next thing that is due.
 *
 * In: what is to run, and when. Out: the same order for the same calls, on every machine. Instants are epoch ms with fractions, so that
 * chance, which draws the delays, also draws the order; what is due at the very same instant runs in the order in which it was asked for.
 * Nothing here waits for the time of day.
 */
import type { Clock, Timers } from '../../base/clock.ts';

interface Due {
  readonly at: number;
  readonly order: number;
  /** Nothing once it was called off. */
  run: (() => void) | undefined;
}

export class Scheduler implements Clock, Timers {
  readonly #heap: Due[] = [];
  #now: number;
  #order = 0;

  constructor(startAt: number) {
    this.#now = startAt;
  }

  /** The true time, whole ms. */
  nowMs(): number {
    return Math.floor(this.#now);
  }

  /** The true time with its fraction. */
  get now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const due: Due = { at: this.#now + Math.max(0, ms), order: this.#order, run };
    this.#order += 1;
    push(this.#heap, due);
    return () => {
      due.run = undefined;
    };
  }

  at(instant: number, run: () => void): () => void {
    return this.after(instant - this.#now, run);
  }

  /** Resolves after so many ms of this time. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /**
   * Runs what is due until nothing is, or the time is up. After each thing all promises that it resolved have run to their end.
   *
   * @returns whether nothing is left to run.
   */
  async run(untilMs: number): Promise<boolean> {
    for (;;) {
      const [next] = this.#heap;
      if (next === undefined) return true;
      if (next.at > untilMs) return false;
      pop(this.#heap);
      const { run } = next;
      if (run === undefined) continue;
      this.#now = next.at;
      run();
      await quiet();
    }
  }
}

/**
 * Resolves when every promise that can go on has gone on. Node.js takes a tick only when no microtask is left, so one tick, asked for from
 * among the microtasks, comes after all of them, however many they beget. The event loop, with its real time, is not entered.
 */
export function quiet(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}

function isBefore(a: Due, b: Due): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** A binary heap: each is before the two at twice its place. */
function push(heap: Due[], due: Due): void {
  let place = heap.length;
  while (place > 0) {
    const above = (place - 1) >> 1;
    const parent = heap[above] as Due;
    if (!isBefore(due, parent)) break;
    heap[place] = parent;
    place = above;
  }
  heap[place] = due;
}

function pop(heap: Due[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let place = 0;
  for (;;) {
    let below = 2 * place + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && isBefore(heap[below + 1] as Due, heap[below] as Due)) below += 1;
    const child = heap[below] as Due;
    if (!isBefore(child, last)) break;
    heap[place] = child;
    place = below;
  }
  heap[place] = last;
}

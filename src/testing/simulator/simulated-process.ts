/**
 * A process of a worker: it runs, is paused, and dies. Its clock is its own.
 *
 * States: alive → (paused → alive) → dead. What comes to a paused process waits; what comes to a dead one is gone, and so is all that
 * it was about to do: every port passes its calls through `call`.
 */
import type { Clock, Timers } from '../../base/clock.ts';
import type { Random } from '../workload/random.ts';
import type { Scheduler } from './scheduler.ts';
import { Turnstile } from './turnstile.ts';

export class SimulatedProcess implements Clock, Timers {
  /** Of the worker; its next process has the same. */
  readonly name: string;
  /** Of this process alone. */
  readonly id: string;
  readonly #scheduler: Scheduler;
  readonly #clock: Clock;
  readonly #diesAt: (random: Random) => boolean;
  #isAlive = true;
  readonly #turnstile: Turnstile;

  /** @param diesAt whether it dies at a call, by the chance of that call. */
  constructor(name: string, id: string, scheduler: Scheduler, clock: Clock, diesAt: (random: Random) => boolean) {
    this.name = name;
    this.id = id;
    this.#scheduler = scheduler;
    this.#clock = clock;
    this.#diesAt = diesAt;
    this.#turnstile = new Turnstile(scheduler);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  after(ms: number, run: () => void): () => void {
    return this.#scheduler.after(ms, () => this.enter(run));
  }

  /** Resolves in this process after so many ms. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /** Runs something in this process: now, or when it goes on, or never. */
  enter(run: () => void): void {
    this.#turnstile.enter(() => {
      if (this.#isAlive) run();
    });
  }

  /** Calls something outside. Now and then it is the last that the process does, or what it dies before; then no answer ever comes. */
  call<T>(random: Random, run: () => Promise<T>): Promise<T> {
    if (!this.#isAlive) return never();
    const [dies, before] = [this.#diesAt(random), random.perMille(500)];
    if (dies && before) return this.#dead();
    const answer = run();
    if (dies) {
      answer.catch(() => undefined);
      return this.#dead();
    }
    return new Promise((resolve, reject) => {
      answer.then(
        (value) => this.enter(() => resolve(value)),
        (error: unknown) => this.enter(() => reject(error)),
      );
    });
  }

  pause(ms: number): void {
    this.#turnstile.pause(ms);
  }

  die(): void {
    this.#isAlive = false;
  }

  #dead<T>(): Promise<T> {
    this.die();
    return never();
  }
}

/** A clock that is off, and by another amount after each jump. */
export class WrongClock implements Clock {
  readonly #scheduler: Scheduler;
  #offsetMs: number;

  constructor(scheduler: Scheduler, offsetMs: number) {
    this.#scheduler = scheduler;
    this.#offsetMs = offsetMs;
  }

  nowMs(): number {
    return Math.floor(this.#scheduler.now + this.#offsetMs);
  }

  jump(byMs: number): void {
    this.#offsetMs += byMs;
  }
}

/** The answer to what nobody answers. */
export function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}

/** Something that can be paused: what comes meanwhile waits, and goes on afterwards in the order in which it came. */
import type { Scheduler } from './scheduler.ts';

export class Turnstile {
  readonly #scheduler: Scheduler;
  #waiting: (() => void)[] = [];
  #pausedUntil = 0;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#scheduler.now + ms);
  }

  enter(run: () => void): void {
    if (this.#scheduler.now >= this.#pausedUntil) {
      run();
      return;
    }
    this.#waiting.push(run);
    if (this.#waiting.length === 1) this.#scheduler.at(this.#pausedUntil, () => this.#goOn());
  }

  #goOn(): void {
    if (this.#scheduler.now < this.#pausedUntil) {
      this.#scheduler.at(this.#pausedUntil, () => this.#goOn());
      return;
    }
    for (const run of this.#waiting) this.#scheduler.after(0, () => this.enter(run));
    this.#waiting = [];
  }
}

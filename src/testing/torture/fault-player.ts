/**
 * Plays a schedule of faults on the ground of a run: at most two at once, never two at one place, each made good again. What it did is in the
 * history. A fault that cannot be injected is passed over and said; one that cannot be healed ends the run.
 */
import type { Clock } from '../../base/clock.ts';
import { within } from '../../base/deadline.ts';
import { messageOf } from '../../base/message-of.ts';
import type { HistoryWriter } from '../history.ts';
import { until, waited } from '../servers/until.ts';
import { randomOf } from '../workload/random.ts';
import type { FaultPlace } from './fault.ts';
import { type Ground, groundText } from './ground.ts';
import type { PlannedFault } from './schedule.ts';

const atOnceMax = 2;
const injectMsMax = 20_000;
const healMsMax = 120_000;

export interface PlayerOptions {
  readonly seed: number;
  readonly ground: Ground;
  readonly schedule: readonly PlannedFault[];
  readonly clock: Clock;
  readonly history: HistoryWriter;
  readonly print: (line: string) => void;
}

export class FaultPlayer {
  /** How often each kind was really injected. */
  readonly injected = new Map<string, number>();
  /** Why some were not. */
  readonly passedOver: string[] = [];
  readonly #options: PlayerOptions;
  readonly #places = new Set<FaultPlace>();
  readonly #underWay = new Set<Promise<void>>();
  #failure: Error | undefined;
  #isOver = false;

  constructor(options: PlayerOptions) {
    this.#options = options;
  }

  /** Resolves when the last of them has been healed. @throws when one could not be. */
  async play(): Promise<void> {
    const begun = performance.now();
    for (const planned of this.#options.schedule) {
      await until(() => this.#isOver || this.#canBegin(planned, performance.now() - begun) || undefined, 600_000);
      if (this.#isOver) break;
      this.#begin(planned);
    }
    await Promise.all(this.#underWay);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Begins no more of them. */
  end(): void {
    this.#isOver = true;
  }

  #canBegin({ at, kind }: PlannedFault, passedMs: number): boolean {
    if (this.#failure !== undefined) throw this.#failure;
    return passedMs >= at && this.#places.size < atOnceMax && !this.#places.has(kind.place);
  }

  #begin(planned: PlannedFault): void {
    const { place } = planned.kind;
    this.#places.add(place);
    const fault = this.#play(planned)
      .catch((error: unknown) => {
        this.#failure ??= new Error(messageOf(error), { cause: error });
      })
      .finally(() => {
        this.#places.delete(place);
        this.#underWay.delete(fault);
      });
    this.#underWay.add(fault);
  }

  async #play({ number, kind, lastsMs }: PlannedFault): Promise<void> {
    const { seed, ground, clock, history, print } = this.#options;
    const at = clock.nowMs();
    const injecting = kind.inject(ground, randomOf(seed, `fault ${number}`)).catch(String);
    const injected = await within(injectMsMax, injecting, 'it took too long');
    if (typeof injected === 'string') {
      this.passedOver.push(`${kind.name}: ${injected}`);
      // What comes late is made good at once.
      void injecting.then((late) => (typeof late === 'string' ? undefined : late.heal?.()));
      return;
    }
    const { target, heal } = injected;
    this.injected.set(kind.name, (this.injected.get(kind.name) ?? 0) + 1);
    print(`fault ${number}: ${kind.name}, ${target}${heal === undefined ? '' : `, ${lastsMs} ms`}`);
    if (heal !== undefined) {
      await waited(lastsMs);
      await this.#heal(`fault ${number}, ${kind.name}, ${target}`, heal);
    }
    history({ kind: 'fault', fault: kind.name, target, at, ...(heal !== undefined && { until: clock.nowMs() }) });
  }

  async #heal(named: string, heal: () => unknown): Promise<void> {
    const failed = await within(
      healMsMax,
      Promise.resolve()
        .then(heal)
        .then(() => undefined, messageOf),
      `it took more than ${healMsMax} ms`,
    );
    if (failed === undefined || this.#isOver) return;
    throw new Error(`${named}, could not be healed: ${failed.replace(/\.?$/, '.')} ${await groundText(this.#options.ground)}`);
  }
}

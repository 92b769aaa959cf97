/**
 * The workers of a run, and the network before them.
 *
 * In: transmissions. Out: what the device hears of them, if anything. What can go wrong: the request or the answer is lost, or comes late,
 * or the request comes twice; the worker is down, is paused, or dies with it.
 */
import { sha256Hex } from '../../base/digest.ts';
import type { HistoryEvent, SentEvent } from '../history.ts';
import type { Answer, Attempt } from '../workload/client.ts';
import { randomOf } from '../workload/random.ts';
import { delayMs } from './faults.ts';
import { SimulatedProcess, WrongClock } from './simulated-process.ts';
import type { Receive, SimulatedSystem, Surroundings } from './simulated-system.ts';

const hopMs = 2;
const slowHopMs = 300;

interface Worker {
  readonly name: string;
  readonly clock: WrongClock;
  process: SimulatedProcess;
  /** Nothing while it is down. */
  receive: Receive | undefined;
  processes: number;
}

export class Workers {
  readonly #surroundings: Surroundings;
  readonly #system: SimulatedSystem;
  readonly #workers = new Map<string, Worker>();
  readonly #write: (event: HistoryEvent) => void;
  /** Whether what a scanner sends to a worker arrives in the order in which it was sent. */
  readonly #keepsOrder: boolean;
  readonly #connections = new Map<string, { count: number; arrivesAt: number }>();

  constructor(
    names: readonly string[],
    surroundings: Surroundings,
    system: SimulatedSystem,
    write: (event: HistoryEvent) => void,
  ) {
    this.#surroundings = surroundings;
    this.#system = system;
    this.#write = write;
    const settings = randomOf(surroundings.seed, 'settings of the network');
    this.#keepsOrder = settings.perMille(500);
    for (const name of names) {
      const offset = randomOf(surroundings.seed, `clock of ${name}`).pick([0, 0, 3, -400, 900]);
      const clock = new WrongClock(surroundings.scheduler, offset);
      const worker: Worker = { name, clock, process: this.#process(name, clock, 0), receive: undefined, processes: 0 };
      this.#workers.set(name, worker);
      this.#start(worker);
    }
  }

  get names(): readonly string[] {
    return [...this.#workers.keys()];
  }

  clockOf(name: string): WrongClock | undefined {
    return this.#workers.get(name)?.clock;
  }

  pause(name: string, ms: number): void {
    this.#workers.get(name)?.process.pause(ms);
  }

  /** It dies, and another process takes its place. */
  crash(name: string): void {
    const worker = this.#workers.get(name);
    if (worker?.receive !== undefined) this.#replace(worker);
  }

  /** What the device hears; never, where it hears nothing. @param sent what is said of it in the history. */
  send(attempt: Attempt, sent: SentEvent): Promise<Answer | undefined> {
    const { faults, scheduler } = this.#surroundings;
    const random = faults.of(`way of ${attempt.name}`);
    const connection = this.#connectionOf(attempt);
    connection.count += 1;
    this.#write({ ...sent, ...(this.#keepsOrder && { order: connection.count }) });
    const isLost = faults.meets('request lost', random, attempt.worker);
    const isUnheard = faults.meets('answer lost', random, attempt.worker);
    const isDoubled = faults.meets('transmission doubled', random, attempt.worker);
    const meanMs = faults.meets('network slow', random, attempt.worker) ? slowHopMs : hopMs;
    const [there, back, later] = [delayMs(random, meanMs), delayMs(random, meanMs), delayMs(random, slowHopMs)];
    if (isDoubled) this.#double(attempt, sent, later);
    if (isLost) return new Promise(() => undefined);
    const at = this.#keepsOrder ? Math.max(connection.arrivesAt, scheduler.now + there) : scheduler.now + there;
    connection.arrivesAt = at;
    return new Promise((resolve) => {
      scheduler.at(at, () =>
        this.#arrive(attempt, (answer) => {
          if (!isUnheard) scheduler.after(back, () => resolve(answer));
        }),
      );
    });
  }

  /** A copy of it arrives on its own, with a name of its own, and nobody waits for its answer. */
  #double(attempt: Attempt, sent: SentEvent, afterMs: number): void {
    const name = `${attempt.name}+`;
    const value = { ...attempt.value, actor: name };
    const item = JSON.stringify(value);
    const { scheduler } = this.#surroundings;
    const { order: _, ...event } = sent;
    this.#write({ ...event, transmission: name, sha256: sha256Hex(item) });
    scheduler.after(afterMs, () =>
      this.#arrive({ ...attempt, name, item, value }, (answer) => {
        if (answer !== undefined)
          this.#write({ kind: 'answered', transmission: name, answered_at: scheduler.nowMs(), ...answer, is_heard: false });
      }),
    );
  }

  #arrive(attempt: Attempt, answered: (answer: Answer | undefined) => void): void {
    const worker = this.#workers.get(attempt.worker);
    if (worker?.receive === undefined) {
      answered(undefined);
      return;
    }
    const { process, receive } = worker;
    process.enter(() => {
      void receive(attempt).then((answer) => {
        if (process.isAlive) answered(answer);
      });
    });
  }

  #connectionOf({ worker, value }: Attempt): { count: number; arrivesAt: number } {
    const key = `${worker}|${value.facility_uuid}|${value.scanner_id}`;
    const known = this.#connections.get(key) ?? { count: 0, arrivesAt: 0 };
    this.#connections.set(key, known);
    return known;
  }

  #start(worker: Worker): void {
    worker.processes += 1;
    worker.process = this.#process(worker.name, worker.clock, worker.processes);
    worker.receive = this.#system.start(worker.process);
  }

  #process(name: string, clock: WrongClock, number: number): SimulatedProcess {
    const { scheduler, faults } = this.#surroundings;
    return new SimulatedProcess(name, `${name}.${number}`, scheduler, clock, (random) => {
      const dies = faults.meets('crash at a call', random, name);
      if (dies) scheduler.after(0, () => this.crash(name));
      return dies;
    });
  }

  #replace(worker: Worker): void {
    const { scheduler, faults } = this.#surroundings;
    const { process } = worker;
    process.die();
    worker.receive = undefined;
    const random = faults.of(`${worker.name} begins anew`);
    const [noticedMs, downMs] = [random.pick([1, 50, 3_000]), random.between(10, 3_000)];
    scheduler.after(noticedMs, () => this.#system.database?.clientGone(process.id));
    scheduler.after(downMs, () => this.#start(worker));
  }
}

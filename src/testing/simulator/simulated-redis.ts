/**
 * Redis as workers meet it: a server that takes writes, replicas that lag, and connections that keep order, fall silent and break.
 *
 * In: commands of the claims' own client code. Out: replies, in the order of each connection, or an error, or nothing. What can go wrong is
 * what goes wrong: a request or a reply is lost and everything after it on that connection; the connection is reset with or without the
 * command applied; the server refuses, forgets, pauses, restarts, or is followed by a replica, and some workers go on with the old one.
 */
import type { RedisClient } from '../../claim/redis-client.ts';
import type { Random } from '../workload/random.ts';
import { delayMs, type Faults } from './faults.ts';
import { RedisKeyspace } from './redis-keyspace.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedProcess, WrongClock } from './simulated-process.ts';
import { Turnstile } from './turnstile.ts';

const hopMs = 0.2;
const slowHopMs = 40;
const connectMs = 2;

/** Where Redis is: the server that clients are led to. */
export class SimulatedRedis {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly clock: WrongClock;
  /** Before what is run. */
  readonly turnstile: Turnstile;
  readonly #connections = new Set<RedisConnection>();
  primary: RedisKeyspace;

  constructor(scheduler: Scheduler, faults: Faults, clock: WrongClock) {
    this.scheduler = scheduler;
    this.faults = faults;
    this.clock = clock;
    this.turnstile = new Turnstile(scheduler);
    this.primary = new RedisKeyspace(clock, scheduler);
  }

  /** A replica takes over that had not heard of the last moments. Each connection goes on with the old server for a while. */
  failOver(lagMs: number, untilAllKnowMs: number): void {
    this.primary = this.primary.replica(lagMs);
    for (const connection of this.#connections) {
      const random = this.faults.of(`failover seen by ${connection.owner}`);
      this.scheduler.after(random.between(0, untilAllKnowMs), () => connection.reset());
    }
  }

  /** The server begins anew, with nothing or with what a disk had kept, and is not ready at once. */
  restart(keeps: boolean, loadingMs: number): void {
    if (keeps) this.primary = this.primary.replica(0);
    else this.primary = new RedisKeyspace(this.clock, this.scheduler);
    this.refuse('LOADING Redis is loading the dataset in memory', loadingMs);
    for (const connection of [...this.#connections]) connection.reset();
  }

  refuse(sentence: string, ms: number): void {
    const { primary } = this;
    primary.refusal = sentence;
    this.scheduler.after(ms, () => {
      if (primary.refusal === sentence) primary.refusal = undefined;
    });
  }

  connect(owner: string): RedisConnection {
    const connection = new RedisConnection(this, owner, () => this.#connections.delete(connection));
    this.#connections.add(connection);
    return connection;
  }

  /** The client of one process. */
  client(process: SimulatedProcess): RedisClient {
    return new SimulatedRedisClient(this, process);
  }
}

interface Waiting {
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** One connection. What was sent before it broke still reaches the server. */
class RedisConnection {
  readonly owner: string;
  readonly #redis: SimulatedRedis;
  readonly #server: RedisKeyspace;
  readonly #closed: () => void;
  readonly #waiting = new Set<Waiting>();
  isOpen = true;
  /** Nothing that is sent arrives any more; nothing that is answered arrives any more. */
  #isMute = false;
  #isDeaf = false;
  #lastArrival = 0;
  #lastReply = 0;

  constructor(redis: SimulatedRedis, owner: string, closed: () => void) {
    this.#redis = redis;
    this.#server = redis.primary;
    this.owner = owner;
    this.#closed = closed;
  }

  send(random: Random, command: readonly string[]): Promise<unknown> {
    const { faults, scheduler } = this.#redis;
    const isLost = faults.meets('redis request lost', random, this.owner);
    const isUnanswered = faults.meets('redis reply lost', random, this.owner);
    const isReset = faults.meets('redis reset', random, this.owner);
    const meanMs = faults.meets('redis slow', random, this.owner) ? slowHopMs : hopMs;
    const [there, back, isApplied] = [delayMs(random, meanMs), delayMs(random, meanMs), random.perMille(500)];
    this.#isMute ||= isLost;
    if (isReset && !isApplied) scheduler.after(there, () => this.reset());
    if (this.#isMute || (isReset && !isApplied)) return new Promise((resolve, reject) => this.#waiting.add({ resolve, reject }));
    this.#isDeaf ||= isUnanswered;
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { resolve, reject };
      this.#waiting.add(waiting);
      this.#lastArrival = Math.max(this.#lastArrival, scheduler.now + there);
      scheduler.at(this.#lastArrival, () => {
        this.#redis.turnstile.enter(() => this.#arrive(command, waiting, back, isReset));
      });
    });
  }

  /** Everything that waits fails; nobody knows what was run. */
  reset(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#closed();
    for (const { reject } of this.#waiting) reject(new Error('the connection was lost'));
    this.#waiting.clear();
  }

  #arrive(command: readonly string[], waiting: Waiting, backMs: number, isReset: boolean): void {
    const { scheduler } = this.#redis;
    const answer = this.#run(command, waiting);
    if (isReset) this.reset();
    if (this.#isDeaf || !this.isOpen) return;
    this.#lastReply = Math.max(this.#lastReply, scheduler.now + backMs);
    scheduler.at(this.#lastReply, () => {
      if (this.#waiting.delete(waiting)) answer();
    });
  }

  /** What is run is run now; what it says is said later. */
  #run(command: readonly string[], { resolve, reject }: Waiting): () => void {
    try {
      const reply = this.#server.run(command);
      return () => resolve(reply);
    } catch (error) {
      return () => reject(error as Error);
    }
  }
}

class SimulatedRedisClient implements RedisClient {
  readonly #redis: SimulatedRedis;
  readonly #process: SimulatedProcess;
  #connection: RedisConnection | undefined;
  #isConnecting = false;

  constructor(redis: SimulatedRedis, process: SimulatedProcess) {
    this.#redis = redis;
    this.#process = process;
    this.#connection = redis.connect(process.name);
  }

  send(key: string, command: readonly string[]): Promise<unknown> {
    const connection = this.#ready();
    if (connection === undefined) return Promise.reject(new Error('there is no connection yet'));
    const [verb = ''] = command;
    const random = this.#redis.faults.of(`${this.#process.name} ${verb} ${key}`);
    return this.#process.call(random, () => connection.send(random, command));
  }

  renew(): void {
    this.#connection?.reset();
    this.#ready();
  }

  async close(): Promise<void> {
    this.#connection?.reset();
  }

  #ready(): RedisConnection | undefined {
    if (this.#connection?.isOpen === true) return this.#connection;
    this.#connection = undefined;
    if (this.#isConnecting) return undefined;
    this.#isConnecting = true;
    const { faults } = this.#redis;
    this.#process.after(delayMs(faults.of(`${this.#process.name} connects to Redis`), connectMs), () => {
      this.#isConnecting = false;
      this.#connection = this.#redis.connect(this.#process.name);
    });
    return undefined;
  }
}

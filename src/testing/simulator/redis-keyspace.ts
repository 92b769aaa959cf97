/**
 * What one server of Redis holds, as far as claims ask for it: keys with an end, by the server's own clock.
 *
 * In: a command in words. Out: the reply, or an error as the server words it. It also forgets what it is told to forget: everything, some
 * keys, or what came within the last moments, as a replica does that had not heard of it yet.
 */
import { hash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { type RunnableScript, runnableScript, type ScriptedKey } from './redis-script-lines.ts';

interface Held {
  readonly value: string;
  readonly endsAt: number;
}

interface Change {
  /** True time, ms. */
  readonly at: number;
  readonly key: string;
  readonly before: Held | undefined;
}

/** An error that the server answers with. */
export class RedisSays extends Error {}

export class RedisKeyspace {
  readonly #keys: Map<string, Held>;
  readonly #changes: Change[] = [];
  /** Scripts that this server has run, by their SHA-1. */
  readonly #scripts = new Map<string, RunnableScript>();
  readonly #clock: Clock;
  readonly #trueTime: Clock;
  /** Oldest change that a replica could still lack, ms. */
  readonly #lagMsMax = 2_000;
  /** Answers every write with this. */
  refusal: string | undefined;

  /** @param clock the server's own, by which keys end; @param trueTime by which replicas lag. */
  constructor(clock: Clock, trueTime: Clock, keys: ReadonlyMap<string, Held> = new Map()) {
    this.#clock = clock;
    this.#trueTime = trueTime;
    this.#keys = new Map(keys);
  }

  get size(): number {
    return this.#keys.size;
  }

  /** Keys that never end by themselves. */
  get endless(): readonly string[] {
    return [...this.#keys].filter(([, { endsAt }]) => endsAt === Number.POSITIVE_INFINITY).map(([key]) => key);
  }

  /** @throws RedisSays */
  run([name = '', ...args]: readonly string[]): unknown {
    if (this.refusal !== undefined) throw new RedisSays(this.refusal);
    switch (name.toLowerCase()) {
      case 'set':
        return this.#set(args);
      case 'evalsha': {
        const [sha = '', , key = '', ...rest] = args;
        const script = this.#scripts.get(sha);
        if (script === undefined) throw new RedisSays('NOSCRIPT No matching script. Please use EVAL.');
        return script(this.#scripted(key), rest);
      }
      case 'eval': {
        const [lua = '', , key = '', ...rest] = args;
        const script = runnableScript(lua);
        this.#scripts.set(hash('sha1', lua, 'hex'), script);
        return script(this.#scripted(key), rest);
      }
      default:
        throw new RedisSays(`ERR unknown command '${name}'`);
    }
  }

  flush(): void {
    for (const key of this.#keys.keys()) this.#change(key, undefined);
  }

  evict(isChosen: (key: string) => boolean): void {
    for (const key of this.#keys.keys()) if (isChosen(key)) this.#change(key, undefined);
  }

  /** What a replica has that lags so far behind: another server, with the same clock, that knows no scripts. */
  replica(lagMs: number): RedisKeyspace {
    const keys = new Map(this.#keys);
    const since = this.#trueTime.nowMs() - lagMs;
    for (const { at, key, before } of this.#changes.toReversed()) {
      if (at < since) break;
      if (before === undefined) keys.delete(key);
      else keys.set(key, before);
    }
    return new RedisKeyspace(this.#clock, this.#trueTime, keys);
  }

  #set([key = '', value = '', ...options]: readonly string[]): unknown {
    const { isNew, gets, ttlMs } = setOptions(options);
    const held = this.#live(key);
    if (!isNew || held === undefined) this.#change(key, { value, endsAt: this.#clock.nowMs() + ttlMs });
    if (gets) return held?.value ?? null;
    return isNew && held !== undefined ? null : 'OK';
  }

  #scripted(key: string): ScriptedKey {
    return {
      get: () => this.#live(key)?.value,
      set: (value, ttlMs) => {
        const endsAt = ttlMs === undefined ? (this.#live(key)?.endsAt ?? Number.POSITIVE_INFINITY) : this.#clock.nowMs() + ttlMs;
        this.#change(key, { value, endsAt });
      },
    };
  }

  #live(key: string): Held | undefined {
    const held = this.#keys.get(key);
    return held !== undefined && held.endsAt > this.#clock.nowMs() ? held : undefined;
  }

  #change(key: string, held: Held | undefined): void {
    const at = this.#trueTime.nowMs();
    this.#changes.push({ at, key, before: this.#keys.get(key) });
    if (this.#changes.length > 256 && (this.#changes[128]?.at ?? at) < at - this.#lagMsMax) this.#changes.splice(0, 128);
    if (held === undefined) this.#keys.delete(key);
    else this.#keys.set(key, held);
  }
}

interface SetOptions {
  readonly isNew: boolean;
  readonly gets: boolean;
  readonly ttlMs: number;
}

/** @throws RedisSays for a time to live that Redis refuses. */
function setOptions(options: readonly string[]): SetOptions {
  const words = options.map((word) => word.toUpperCase());
  const px = words.indexOf('PX');
  const ttlMs = px === -1 ? Number.POSITIVE_INFINITY : Number(words[px + 1]);
  if (!(ttlMs > 0)) throw new RedisSays("ERR invalid expire time in 'set' command");
  return { isNew: words.includes('NX'), gets: words.includes('GET'), ttlMs };
}

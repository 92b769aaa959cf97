/**
 * Calls of Redis that always come back: each with a deadline, and each failure with a reason.
 *
 * In: a command for a key. Out: the reply, or why there is none. What can go wrong: everything between here and the server.
 * Then the answer is never a guess. Who has not answered in time loses its connection, because a reply that comes later must not be
 * taken for that of another command; so does a server that is not, or no longer, the one to write to.
 */

import { systemTimers, type Timers } from '../base/clock.ts';
import { within } from '../base/deadline.ts';
import { messageOf } from '../base/message-of.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { errorCodeOf, type RedisClient } from './redis-client.ts';
import type { RedisScript } from './redis-scripts.ts';

export interface RedisFailure {
  /** The code of the server's error; nothing where the server said nothing. */
  readonly code?: string;
  /** A sentence for people, the same for the same kind of failure. */
  readonly reason: string;
}

/** After these another connection may lead to another server, or be let in: an address can move to another server behind it. */
const elsewhere: readonly string[] = ['READONLY', 'MASTERDOWN', 'NOAUTH', 'WRONGPASS'];

const sentences: Readonly<Record<string, string>> = {
  READONLY: 'it is a replica, which takes no claims',
  LOADING: 'it is still loading its data',
  MASTERDOWN: 'it is a replica that has lost its master',
  CLUSTERDOWN: 'the cluster does not serve every key',
  OOM: 'its memory is full',
  MISCONF: 'it cannot write to its disk',
  NOREPLICAS: 'it has fewer replicas than it was told to have',
  BUSY: 'it runs a script that does not end',
  MOVED: 'it belongs to a cluster: use a redis+cluster:// address',
  ASK: 'it belongs to a cluster: use a redis+cluster:// address',
  NOAUTH: 'it wants a password',
  WRONGPASS: 'it does not accept the user or the password',
  NOPERM: 'the user may not do this',
  WRONGTYPE: 'the key holds something that is not a claim',
  ERR: 'it does not accept the command; claims need Redis 7.0 or later, or Valkey, and a positive time to live',
};

const late = Symbol('late');

export class RedisCalls {
  readonly #client: RedisClient;
  readonly #deadlineMs: number;
  readonly #timers: Timers;
  /** How many connections were thrown away. */
  #thrownAway = 0;

  /** @param deadlineMs how long one call may take, by this process's own timer, waiting for others to be sent included. */
  constructor(client: RedisClient, deadlineMs: number, timers: Timers = systemTimers) {
    this.#client = client;
    this.#timers = timers;
    this.#deadlineMs = deadlineMs;
  }

  /** One command. Never throws. @param extraMs for a command that waits on the server: how long it does, at most. */
  async ask(key: string, command: readonly string[], extraMs = 0): Promise<Result<unknown, RedisFailure>> {
    const withinMs = this.#deadlineMs + extraMs;
    const thrownAwayBefore = this.#thrownAway;
    try {
      const reply = await within(withinMs, this.#client.send(key, command), late, this.#timers);
      if (reply === late) {
        this.#renew(key);
        return fail({ reason: `Redis has not answered within ${withinMs} ms.` });
      }
      // A client may complete a pipeline of which a reply was missing when it is told to renew; its replies can be out of step.
      if (this.#thrownAway !== thrownAwayBefore) return fail({ reason: 'The connection to Redis was thrown away meanwhile.' });
      return ok(reply);
    } catch (error) {
      return fail(this.#failure(key, error));
    }
  }

  /** One script on one key, sent whole where the server does not know it: a restart, a failover and a flush make it forget. */
  async run({ lua, sha }: RedisScript, key: string, args: readonly string[]): Promise<Result<unknown, RedisFailure>> {
    const known = await this.ask(key, ['evalsha', sha, '1', key, ...args]);
    if (known.ok || known.error.code !== 'NOSCRIPT') return known;
    return this.ask(key, ['eval', lua, '1', key, ...args]);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #failure(key: string, error: unknown): RedisFailure {
    const code = errorCodeOf(error);
    if (code === undefined) return { reason: `Redis cannot be reached: ${messageOf(error)}` };
    if (elsewhere.includes(code)) this.#renew(key);
    const sentence = sentences[code];
    return { code, reason: `Redis says ${code}${sentence === undefined ? '' : `: ${sentence}`}.` };
  }

  #renew(key: string): void {
    this.#thrownAway += 1;
    this.#client.renew(key);
  }
}

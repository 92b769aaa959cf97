/** {@inheritDoc ClaimInspector} In Redis: SCAN with a bounded count on every server that holds keys, and `SET … NX PX`. */

import { within } from '../base/deadline.ts';
import { ScanGateError } from '../base/errors.ts';
import { messageOf } from '../base/message-of.ts';
import type { ClaimInspector, FoundClaim } from './claim-inspector.ts';
import { openRedisClient } from './redis-open-client.ts';
import { parseRedisUrl } from './redis-url.ts';

/** How long a call may take, ms. Nobody waits for it who scans. */
const deadlineMs = 5_000;
/** How many keys a server looks at in one step: it serves nobody else meanwhile. */
const scanCount = '1000';
const keysAtOnce = 1_000;

type Client = Awaited<ReturnType<typeof openRedisClient>>;

/** @throws ScanGateError `SG_CONFIG_INVALID` or `SG_REDIS`. */
export async function openClaimInspector(url: string): Promise<ClaimInspector> {
  return new RedisClaimInspector(await openRedisClient(parseRedisUrl(url), { deadlineMs }));
}

class RedisClaimInspector implements ClaimInspector {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async *claims(): AsyncGenerator<FoundClaim> {
    for (const server of this.#client.servers()) {
      let cursor = '0';
      do {
        const scan = ['scan', cursor, 'MATCH', 'scan:idem:*', 'COUNT', scanCount];
        const [next, keys] = (await this.#answer(server(scan))) as [string, string[]];
        for (const found of await Promise.all(keys.map((key) => this.#claim(key)))) if (found !== undefined) yield found;
        cursor = next;
      } while (cursor !== '0');
    }
  }

  async held(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const held = new Set<string>();
    for (let from = 0; from < keys.length; from += keysAtOnce) {
      const asked = keys.slice(from, from + keysAtOnce);
      const found = await Promise.all(asked.map((key) => this.#send(key, ['exists', key])));
      for (const [index, key] of asked.entries()) if (found[index] === 1) held.add(key);
    }
    return held;
  }

  async restore(claims: readonly FoundClaim[]): Promise<number> {
    let written = 0;
    for (let from = 0; from < claims.length; from += keysAtOnce) {
      const replies = await Promise.all(
        claims.slice(from, from + keysAtOnce).map(({ key, value, remainingMs }) => {
          return this.#send(key, ['set', key, value, 'NX', 'PX', String(remainingMs)]);
        }),
      );
      written += replies.filter((reply) => reply === 'OK').length;
    }
    return written;
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #claim(key: string): Promise<FoundClaim | undefined> {
    const [value, remainingMs] = await Promise.all([this.#send(key, ['get', key]), this.#send(key, ['pttl', key])]);
    // It has ended since it was found.
    if (typeof value !== 'string' || remainingMs === -2) return undefined;
    return { key, value, remainingMs: Number(remainingMs) };
  }

  #send(key: string, command: readonly string[]): Promise<unknown> {
    return this.#answer(this.#client.send(key, command));
  }

  async #answer(reply: Promise<unknown>): Promise<unknown> {
    try {
      const answer = await within(deadlineMs, reply, late);
      if (answer === late) throw new Error(`it has not answered within ${deadlineMs} ms`);
      return answer;
    } catch (error) {
      const why = messageOf(error);
      throw new ScanGateError('SG_REDIS', `Redis cannot be used: ${why.replace(/\.$/, '')}.`, { cause: error });
    }
  }
}

const late = Symbol('late');

/** The Redis of the simulation is a Redis, as far as claims ask: the suite of every claim store, and random commands beside a real server. */
import { beforeAll, describe, expect, test } from 'vitest';
import { RedisClaimStore } from '../../src/claim/redis-claim-store.ts';
import { errorCodeOf, type RedisClient } from '../../src/claim/redis-client.ts';
import { moveOnScript, settleScript } from '../../src/claim/redis-scripts.ts';
import { type ClaimStorePair, claimStoreContract } from '../../src/testing/claim-store-contract.ts';
import { RedisKeyspace } from '../../src/testing/simulator/redis-keyspace.ts';
import { noon } from '../../src/testing/wire-scans.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { fixedClock } from '../support/scans.ts';
import { seeded } from '../support/server-seed.ts';

function clientOf(keyspace: RedisKeyspace): RedisClient {
  return { send: async (_key, command) => keyspace.run(command), renew: () => undefined, close: async () => undefined };
}

async function openPair(): Promise<ClaimStorePair> {
  const clock = fixedClock(noon);
  const keyspace = new RedisKeyspace(clock, clock);
  const [first, second] = [new RedisClaimStore(clientOf(keyspace)), new RedisClaimStore(clientOf(keyspace))];
  return { first, second, later: async (ms) => clock.advance(ms), close: async () => undefined };
}

describe('claims in the simulated Redis', () => {
  for (const { name, run } of claimStoreContract(openPair)) test(name, run);
});

describe('the simulated Redis beside a real one', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedis();
  });

  const values = ['1', 'p|1772712000000|t1', 'p|1772712000500|2.9.t2', 'c|1772712000000|t1|entry|1', 'p|-5|t3', 'p||t1', 'x', ''];
  const tokens = ['t1', '2.9.t2', 't3', ''];
  const scripts = [settleScript, moveOnScript];

  function commandOf({ below }: { below(limit: number): number }): string[] {
    const one = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;
    const key = `key-${below(3)}`;
    const kind = below(8);
    if (kind < 4) {
      const options = [...one([['NX'], []]), ...one([['GET'], []]), 'PX', one(['60000', '60000', '60000', '0', '-1'])];
      return ['set', key, one(values), ...options];
    }
    const { sha, lua } = one(scripts);
    const args = [one(tokens), one(['entry 7', 'p|1772712009000|t4']), '60000'];
    return kind < 6 ? ['evalsha', sha, '1', key, ...args] : ['eval', lua, '1', key, ...args];
  }

  const answered = async (run: () => unknown): Promise<unknown> => {
    try {
      return await run();
    } catch (error) {
      return { code: errorCodeOf(error) };
    }
  };

  test('answers two hundred random histories alike, also where it refuses', async () => {
    const seed = seeded();
    const told = new Set<string>();
    for (let history = 0; history < 200; history += 1) {
      await server.operator.flushall();
      await server.operator.script('FLUSH');
      const clock = fixedClock(noon);
      const keyspace = new RedisKeyspace(clock, clock);
      for (let step = 0; step < 40; step += 1) {
        const [name = '', ...args] = commandOf(seed);
        const answer = await answered(() => keyspace.run([name, ...args]));
        expect({ command: [name, ...args], answer }).toEqual({
          command: [name, ...args],
          answer: await answered(() => server.operator.call(name, args)),
        });
        told.add(typeof answer === 'string' ? `${name} text` : `${name} ${JSON.stringify(answer)}`);
      }
    }
    expect([...told].sort()).toEqual([
      'eval 0',
      'eval 1',
      'evalsha 0',
      'evalsha 1',
      'evalsha {"code":"NOSCRIPT"}',
      'set null',
      'set text',
      'set {"code":"ERR"}',
    ]);
  });
});

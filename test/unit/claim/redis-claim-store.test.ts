import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ClaimRequest } from '../../../src/claim/claim-store.ts';
import { openRedisClaimStore, RecipeClaimStore, RedisClaimStore, type RedisOptions } from '../../../src/claim/redis-claims.ts';
import type { RedisClient } from '../../../src/claim/redis-client.ts';

const asked: ClaimRequest = { key: 'scan:idem:test', occurredAt: 5, token: 'a', ttlMs: 3_500 };

/** A client whose server answers with this, or that fails with this; and the keys whose connection it was told to renew. */
function clientThat(answer: unknown) {
  const sent: (readonly string[])[] = [];
  const renewed: string[] = [];
  const client: RedisClient = {
    send: async (_key, command) => {
      sent.push(command);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    renew: (key) => void renewed.push(key),
    close: async () => undefined,
  };
  return { client, sent, renewed };
}

describe('a claim in Redis', () => {
  test('is one command', async () => {
    const { client, sent } = clientThat(null);
    expect(await new RedisClaimStore(client).claim(asked)).toEqual({ kind: 'first' });
    expect(sent).toEqual([['set', 'scan:idem:test', 'p|5|a', 'NX', 'GET', 'PX', '3500']]);
  });

  test.each([
    ['READONLY', true],
    ['MASTERDOWN', true],
    ['NOAUTH', true],
    ['WRONGPASS', true],
    ['LOADING', false],
    ['CLUSTERDOWN', false],
    ['OOM', false],
    ['MISCONF', false],
    ['NOREPLICAS', false],
    ['BUSY', false],
    ['MOVED', false],
    ['ASK', false],
    ['NOPERM', false],
    ['ERR', false],
    ['TRYAGAIN', false],
    ['SOMETHINGNEW', false],
  ])('is not decided by the error %s', async (code, renews) => {
    const { client, renewed } = clientThat(new Error(`${code} and more`));
    const store = new RedisClaimStore(client);
    const reply = await store.claim(asked);
    expect(reply).toMatchObject({ kind: 'unavailable', reason: expect.stringMatching(new RegExp(`^Redis says ${code}[.:]`)) });
    expect(await store.settle(asked.key, 'a', 'entry')).toBe('unavailable');
    expect(await store.moveOn(asked, 'b')).toBe('unavailable');
    expect(renewed).toEqual(Array(renews ? 3 : 0).fill(asked.key));
  });

  test.each([[5], [undefined], [['p|5|b']], [Buffer.from('p|5|b')], [true]])(
    'is not decided by %j, which no such command replies',
    async (answer) => {
      for (const Store of [RedisClaimStore, RecipeClaimStore]) {
        const store = new Store(clientThat(answer).client);
        expect((await store.claim(asked)).kind).toBe('unavailable');
        expect(await store.settle(asked.key, 'a', 'entry')).toBe('unavailable');
      }
    },
  );

  test('is not decided by a client that throws before it has sent anything', async () => {
    const client: RedisClient = {
      ...clientThat(null).client,
      send: () => {
        throw new TypeError('no slot');
      },
    };
    const reply = await new RedisClaimStore(client).claim(asked);
    expect(reply).toEqual({ kind: 'unavailable', reason: 'Redis cannot be reached: no slot' });
  });
});

describe('calls that are under way when a connection is thrown away', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('are not decided by replies that their client gives out afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const replies: ((reply: unknown) => void)[] = [];
    const send = () => new Promise((resolve) => replies.push(resolve));
    const { client, renewed } = clientThat(null);
    const store = new RedisClaimStore({ ...client, send }, { deadlineMs: 100 });
    const early = store.claim(asked);
    vi.advanceTimersByTime(10);
    const late = store.claim({ ...asked, token: 'b' });
    vi.advanceTimersByTime(90);
    expect(await early).toEqual({ kind: 'unavailable', reason: 'Redis has not answered within 100 ms.' });
    expect(renewed).toEqual([asked.key]);
    replies[1]?.(null);
    expect(await late).toEqual({ kind: 'unavailable', reason: 'The connection to Redis was thrown away meanwhile.' });
    const next = store.claim(asked);
    replies[2]?.(null);
    expect(await next).toEqual({ kind: 'first' });
  });
});

describe('a claim by the key of the recipe', () => {
  test.each(['1', '', 'worker-7', 'p|5'])('is held when the key holds %j', async (value) => {
    expect(await new RecipeClaimStore(clientThat(value).client).claim(asked)).toEqual({ kind: 'held' });
  });
});

describe('the claims of an address', () => {
  test.each<[RedisOptions, string]>([
    [{ deadlineMs: 0 }, 'The deadline of a call of Redis has to be an integer from 1 to 60000.'],
    [{ deadlineMs: Number.NaN }, 'The deadline of a call of Redis has to be an integer from 1 to 60000.'],
    [{ deadlineMs: -1 }, 'The deadline of a call of Redis has to be an integer from 1 to 60000.'],
    [{ waitReplicas: { count: 0, withinMs: 50 } }, 'The number of replicas to wait for has to be an integer from 1 to 60000.'],
    [{ waitReplicas: { count: 1, withinMs: 0 } }, 'The time to wait for replicas or disks has to be an integer from 1 to 60000.'],
    [
      { waitReplicas: { count: 1, withinMs: 150 } },
      'The time to wait for replicas or disks has to be shorter than the deadline of a call of Redis.',
    ],
  ])('are refused with the options %j', async (options, message) => {
    await expect(openRedisClaimStore('redis://127.0.0.1:1', options)).rejects.toMatchObject({
      code: 'SG_CONFIG_INVALID',
      message,
    });
  });

  test('do not wait for replicas in a cluster', async () => {
    const opened = openRedisClaimStore('redis+cluster://127.0.0.1:1', { waitReplicas: { count: 1, withinMs: 50 } });
    await expect(opened).rejects.toMatchObject({ message: 'Claims in a cluster cannot wait for replicas or disks.' });
  });
});

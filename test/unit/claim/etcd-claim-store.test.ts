import { describe, expect, test } from 'vitest';
import { EtcdClaimStore, type EtcdOptions } from '../../../src/claim/etcd-claim-store.ts';
import { noon } from '../../../src/testing/wire-scans.ts';
import { FakeEtcd, type Fault } from './fake-etcd.ts';

const endpoints = ['http://a:2379', 'http://b:2379'];
const key = 'scan:idem:k';
const request = { key, occurredAt: noon, token: 'a', ttlMs: 3_500 };

function storeWith(faults: Readonly<Record<string, Fault[]>> = {}, options: EtcdOptions = {}) {
  const etcd = new FakeEtcd();
  for (const [path, list] of Object.entries(faults)) etcd.faults.set(path, list);
  return { etcd, store: new EtcdClaimStore(endpoints, { fetch: etcd.fetch, ...options }) };
}

describe('settings that make no sense', () => {
  test.each([
    ['no endpoint', [], {}],
    ['an endpoint that is no address', ['etcd:2379'], {}],
    ['an endpoint with a path', ['http://a:2379/v3'], {}],
    ['a deadline of 0', endpoints, { deadlineMs: 0 }],
    ['a deadline of NaN', endpoints, { deadlineMs: Number.NaN }],
  ])('are refused: %s', (_what, given, options) => {
    expect(() => new EtcdClaimStore(given, options)).toThrow(expect.objectContaining({ code: 'SG_CONFIG_INVALID' }));
  });
});

describe('a claim', () => {
  test('is written under a lease of whole seconds, rounded up, the deadline added', async () => {
    const { etcd, store } = storeWith();
    expect(await store.claim(request)).toEqual({ kind: 'first' });
    expect(etcd.granted).toEqual(['5']);
    expect(etcd.valueOf(key)).toBe(`p|${noon}|a`);
    await store.claim({ ...request, key: 'scan:idem:other', ttlMs: 1 });
    expect(etcd.granted).toEqual(['5', '2']);
  });

  test('that is not made gives its lease back, and no other', async () => {
    const { etcd, store } = storeWith();
    await store.claim(request);
    expect(await store.claim({ ...request, token: 'b' })).toEqual({ kind: 'pending', occurredAt: noon, token: 'a' });
    expect(etcd.revoked).toEqual(['2']);
  });

  test('whose reply was lost is known again at the next node, and keeps its lease', async () => {
    const { etcd, store } = storeWith({ '/v3/kv/txn': ['lose the reply'] });
    expect(await store.claim(request)).toEqual({ kind: 'own' });
    expect(etcd.revoked).toEqual([]);
  });

  test('of a key that holds something else is unavailable', async () => {
    const { etcd, store } = storeWith();
    await store.claim(request);
    const [[at, stored] = ['', undefined]] = etcd.stored;
    if (stored !== undefined) etcd.stored.set(at, { ...stored, value: Buffer.from('1').toString('base64') });
    const reason = 'The key holds something that is not a claim.';
    expect(await store.claim({ ...request, token: 'b' })).toEqual({ kind: 'unavailable', reason });
  });
});

describe('claims that are asked for in one breath', () => {
  const breath = (store: EtcdClaimStore, keys: readonly string[], token: string) =>
    Promise.all(keys.map((name) => store.claim({ ...request, key: name, token })));

  test('share one lease, and what comes after them gets another', async () => {
    const { etcd, store } = storeWith();
    expect(await breath(store, ['k1', 'k2', 'k3'], 'a')).toEqual([{ kind: 'first' }, { kind: 'first' }, { kind: 'first' }]);
    expect(etcd.granted).toEqual(['5']);
    await store.claim({ ...request, key: 'k4' });
    expect(etcd.granted).toEqual(['5', '5']);
    expect([...etcd.stored.values()].map(({ lease }) => lease)).toEqual(['1', '1', '1', '2']);
  });

  test('have leases of their own where their times differ', async () => {
    const { etcd, store } = storeWith();
    await Promise.all([store.claim({ ...request, key: 'k1' }), store.claim({ ...request, key: 'k2', ttlMs: 60_000 })]);
    expect(etcd.granted).toEqual(['5', '62']);
    expect([...etcd.stored.values()].map(({ lease }) => lease)).toEqual(['1', '2']);
  });

  test('give their lease back when none of them has it, and not when one has', async () => {
    const { etcd, store } = storeWith();
    await breath(store, ['k1', 'k2'], 'a');
    await breath(store, ['k1', 'k2', 'k3'], 'b');
    expect(etcd.revoked).toEqual([]);
    await breath(store, ['k1', 'k2', 'k3'], 'c');
    expect(etcd.revoked).toEqual(['3']);
  });

  test('leave their lease to run out when of one of them it is not known whether it has it', async () => {
    const { etcd, store } = storeWith();
    await breath(store, ['k1', 'k2'], 'a');
    etcd.faults.set('/v3/kv/txn', [{ status: 401 }]);
    expect(await breath(store, ['k1', 'k2'], 'b')).toMatchObject([{ kind: 'unavailable' }, { kind: 'pending' }]);
    expect(etcd.revoked).toEqual([]);
  });
});

describe('a settling', () => {
  test('of a claim that was just made is one request', async () => {
    const { etcd, store } = storeWith();
    await store.claim(request);
    etcd.asked.length = 0;
    expect(await store.settle(key, 'a', 'entry-1')).toBe('settled');
    expect(etcd.asked).toEqual(['http://a:2379/v3/kv/txn']);
    expect(etcd.valueOf(key)).toBe(`c|${noon}|a|entry-1`);
  });

  test('of a claim that somebody has moved on since is stale, and changes nothing', async () => {
    const { etcd, store } = storeWith();
    const other = new EtcdClaimStore(endpoints, { fetch: etcd.fetch });
    await store.claim(request);
    expect(await other.moveOn({ ...request, token: 'b', occurredAt: noon + 9_000 }, 'a')).toBe('moved');
    expect(await store.settle(key, 'a', 'entry-1')).toBe('stale');
    expect(etcd.valueOf(key)).toBe(`p|${noon + 9_000}|b`);
  });

  test('of a claim that has run out since is stale, and makes none', async () => {
    const { etcd, store } = storeWith();
    await store.claim(request);
    etcd.stored.clear();
    expect(await store.settle(key, 'a', 'entry-1')).toBe('stale');
    expect(etcd.valueOf(key)).toBeUndefined();
  });

  test('keeps time, token and lease', async () => {
    const { etcd, store } = storeWith();
    await store.claim(request);
    expect(await store.settle(key, 'a', 'entry|1')).toBe('settled');
    expect(etcd.valueOf(key)).toBe(`c|${noon}|a|entry|1`);
    expect(etcd.stored.values().next().value?.lease).toBe('1');
  });

  test('whose reply was lost is found done at the next node', async () => {
    const { etcd, store } = storeWith();
    await store.claim(request);
    etcd.faults.set('/v3/kv/txn', ['lose the reply']);
    expect(await store.settle(key, 'a', 'entry-1')).toBe('settled');
    expect(etcd.valueOf(key)).toBe(`c|${noon}|a|entry-1`);
  });
});

describe('a moving on', () => {
  test('whose reply was lost is found done at the next node', async () => {
    const { etcd, store } = storeWith();
    await store.claim(request);
    etcd.faults.set('/v3/kv/txn', ['lose the reply']);
    const newcomer = { ...request, token: 'b', occurredAt: noon + 9_000 };
    expect(await store.moveOn(newcomer, 'a')).toBe('moved');
    expect(etcd.valueOf(key)).toBe(`p|${noon + 9_000}|b`);
    expect(await store.moveOn({ ...request, token: 'c' }, 'a')).toBe('stale');
  });
});

describe('an endpoint', () => {
  test('that cannot be reached is passed over, and the one that answers is asked first from then on', async () => {
    const { etcd, store } = storeWith({ '/v3/lease/grant': ['refuse the connection'] });
    expect(await store.claim(request)).toEqual({ kind: 'first' });
    expect(etcd.asked).toEqual(['http://a:2379/v3/lease/grant', 'http://b:2379/v3/lease/grant', 'http://b:2379/v3/kv/txn']);
  });

  test.each([
    [[{ status: 503 }, { status: 503 }], 'etcd says: etcdserver: 503.', 2],
    [[{ status: 401 }], 'etcd says: etcdserver: 401.', 1],
    [['refuse the connection', 'refuse the connection'], 'etcd cannot be reached: connect ECONNREFUSED', 2],
    [[{ text: '<html>' }, { text: '[]' }], 'etcd answered 200 with something that is not an object.', 2],
    [[{ text: '{}' }], 'etcd granted a lease without an id.', 1],
  ] as [Fault[], string, number][])('that answers %j makes a claim unavailable: %s', async (faults, reason, times) => {
    const { etcd, store } = storeWith({ '/v3/lease/grant': faults });
    expect(await store.claim(request)).toEqual({ kind: 'unavailable', reason });
    expect(etcd.asked).toHaveLength(times);
  });

  test('that never answers is given up, with all others, within the deadline', async () => {
    const signals: AbortSignal[] = [];
    const store = new EtcdClaimStore(endpoints, {
      deadlineMs: 40,
      fetch: (_url, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    });
    expect(await store.claim(request)).toMatchObject({ kind: 'unavailable', reason: expect.stringContaining('not answered') });
    expect(await store.settle(key, 'a', 'entry-1')).toBe('unavailable');
    expect(await store.moveOn(request, 'a')).toBe('unavailable');
    expect(signals.length).toBeGreaterThanOrEqual(3);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });
});

test('a store that was closed asks nothing any more', async () => {
  const { etcd, store } = storeWith();
  await store.close();
  expect(await store.claim(request)).toEqual({ kind: 'unavailable', reason: 'The claims were closed.' });
  expect(await store.settle(key, 'a', 'entry-1')).toBe('unavailable');
  expect(etcd.asked).toEqual([]);
});

/** A guard whose Redis loses replies, hangs, dies or forgets; by our own client, and by two clients of others. */
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openRedisClaimStore, RedisClaimStore, type RedisClient } from '../../src/claim/redis-claims.ts';
import { ClaimOnce, type ClaimStore, createGuard, type Guard } from '../../src/index.ts';
import { scanAt } from '../../src/testing/wire-scans.ts';
import { untilAnswering } from '../support/claim-worker.ts';
import { OwnLedger } from '../support/own-ledger.ts';
import { closedLater } from '../support/redis-scene.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { fixedClock } from '../support/scans.ts';
import { until } from '../support/server.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const deadlineMs = 150;

async function ioredis(url: string): Promise<RedisClient> {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    disconnectTimeout: 1,
  });
  redis.on('error', () => undefined);
  await new Promise((resolve) => redis.once('ready', resolve));
  return {
    send: (_key, [name = '', ...args]) => redis.call(name, args),
    renew: () => redis.disconnect(true),
    close: async () => redis.disconnect(),
  };
}

async function nodeRedis(url: string): Promise<RedisClient> {
  const connected = async () => {
    const client = createClient({ url, disableOfflineQueue: true });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  let client = await connected();
  const end = (): void => {
    if (client.isOpen) client.destroy();
  };
  const renew = (): void => {
    end();
    void connected().then((next) => {
      client = next;
    });
  };
  return { send: (_key, command) => client.sendCommand(command), renew, close: async () => end() };
}

const clients: [string, (url: string) => Promise<ClaimStore>][] = [
  ['our own client', (url) => openRedisClaimStore(url, { deadlineMs })],
  ['ioredis', async (url) => new RedisClaimStore(await ioredis(url), { deadlineMs })],
  ['node-redis', async (url) => new RedisClaimStore(await nodeRedis(url), { deadlineMs })],
];

let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
});

beforeEach(() => server.operator.flushall());

interface Scene {
  readonly proxy: TcpProxy;
  readonly claims: ClaimStore;
  /** Its clock stands still. */
  readonly guard: Guard;
  readonly ledger: OwnLedger;
}

async function sceneWith(open: (url: string) => Promise<ClaimStore>): Promise<Scene> {
  const proxy = closedLater(await startTcpProxy(server.port));
  const claims = closedLater(await open(`redis://127.0.0.1:${proxy.port}`));
  const guard = createGuard({ claims, leaseMs: 10_000, clock: fixedClock(scanAt(0).scan.occurredAt) });
  return { proxy, claims, guard, ledger: new OwnLedger() };
}

describe.each(clients)('a guard over %s', (_name, open) => {
  test('commits once of twenty transmissions at once, and suppresses the rest in the end', async () => {
    const { guard, ledger } = await sceneWith(open);
    const scans = Array.from({ length: 20 }, (_, ms) => scanAt(ms).scan);
    const answers = await Promise.all(scans.map((scan) => guard(scan, ledger.commit)));
    expect(answers.filter(({ outcome }) => outcome === 'committed')).toHaveLength(1);
    expect(ledger.rows).toHaveLength(1);
    const again = await Promise.all(scans.map((scan) => guard(scan, ledger.commit)));
    expect(again.every((answer) => answer.outcome === 'suppressed' && answer.of === 'row 1')).toBe(true);
  });

  test('commits nothing while no reply comes, and knows afterwards that somebody has the lease', async () => {
    const { proxy, claims, guard, ledger } = await sceneWith(open);
    proxy.fault = { kind: 'swallow' };
    expect(await guard(scanAt(0).scan, ledger.commit)).toMatchObject({ code: 'SG_CLAIM_FAILED' });
    proxy.fault = { kind: 'none' };
    await untilAnswering(claims);
    expect(await guard(scanAt(0).scan, ledger.commit)).toMatchObject({ code: 'SG_CLAIM_HELD' });
    expect(ledger.rows).toEqual([]);
  });

  test('has the boolean recipe throw while no reply comes, and say true to the same scan afterwards, once', async () => {
    const { proxy, claims } = await sceneWith(open);
    const once = new ClaimOnce({ claims, clock: fixedClock() });
    proxy.fault = { kind: 'swallow' };
    await expect(once.claim(scanAt(0).scan)).rejects.toMatchObject({ code: 'SG_CLAIM_FAILED', retryable: true });
    proxy.fault = { kind: 'none' };
    await untilAnswering(claims);
    expect([await once.claim(scanAt(0).scan), await once.claim(scanAt(0).scan)]).toEqual([true, false]);
  });
});

describe('a Redis that dies between the claim and the commit', () => {
  test('leaves the claim unsettled, and one that comes back empty is made up for by the look-up', async () => {
    const mortal = await startRedis();
    const claims = closedLater(await openRedisClaimStore(mortal.url, { deadlineMs }));
    const guard = createGuard({ claims, leaseMs: 10_000, clock: fixedClock(scanAt(0).scan.occurredAt) });
    const ledger = new OwnLedger();
    const answer = await guard(scanAt(0).scan, async (lease) => {
      await mortal.kill();
      return ledger.write(lease);
    });
    expect(answer).toMatchObject({ outcome: 'committed', claim: 'unsettled' });
    expect(await guard(scanAt(0).scan, ledger.commit, ledger)).toMatchObject({ code: 'SG_CLAIM_FAILED' });
    await mortal.restart();
    await untilAnswering(claims);
    expect(await guard(scanAt(0).scan, ledger.commit, ledger)).toMatchObject({ outcome: 'suppressed', arbiter: 'ledger' });
    expect(ledger.rows).toHaveLength(1);
  });
});

describe('a claim in Redis', () => {
  test('holds the lease where the token is, and never stays for ever', async () => {
    const { guard, ledger } = await sceneWith((url) => openRedisClaimStore(url, { deadlineMs }));
    const { scan, identity } = scanAt(0);
    const at = scan.occurredAt;
    let pending: string | null = null;
    await guard(scan, async (lease) => {
      pending = await server.operator.get(`scan:idem:${identity.content}`);
      return ledger.write(lease);
    });
    expect(pending).toMatch(new RegExp(`^p\\|${at}\\|${at}\\.${at + 10_000}\\.[0-9a-f-]{36}$`));
    expect(await server.operator.get(`scan:idem:${identity.content}`)).toMatch(/^c\|\d+\|\d+\.\d+\.[0-9a-f-]{36}\|row 1$/);
    const ttlMs = await until(() => server.operator.pttl(`scan:idem:${identity.content}`));
    expect(ttlMs).toBeGreaterThan(0);
    expect(ttlMs).toBeLessThanOrEqual(14_500);
  });
});

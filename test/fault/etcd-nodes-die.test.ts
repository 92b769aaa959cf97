/** Claims in a cluster of three nodes of etcd that die, hang and come back while two workers claim. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClaimReply } from '../../src/claim/claim-store.ts';
import { EtcdClaimStore } from '../../src/claim/etcd-claim-store.ts';
import { createGuard } from '../../src/gate/guard.ts';
import { noon, scanAt } from '../../src/testing/wire-scans.ts';
import { request, untilAnswering } from '../support/claim-worker.ts';
import { type EtcdCluster, type EtcdNode, startEtcd } from '../support/etcd-server.ts';
import { OwnLedger } from '../support/own-ledger.ts';
import { fixedClock } from '../support/scans.ts';
import { until } from '../support/server.ts';

const deadlineMs = 1_500;

let cluster: EtcdCluster;
let first: EtcdClaimStore;
let second: EtcdClaimStore;

beforeAll(async () => {
  cluster = await startEtcd(500);
  first = new EtcdClaimStore(cluster.urls, { deadlineMs });
  second = new EtcdClaimStore(cluster.urls.toReversed(), { deadlineMs });
});

beforeEach(async () => {
  await cluster.heal();
  await Promise.all([untilAnswering(first, 30_000), untilAnswering(second, 30_000)]);
});

interface Asked {
  readonly key: string;
  readonly token: string;
  readonly reply: ClaimReply;
}

/** Both workers claim key after key, each the same keys, while something happens to a node; some before it, and some after it. */
async function whileClaiming(place: string, happen: () => Promise<void>): Promise<Asked[]> {
  const asked: Asked[] = [];
  let isOver = false;
  const claim = async (store: EtcdClaimStore, name: string): Promise<void> => {
    for (let index = 0; !isOver; index += 1) {
      const key = `scan:idem:${place}-${index}`;
      const token = `${name}-${index}`;
      asked.push({ key, token, reply: await store.claim(request({ key, token })) });
    }
  };
  const decided = () => asked.filter(({ reply }) => reply.kind !== 'unavailable').length;
  const untilDecided = (count: number) => until(() => decided() >= count || undefined, 30_000);
  const claiming = Promise.all([claim(first, 'a'), claim(second, 'b')]);
  await untilDecided(20);
  await happen();
  await untilDecided(decided() + 20);
  isOver = true;
  await claiming;
  return asked;
}

/** Who holds each key, by all that was answered. @throws when two were told that it is theirs. */
function ownersOf(asked: readonly Asked[]): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { key, token, reply } of asked) {
    const owner = reply.kind === 'first' || reply.kind === 'own' ? token : reply.kind === 'pending' ? reply.token : undefined;
    if (owner === undefined) continue;
    expect(owners.get(key) ?? owner, key).toBe(owner);
    owners.set(key, owner);
  }
  return owners;
}

async function expectToBeHeld(owners: ReadonlyMap<string, string>): Promise<void> {
  for (const [key, token] of [...owners].slice(-40)) {
    expect(await second.claim(request({ key, token: 'c' }))).toEqual({ kind: 'pending', occurredAt: noon, token });
  }
}

describe('a node of etcd', () => {
  test('that follows and is killed leaves every claim as it was, and no claim is given to two', async () => {
    const { followers } = await cluster.roles();
    const [victim] = followers as [EtcdNode];
    const asked = await whileClaiming('follower', () => victim.kill());
    const owners = ownersOf(asked);
    expect(owners.size).toBeGreaterThanOrEqual(20);
    await expectToBeHeld(owners);
  });

  test('that leads and is killed leaves every claim as it was, and others go on under the next leader', async () => {
    const { leader } = await cluster.roles();
    const asked = await whileClaiming('leader', () => leader.kill());
    const owners = ownersOf(asked);
    expect(owners.size).toBeGreaterThanOrEqual(20);
    await expectToBeHeld(owners);
    expect((await cluster.roles()).leader.url).not.toBe(leader.url);
  });

  test('that hangs is passed over within the deadline', async () => {
    const { followers } = await cluster.roles();
    const [hanging, other] = followers as [EtcdNode, EtcdNode];
    const store = new EtcdClaimStore([hanging.url, other.url], { deadlineMs });
    hanging.signal('SIGSTOP');
    const asked = request();
    const startedAt = performance.now();
    expect((await store.claim(asked)).kind).toBe('first');
    expect(performance.now() - startedAt).toBeLessThan(deadlineMs + 200);
    expect(await store.settle(asked.key, asked.token, 'entry-1')).toBe('settled');
  });
});

describe('a cluster that has lost its majority', () => {
  test('decides nothing, says so within the deadline, and knows its claims when it is back', async () => {
    const { followers } = await cluster.roles();
    const asked = request({ token: 'a' });
    expect(await first.claim(asked)).toEqual({ kind: 'first' });
    await Promise.all(followers.map((node) => node.kill()));
    const startedAt = performance.now();
    const replies = await Promise.all([
      first.claim({ ...asked, token: 'b' }),
      first.claim(request()),
      first.settle(asked.key, 'a', 'entry-1'),
      first.moveOn({ ...asked, token: 'b' }, 'a'),
    ]);
    expect(performance.now() - startedAt).toBeLessThan(deadlineMs + 500);
    expect(replies).toEqual([
      { kind: 'unavailable', reason: expect.stringContaining('etcd') },
      { kind: 'unavailable', reason: expect.stringContaining('etcd') },
      'unavailable',
      'unavailable',
    ]);
    await cluster.heal();
    await untilAnswering(second, 30_000);
    expect(await second.claim({ ...asked, token: 'c' })).toMatchObject({ occurredAt: noon, token: 'a' });
  });
});

describe('a guard over etcd', () => {
  test('commits once of twenty transmissions at once, under a fencing token, and suppresses the rest', async () => {
    const guard = createGuard({ claims: first, leaseMs: 10_000, clock: fixedClock(noon) });
    const ledger = new OwnLedger();
    const scans = Array.from({ length: 20 }, (_, ms) => scanAt(ms).scan);
    const answers = await Promise.all(scans.map((scan) => guard(scan, ledger.commit)));
    expect(answers.filter(({ outcome }) => outcome === 'committed')).toHaveLength(1);
    const again = await guard(scanAt(0).scan, ledger.commit);
    expect(again).toMatchObject({ outcome: 'suppressed', of: 'row 1' });
    expect(ledger.rows).toMatchObject([{ fence: noon }]);
  });
});

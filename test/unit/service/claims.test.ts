import { describe, expect, test } from 'vitest';
import type { ClaimReply, ClaimRequest, ClaimStore } from '../../../src/claim/claim-store.ts';
import type { ReplicaWait } from '../../../src/claim/redis-claims.ts';
import { openClaims, WatchedClaims } from '../../../src/service/claims.ts';
import { loadConfig } from '../../../src/service/config.ts';

const asked: ClaimRequest = { key: 'scan:idem:test', occurredAt: 5, token: 'a', ttlMs: 3_500 };

/** How many claims were not kept as wanted, after these replies. */
async function notKept(wanted: ReplicaWait | undefined, ...replies: readonly ClaimReply[]): Promise<number> {
  const left = [...replies];
  const store: ClaimStore = {
    keyedBy: 'content',
    claim: async () => left.shift() ?? { kind: 'held' },
    settle: async () => 'settled',
    moveOn: async () => 'moved',
    close: async () => undefined,
  };
  const claims = new WatchedClaims(store, { nowMs: () => 0 }, wanted);
  for (const _ of replies) await claims.claim(asked);
  return claims.notKept;
}

describe('claims that were not kept as they should be', () => {
  test('are none where nobody waits', async () => {
    expect(await notKept(undefined, { kind: 'first' }, { kind: 'own' })).toBe(0);
  });

  test('are those that too few replicas had in time, or none is known to have had', async () => {
    const wanted = { count: 2, withinMs: 50 };
    expect(await notKept(wanted, { kind: 'first', replicas: 2 }, { kind: 'own', replicas: 3 })).toBe(0);
    expect(await notKept(wanted, { kind: 'first', replicas: 1 }, { kind: 'own', replicas: 0 }, { kind: 'first' })).toBe(3);
  });

  test('are those that were on no disk in time, or are not known to have been', async () => {
    const wanted = { count: 0, withinMs: 50, onDisk: true };
    expect(await notKept(wanted, { kind: 'first', replicas: 0, onDisk: true })).toBe(0);
    expect(await notKept(wanted, { kind: 'first', replicas: 2, onDisk: false }, { kind: 'first' })).toBe(2);
  });

  test('are never those of somebody else, nor what was no claim', async () => {
    const others: ClaimReply[] = [
      { kind: 'pending', occurredAt: 5, token: 'b' },
      { kind: 'unavailable', reason: 'away' },
    ];
    expect(await notKept({ count: 1, withinMs: 50 }, ...others, { kind: 'held' })).toBe(0);
  });
});

test.each([{ claim_keys: 'recipe' }, { redis_replicas: '1' }, { redis_wait_aof: 'true' }])(
  'without Redis %j makes no sense',
  async (flags) => {
    await expect(openClaims(loadConfig({ flags, environment: {} }))).rejects.toMatchObject({
      code: 'SG_CONFIG_INVALID',
      message: 'Settings: claim_keys, redis_replicas and redis_wait_aof need redis.',
    });
  },
);

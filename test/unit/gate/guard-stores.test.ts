/** What a guard makes of a store that fails, lies late, or is shared with others. */
import { describe, expect, test } from 'vitest';
import type { ClaimStore } from '../../../src/claim/claim-store.ts';
import { noon, scanAt } from '../../../src/testing/wire-scans.ts';
import { OwnLedger } from '../../support/own-ledger.ts';
import { clockSkewMs, crash, guarding, inWords, leaseMs, scan, settledTurn } from './guarding.ts';

const overMs = leaseMs + clockSkewMs;
const contentKey = `scan:idem:${scanAt(0).identity.content}`;

/** Answers a call by doing it and losing the reply, so many times. */
function losing(times: number, method: 'claim' | 'settle' | 'moveOn') {
  let left = times;
  return (whole: ClaimStore): Partial<ClaimStore> => ({
    [method]: async (...args: never[]) => {
      const reply = await (whole[method] as (...args: never[]) => Promise<unknown>)(...args);
      left -= 1;
      if (left < 0) return reply;
      return method === 'claim' ? { kind: 'unavailable', reason: 'the reply was lost' } : 'unavailable';
    },
  });
}

describe('a store whose reply is lost', () => {
  test('is asked again with the same token, and knows the claim', async () => {
    const { guard } = guarding(losing(1, 'claim'));
    expect(inWords(await guard(scan(), new OwnLedger().commit))).toBe('committed row 1 settled');
  });

  test('twice is not a decision: nothing is committed, and others are told to come back', async () => {
    const { guard } = guarding(losing(2, 'claim'));
    const ledger = new OwnLedger();
    expect(await guard(scan(), ledger.commit)).toEqual({
      outcome: 'unavailable',
      code: 'SG_CLAIM_FAILED',
      message: 'the reply was lost',
    });
    expect(inWords(await guard(scan(), ledger.commit))).toBe(`SG_CLAIM_HELD ${overMs}`);
    expect(ledger.rows).toEqual([]);
  });

  test('when it is settled is asked again', async () => {
    const { guard } = guarding(losing(1, 'settle'));
    expect(inWords(await guard(scan(), new OwnLedger().commit))).toBe('committed row 1 settled');
  });

  test('when a lease is taken over finds out whether it was', async () => {
    const { guard, clock } = guarding(losing(1, 'moveOn'));
    const ledger = new OwnLedger();
    crash(guard, scan());
    await settledTurn();
    clock.advance(overMs);
    expect(inWords(await guard(scan(300), ledger.commit, ledger))).toBe('committed row 1 settled');
    expect(ledger.rows).toMatchObject([{ pick: scanAt(0).identity.claimKey }]);
    expect(ledger.picksLookedUp).toHaveLength(1);
  });
});

describe('a store that cannot be reached', () => {
  test.each([
    ['answers so', async () => ({ kind: 'unavailable', reason: 'Redis cannot be reached.' }) as const],
    ['throws', () => Promise.reject(new Error('Redis cannot be reached.'))],
  ])('commits nothing, and says so when it %s', async (_how, claim) => {
    const { guard } = guarding(() => ({ claim }));
    const ledger = new OwnLedger();
    expect(await guard(scan(), ledger.commit)).toMatchObject({ code: 'SG_CLAIM_FAILED', message: 'Redis cannot be reached.' });
    expect(ledger.rows).toEqual([]);
  });

  test('after the commit leaves the claim open, and the look-up settles it', async () => {
    const { guard, clock, claims } = guarding(losing(0, 'settle'));
    const ledger = new OwnLedger();
    claims.settle = async () => 'unavailable';
    expect(inWords(await guard(scan(), ledger.commit))).toBe('committed row 1 unsettled');
    expect(inWords(await guard(scan(), ledger.commit))).toBe(`SG_CLAIM_HELD ${overMs}`);
    clock.advance(overMs);
    expect(inWords(await guard(scan(), ledger.commit, ledger))).toBe('suppressed row 1 ledger 0');
  });
});

describe('a store that answers late', () => {
  test('has no commit begun when the lease is over by then', async () => {
    const { guard } = guarding((whole, clock) => ({
      claim: async (request) => {
        const reply = await whole.claim(request);
        clock.advance(leaseMs);
        return reply;
      },
    }));
    const ledger = new OwnLedger();
    expect(inWords(await guard(scan(), ledger.commit))).toBe('SG_LEASE_OVER');
    expect(ledger.rows).toEqual([]);
  });

  test('has the commit begun when the lease has a millisecond left', async () => {
    const { guard } = guarding((whole, clock) => ({
      claim: async (request) => {
        const reply = await whole.claim(request);
        clock.advance(leaseMs - 1);
        return reply;
      },
    }));
    expect(inWords(await guard(scan(), new OwnLedger().commit))).toBe('committed row 1 settled');
  });
});

describe('a claim that is not of a guard', () => {
  test('is never taken over: it has no lease that could run out', async () => {
    const { guard, claims, clock } = guarding();
    await claims.claim({ key: contentKey, occurredAt: noon, token: 'of-a-gate', ttlMs: 60_000 });
    clock.advance(59_999);
    expect(inWords(await guard(scan(), new OwnLedger().commit))).toBe('SG_CLAIM_HELD');
    clock.advance(1);
    expect(inWords(await guard(scan(), new OwnLedger().commit))).toBe('committed row 1 settled');
  });

  test('and is of a worker of the recipe suppresses nothing', async () => {
    const { guard } = guarding(() => ({ keyedBy: 'pick', claim: async () => ({ kind: 'held' }) }));
    expect(inWords(await guard(scan(), new OwnLedger().commit))).toBe('SG_CLAIM_HELD');
  });
});

describe('a store that is keyed by the pick', () => {
  test('is asked for the claim key of the recipe', async () => {
    const keys: string[] = [];
    const { guard } = guarding((whole) => ({
      keyedBy: 'pick',
      claim: (request) => {
        keys.push(request.key);
        return whole.claim(request);
      },
    }));
    await guard(scan(), new OwnLedger().commit);
    expect(keys).toEqual([scanAt(0).identity.claimKey]);
  });
});

describe('two workers', () => {
  test('that come at once have one commit between them', async () => {
    const { guard } = guarding();
    const ledger = new OwnLedger();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => guard(scan(index), ledger.commit)));
    expect(answers.filter(({ outcome }) => outcome === 'committed')).toHaveLength(1);
    expect(ledger.rows).toHaveLength(1);
  });

  test('that take over one lease at once have one commit between them', async () => {
    const { guard, clock } = guarding();
    const ledger = new OwnLedger();
    crash(guard, scan());
    await settledTurn();
    clock.advance(overMs);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => guard(scan(index), ledger.commit, ledger)));
    expect(answers.filter(({ outcome }) => outcome === 'committed')).toHaveLength(1);
    expect(ledger.rows).toHaveLength(1);
    expect(ledger.picksLookedUp).toHaveLength(1);
  });
});

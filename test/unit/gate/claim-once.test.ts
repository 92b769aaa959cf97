import { describe, expect, test } from 'vitest';
import type { ClaimReply, ClaimRequest } from '../../../src/claim/claim-store.ts';
import { MemoryClaimStore } from '../../../src/claim/memory-claim-store.ts';
import { ClaimOnce, type ClaimOnceOptions } from '../../../src/gate/claim-once.ts';
import { defaultScannerClass } from '../../../src/identity/scanner-class.ts';
import { noon, scanAt } from '../../../src/testing/wire-scans.ts';
import { fixedClock } from '../../support/scans.ts';
import { scan } from './guarding.ts';

class FaultyStore extends MemoryClaimStore {
  /** How many of the next replies to claims are lost. */
  lost = 0;
  readonly requests: ClaimRequest[] = [];

  override async claim(request: ClaimRequest): Promise<ClaimReply> {
    this.requests.push(request);
    const reply = await super.claim(request);
    this.lost -= 1;
    return this.lost >= 0 ? { kind: 'unavailable', reason: 'the reply was lost' } : reply;
  }
}

function claimingOnce(options: Partial<ClaimOnceOptions> = {}) {
  const clock = fixedClock(noon);
  const claims = new FaultyStore(clock);
  return { clock, claims, once: new ClaimOnce({ claims, clock, ...options }) };
}

const failed = expect.objectContaining({ code: 'SG_CLAIM_FAILED', retryable: true });

describe('the boolean recipe', () => {
  test('says true to one transmission and false to the others, within the window and never across it', async () => {
    const { once } = claimingOnce();
    const answers: boolean[] = [];
    for (const ms of [0, 0, 2_999, 3_000, 5_999, 6_000]) answers.push(await once.claim(scan(ms)));
    expect(answers).toEqual([true, false, false, true, false, true]);
  });

  test('says true to one of fifty that come at once', async () => {
    const { once } = claimingOnce();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => once.claim(scan(index))));
    expect(answers.filter((answer) => answer)).toHaveLength(1);
  });

  test('keeps a claim for the window and its guard', async () => {
    const { once, claims } = claimingOnce();
    await once.claim(scan());
    expect(claims.requests).toMatchObject([{ key: `scan:idem:${scanAt(0).identity.content}`, ttlMs: 3_500 }]);
  });

  test('knows its own claim again when the reply was lost', async () => {
    const { once, claims } = claimingOnce();
    claims.lost = 1;
    expect(await once.claim(scan())).toBe(true);
  });

  test('throws when nobody can say, and says true to the retry whose claim was made all the same', async () => {
    const { once, claims } = claimingOnce();
    claims.lost = 2;
    await expect(once.claim(scan())).rejects.toEqual(failed);
    expect(await once.claim(scan())).toBe(true);
    expect(await once.claim(scan())).toBe(false);
  });

  test('says true to one of two retries at once', async () => {
    const { once, claims } = claimingOnce();
    claims.lost = 2;
    await expect(once.claim(scan())).rejects.toEqual(failed);
    expect(await Promise.all([once.claim(scan(100)), once.claim(scan(200))])).toEqual([true, false]);
  });

  test('does not take a later scan for the retry of one that nobody heard of', async () => {
    const { once, claims } = claimingOnce();
    claims.lost = 2;
    await expect(once.claim(scan())).rejects.toEqual(failed);
    expect(await once.claim(scan(3_000))).toBe(true);
    expect(claims.requests[0]?.token).not.toBe(claims.requests.at(-1)?.token);
  });

  test('forgets an attempt that nobody heard of when its claim has expired', async () => {
    const { once, claims, clock } = claimingOnce();
    claims.lost = 2;
    await expect(once.claim(scan())).rejects.toEqual(failed);
    clock.advance(3_500);
    await once.claim(scan());
    expect(claims.requests[0]?.token).not.toBe(claims.requests.at(-1)?.token);
  });

  test('throws for a scan that was made before the one that holds the claim', async () => {
    const { once } = claimingOnce();
    await once.claim(scan(5_000));
    await expect(once.claim(scan(0))).rejects.toEqual(expect.objectContaining({ code: 'SG_CLAIM_OVERTAKEN', retryable: true }));
  });

  test('says false to what a worker of the recipe holds, as the recipe does', async () => {
    const claims = Object.assign(new MemoryClaimStore(fixedClock()), {
      keyedBy: 'pick' as const,
      claim: async (): Promise<ClaimReply> => ({ kind: 'held' }),
    });
    expect(await new ClaimOnce({ claims }).claim(scan())).toBe(false);
  });

  test('refuses a window that makes no sense, before it claims', async () => {
    const { once, claims } = claimingOnce({ policy: () => ({ ...defaultScannerClass, windowMs: Number.NaN }) });
    await expect(once.claim(scan())).rejects.toEqual(expect.objectContaining({ code: 'SG_CONFIG_INVALID' }));
    expect(claims.requests).toEqual([]);
  });
});

/**
 * What every claim store promises. The same suite for each: `for (const { name, run } of claimStoreContract(open)) test(name, run)`.
 *
 * In: a factory that opens two stores over the same empty set of claims, and lets their clock go on. Out: cases that reject with
 * an `AssertionError` where the promise is not kept.
 */
import { deepEqual, equal } from 'node:assert/strict';
import type { ClaimReply, ClaimRequest, ClaimStore } from '../claim/claim-store.ts';
import { type ContractCase, casesOf, type Promised } from './contract-case.ts';
import { noon } from './wire-scans.ts';

/** Two stores over the same claims, as two workers share a server. */
export interface ClaimStorePair {
  readonly first: ClaimStore;
  readonly second: ClaimStore;
  /** Resolves when the store's own clock has gone on by so much. */
  later(ms: number): Promise<void>;
  close(): Promise<void>;
}

export function claimStoreContract(openPair: () => Promise<ClaimStorePair>): ContractCase[] {
  return casesOf(openPair, { ...claiming, ...settling, ...expiring, ...movingOn, ...racing });
}

const key = 'scan:idem:fc903c16bc08bcdbfbcc79c7d1ab181a19617bca675ecd8adc447d37e1231021';

/** Long enough not to run out by accident. */
const longMs = 60_000;
/** For claims that are waited for. */
const shortMs = 1_200;

const request = (token: string, changes: Partial<ClaimRequest> = {}): ClaimRequest => ({
  key,
  occurredAt: noon,
  token,
  ttlMs: longMs,
  ...changes,
});

const claiming: Promised<ClaimStorePair> = {
  async 'who comes first is told so, and who comes later is told who holds the claim'({ first, second }) {
    deepEqual(await first.claim(request('a')), { kind: 'first' });
    const pending = { kind: 'pending', occurredAt: noon, token: 'a' };
    deepEqual(await second.claim(request('b', { occurredAt: noon + 100 })), pending);
    deepEqual(await first.claim(request('c')), pending);
  },

  async 'an attempt that is repeated with its own token is told that the claim is its own'({ first, second }) {
    await first.claim(request('a'));
    deepEqual(await first.claim(request('a')), { kind: 'own' });
    deepEqual(await second.claim(request('a')), { kind: 'own' });
    deepEqual(await second.claim(request('b')), { kind: 'pending', occurredAt: noon, token: 'a' });
  },

  async 'each key is claimed for itself'({ first, second }) {
    deepEqual(await first.claim(request('a')), { kind: 'first' });
    deepEqual(await second.claim(request('b', { key: `${key}0` })), { kind: 'first' });
  },
};

const settling: Promised<ClaimStorePair> = {
  async 'a settled claim names the entry to whoever comes later'({ first, second }) {
    await first.claim(request('a'));
    equal(await first.settle(key, 'a', 'entry-1'), 'settled');
    deepEqual(await second.claim(request('b')), { kind: 'committed', occurredAt: noon, token: 'a', entryId: 'entry-1' });
  },

  async 'who does not hold the claim cannot settle it'({ first, second }) {
    await first.claim(request('a'));
    equal(await second.settle(key, 'b', 'entry-2'), 'stale');
    deepEqual(await second.claim(request('c')), { kind: 'pending', occurredAt: noon, token: 'a' });
    await first.settle(key, 'a', 'entry-1');
    equal(await second.settle(key, 'b', 'entry-2'), 'stale');
    deepEqual(await second.claim(request('c')), { kind: 'committed', occurredAt: noon, token: 'a', entryId: 'entry-1' });
  },

  async 'what was never claimed cannot be settled, and stays free'({ first, second }) {
    equal(await first.settle(key, 'a', 'entry-1'), 'stale');
    deepEqual(await second.claim(request('b')), { kind: 'first' });
  },
};

const expiring: Promised<ClaimStorePair> = {
  async 'a claim that nobody settled is free again when its time has run out'({ first, second, later }) {
    await first.claim(request('a', { ttlMs: shortMs }));
    equal((await second.claim(request('b'))).kind, 'pending');
    await later(shortMs + 50);
    deepEqual(await second.claim(request('c')), { kind: 'first' });
  },

  async 'settling does not lengthen a claim'({ first, second, later }) {
    await first.claim(request('a', { ttlMs: shortMs }));
    await later(shortMs / 2);
    equal(await first.settle(key, 'a', 'entry-1'), 'settled');
    await later(shortMs / 2 + 50);
    deepEqual(await second.claim(request('b')), { kind: 'first' });
  },

  async 'who asks again does not lengthen a claim'({ first, second, later }) {
    await first.claim(request('a', { ttlMs: shortMs }));
    await later(shortMs / 2);
    await first.claim(request('a'));
    await second.claim(request('b'));
    await later(shortMs / 2 + 50);
    deepEqual(await second.claim(request('c')), { kind: 'first' });
  },

  async 'who settles too late brings nothing back, and does not touch the claim of the next'({ first, second, later }) {
    await first.claim(request('a', { ttlMs: shortMs }));
    await later(shortMs + 50);
    equal(await first.settle(key, 'a', 'entry-1'), 'stale');
    deepEqual(await second.claim(request('b', { occurredAt: noon + 500 })), { kind: 'first' });
    equal(await first.settle(key, 'a', 'entry-1'), 'stale');
    deepEqual(await first.claim(request('c')), { kind: 'pending', occurredAt: noon + 500, token: 'b' });
  },
};

const movingOn: Promised<ClaimStorePair> = {
  async 'a claim moves on to a newcomer, and its old owner can do nothing more'({ first, second }) {
    await first.claim(request('a'));
    equal(await second.moveOn(request('b', { occurredAt: noon + 9_000 }), 'a'), 'moved');
    equal(await first.settle(key, 'a', 'entry-1'), 'stale');
    deepEqual(await first.claim(request('c')), { kind: 'pending', occurredAt: noon + 9_000, token: 'b' });
    equal(await second.settle(key, 'b', 'entry-2'), 'settled');
  },

  async 'a committed claim that moves on is pending again'({ first, second }) {
    await first.claim(request('a'));
    await first.settle(key, 'a', 'entry-1');
    equal(await second.moveOn(request('b', { occurredAt: noon + 9_000 }), 'a'), 'moved');
    deepEqual(await first.claim(request('c')), { kind: 'pending', occurredAt: noon + 9_000, token: 'b' });
  },

  async 'who names another owner than the present one moves nothing'({ first, second }) {
    await first.claim(request('a'));
    equal(await second.moveOn(request('b'), 'z'), 'stale');
    deepEqual(await second.claim(request('c')), { kind: 'pending', occurredAt: noon, token: 'a' });
    equal(await first.moveOn(request('d', { key: `${key}0` }), 'a'), 'stale');
    deepEqual(await first.claim(request('e', { key: `${key}0` })), { kind: 'first' });
  },

  async 'a claim that moved on lives its own time'({ first, second, later }) {
    await first.claim(request('a', { ttlMs: shortMs }));
    equal(await second.moveOn(request('b', { ttlMs: 10 * shortMs }), 'a'), 'moved');
    await later(shortMs + 50);
    deepEqual(await first.claim(request('c')), { kind: 'pending', occurredAt: noon, token: 'b' });
  },
};

/** The store that attempt number `index` goes through. */
const through = ({ first, second }: ClaimStorePair, index: number): ClaimStore => (index % 2 === 0 ? first : second);

const attempts = Array.from({ length: 50 }, (_, index) => index);

const racing: Promised<ClaimStorePair> = {
  async 'of fifty attempts at once exactly one is first, and all others are told of it'(pair) {
    const replies: ClaimReply[] = await Promise.all(
      attempts.map((index) => through(pair, index).claim(request(`token ${index}`))),
    );
    const winners = attempts.filter((index) => replies[index]?.kind === 'first');
    equal(winners.length, 1);
    const others = replies.filter((reply) => reply.kind !== 'first');
    deepEqual(
      others,
      others.map(() => ({ kind: 'pending', occurredAt: noon, token: `token ${winners[0]}` })),
    );
  },

  async 'of fifty newcomers that move one claim on at once exactly one moves it'(pair) {
    await pair.first.claim(request('a'));
    const ends = await Promise.all(attempts.map((index) => through(pair, index).moveOn(request(`token ${index}`), 'a')));
    equal(ends.filter((end) => end === 'moved').length, 1);
    equal(ends.filter((end) => end === 'stale').length, 49);
    const winner = `token ${ends.indexOf('moved')}`;
    deepEqual(await pair.first.claim(request('b')), { kind: 'pending', occurredAt: noon, token: winner });
  },
};

import { expect, test } from 'vitest';
import type { ClaimRequest } from '../../../src/claim/claim-store.ts';
import { MemoryClaimStore } from '../../../src/claim/memory-claim-store.ts';
import { noon } from '../../../src/testing/wire-scans.ts';

function storeWithClock() {
  let nowMs = noon;
  const later = (ms: number) => {
    nowMs += ms;
  };
  return { store: new MemoryClaimStore({ nowMs: () => nowMs }), later };
}

const request = (token: string, changes: Partial<ClaimRequest> = {}): ClaimRequest => ({
  key: 'scan:idem:0',
  occurredAt: noon,
  token,
  ttlMs: 3_500,
  ...changes,
});

test('a claim is held to the last millisecond of its time, by the clock of the store', async () => {
  const { store, later } = storeWithClock();
  await store.claim(request('a', { occurredAt: noon - 86_400_000 }));
  later(3_499);
  expect((await store.claim(request('b'))).kind).toBe('pending');
  later(1);
  expect((await store.claim(request('c'))).kind).toBe('first');
});

test.each([0, -1])('a claim for %i ms is held by nobody', async (ttlMs) => {
  const { store } = storeWithClock();
  expect((await store.claim(request('a', { ttlMs }))).kind).toBe('first');
  expect((await store.claim(request('b'))).kind).toBe('first');
});

test('of many claims that have run out none is in the way, and those that have not are kept', async () => {
  const { store, later } = storeWithClock();
  await store.claim(request('long', { key: 'long', ttlMs: 60_000 }));
  for (let index = 0; index < 3_000; index += 1) await store.claim(request(`a${index}`, { key: `key ${index}` }));
  later(3_500);
  for (let index = 0; index < 3_000; index += 1) {
    expect((await store.claim(request(`b${index}`, { key: `key ${index}` }))).kind).toBe('first');
  }
  expect(await store.claim(request('c', { key: 'long' }))).toEqual({ kind: 'pending', occurredAt: noon, token: 'long' });
});

test('a store that was closed holds nothing', async () => {
  const { store } = storeWithClock();
  await store.claim(request('a'));
  await store.close();
  expect((await store.claim(request('b'))).kind).toBe('first');
});

/** A guard over claims of this process, with a clock that stands still until it is moved. */
import type { ClaimStore } from '../../../src/claim/claim-store.ts';
import { MemoryClaimStore } from '../../../src/claim/memory-claim-store.ts';
import { createGuard, type Guard, type GuardOptions } from '../../../src/gate/guard.ts';
import type { GuardAnswer } from '../../../src/gate/guard-contract.ts';
import type { Scan } from '../../../src/scan/scan.ts';
import { noon, scanAt, type WireChanges } from '../../../src/testing/wire-scans.ts';
import { type FixedClock, fixedClock } from '../../support/scans.ts';

export const leaseMs = 10_000;
export const clockSkewMs = 1_000;

/** A scan so many ms after noon. */
export function scan(ms = 0, changes?: WireChanges): Scan {
  return scanAt(ms, changes).scan;
}

export interface Guarding {
  readonly guard: Guard;
  readonly clock: FixedClock;
  readonly claims: ClaimStore;
}

/** @param methods of the store that shall do something else; each is given the whole store. */
export function guarding(
  methods: (whole: ClaimStore, clock: FixedClock) => Partial<ClaimStore> = () => ({}),
  options: Partial<GuardOptions> = {},
): Guarding {
  const clock = fixedClock(noon);
  const memory = new MemoryClaimStore(clock);
  const whole: ClaimStore = {
    keyedBy: 'content',
    claim: (request) => memory.claim(request),
    settle: (...args) => memory.settle(...args),
    moveOn: (...args) => memory.moveOn(...args),
    close: () => memory.close(),
  };
  const claims = { ...whole, ...methods(whole, clock) };
  return { guard: createGuard({ claims, leaseMs, clockSkewMs, clock, ...options }), clock, claims };
}

/** `committed row 1 settled`, `suppressed row 1 claim 400`, or the code of why nothing is known. */
export function inWords(answer: GuardAnswer): string {
  switch (answer.outcome) {
    case 'committed':
      return `committed ${answer.reference} ${answer.claim}`;
    case 'suppressed':
      return `suppressed ${answer.of} ${answer.arbiter} ${answer.gapMs}`;
    case 'unavailable':
      return answer.retryAfterMs === undefined ? answer.code : `${answer.code} ${answer.retryAfterMs}`;
  }
}

/** A worker that claims, and of whom nothing is heard any more. */
export function crash(guard: Guard, crashed: Scan): void {
  void guard(crashed, () => new Promise(() => {}));
}

/** Lets everything that needs no clock come to its end. */
export function settledTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

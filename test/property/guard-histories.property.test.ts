/**
 * Transmissions one after the other, in any order of their times, to workers of which some die and claims of which some are forgotten:
 * with a look-up the ledger ends as the window rule wants it. A failure prints its seed and path.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryClaimStore } from '../../src/claim/memory-claim-store.ts';
import { createGuard } from '../../src/gate/guard.ts';
import type { Commit } from '../../src/gate/guard-contract.ts';
import { noon, scanAt } from '../../src/testing/wire-scans.ts';
import { OwnLedger } from '../support/own-ledger.ts';
import { fixedClock } from '../support/scans.ts';

const windowMs = 3_000;
const leaseMs = 1_000;

const step = fc.record({
  ms: fc.oneof(fc.integer({ min: 0, max: 12_000 }), fc.constantFrom(0, 2_999, 3_000, 3_001, 6_000, 8_999, 9_000)),
  fate: fc.constantFrom('none', 'none', 'dies before it writes', 'dies after it has written', 'claims are forgotten first'),
  /** How long until the next, ms. */
  pauseMs: fc.constantFrom(0, leaseMs, 2 * leaseMs, 20_000),
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the guard, with a look-up', () => {
  it('has no two rows within one window, and every transmission within the window of a row', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        const clock = fixedClock(noon + 12_000);
        const ledger = new OwnLedger();
        let claims = new MemoryClaimStore(clock);
        const sent = async (ms: number, commit: Commit) =>
          createGuard({ claims, leaseMs, clockSkewMs: 0, clock })(scanAt(ms).scan, commit, ledger);
        for (const { ms, fate, pauseMs } of steps) {
          if (fate === 'claims are forgotten first') claims = new MemoryClaimStore(clock);
          void sent(ms, (lease) => {
            if (fate === 'dies before it writes') return new Promise(() => {});
            const end = ledger.write(lease);
            return fate === 'dies after it has written' ? new Promise(() => {}) : Promise.resolve(end);
          });
          await turn();
          clock.advance(pauseMs);
        }
        for (const { ms } of steps) {
          clock.advance(leaseMs);
          const answer = await sent(ms, ledger.commit);
          expect(answer).not.toMatchObject({ outcome: 'unavailable' });
          const row = ledger.rows.find(({ reference }) => answer.outcome === 'suppressed' && reference === answer.of);
          if (answer.outcome === 'suppressed') expect(Math.abs((row?.occurredAt ?? 0) - noon - ms)).toBeLessThan(windowMs);
        }
        const times = ledger.rows.map(({ occurredAt }) => occurredAt).sort((a, b) => a - b);
        const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
        expect(gaps.filter((gap) => gap < windowMs)).toEqual([]);
        expect(times.filter((time) => !steps.some(({ ms }) => noon + ms === time))).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });
});

/** Workers whose steps come in any order that a network and a scheduler could bring about. A failure prints its seed and path. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClaimStore } from '../../src/claim/claim-store.ts';
import { MemoryClaimStore } from '../../src/claim/memory-claim-store.ts';
import { ClaimOnce } from '../../src/gate/claim-once.ts';
import { createGuard, type Guard } from '../../src/gate/guard.ts';
import type { Commit, GuardAnswer } from '../../src/gate/guard-contract.ts';
import { noon, scanAt } from '../../src/testing/wire-scans.ts';
import { OwnLedger } from '../support/own-ledger.ts';
import { type FixedClock, fixedClock } from '../support/scans.ts';

const leaseMs = 1_000;
const clockSkewMs = 100;
const pickAtNoon = scanAt(0).identity.claimKey;

/** What goes wrong with a worker, and where. */
const fates = [
  'none',
  'dies before it writes',
  'dies after it has written',
  'throws after it has written',
  'is refused',
] as const;
type Fate = (typeof fates)[number];

interface Worker {
  /** Times of its transmissions, all of one physical scan, ms after noon. */
  readonly ms: number;
  readonly fate: Fate;
}

const worker = fc.record({ ms: fc.integer({ min: 0, max: 2_999 }), fate: fc.constantFrom(...fates) });
/** The first is at noon, so that whoever is elected first, all are within one window of it. */
const workers = fc.array(worker, { minLength: 2, maxLength: 5 });

interface World {
  readonly scheduler: fc.Scheduler;
  readonly clock: FixedClock;
  readonly ledger: OwnLedger;
  readonly guard: Guard;
  readonly claims: ClaimStore;
}

/** @param lost which replies of the store are lost, in order; those after the last one come. */
function worldOf(scheduler: fc.Scheduler, ledger: OwnLedger, lost: readonly boolean[] = []): World {
  const clock = fixedClock(noon);
  const memory = new MemoryClaimStore(clock);
  const losses = [...lost];
  /** The call takes its time to arrive, and its reply to come back, or it never does. */
  const travelled = async <T>(what: string, run: () => Promise<T>, instead: T): Promise<T> => {
    await scheduler.schedule(Promise.resolve(), `${what} arrives`);
    const reply = await run();
    await scheduler.schedule(Promise.resolve(), `${what} is answered`);
    return losses.shift() === true ? instead : reply;
  };
  const claims: ClaimStore = {
    keyedBy: 'content',
    claim: (request) => travelled('claim', () => memory.claim(request), { kind: 'unavailable', reason: 'lost' }),
    settle: (...args) => travelled<'settled' | 'stale' | 'unavailable'>('settle', () => memory.settle(...args), 'unavailable'),
    moveOn: (...args) => travelled<'moved' | 'stale' | 'unavailable'>('move on', () => memory.moveOn(...args), 'unavailable'),
    close: () => memory.close(),
  };
  return { scheduler, clock, ledger, claims, guard: createGuard({ claims, leaseMs, clockSkewMs, clock }) };
}

const never = new Promise<never>(() => {});

function commitOf({ scheduler, ledger }: World, fate: Fate): Commit {
  return async (lease) => {
    await scheduler.schedule(Promise.resolve(), 'commit arrives');
    if (fate === 'dies before it writes') return never;
    if (fate === 'is refused') return { kind: 'not_written', reason: 'refused' };
    const end = ledger.write(lease);
    await scheduler.schedule(Promise.resolve(), 'commit is answered');
    if (fate === 'dies after it has written') return never;
    if (fate === 'throws after it has written') throw new Error('reset');
    return end;
  };
}

/** All workers at once, each as far as it comes; the answers that were given. */
async function ran(world: World, given: readonly Worker[]): Promise<GuardAnswer[]> {
  const answers: GuardAnswer[] = [];
  for (const { ms, fate } of given) {
    const lookup = async (pick: string) => {
      await world.scheduler.schedule(Promise.resolve(), 'look-up arrives');
      return world.ledger.lookup(pick);
    };
    void world.guard(scanAt(ms).scan, commitOf(world, fate), { lookup }).then((answer) => answers.push(answer));
  }
  await world.scheduler.waitIdle();
  return answers;
}

/** Sent once more, when every lease has run out, to a worker that nothing happens to. */
async function sentAgain(world: World, ms: number): Promise<GuardAnswer | undefined> {
  world.clock.advance(leaseMs + clockSkewMs);
  const [answer] = await ran(world, [{ ms, fate: 'none' }]);
  return answer;
}

function expectReferencesToExist(answers: readonly GuardAnswer[], { rows }: OwnLedger): void {
  const references = answers.flatMap((answer) => (answer.outcome === 'suppressed' ? [answer.of] : []));
  expect(references.filter((of) => !rows.some(({ reference }) => reference === of))).toEqual([]);
}

describe('the guard, whatever the order of steps', () => {
  it('has one row, and one committed answer, where all workers live', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.integer({ min: 0, max: 2_999 }), { minLength: 2, maxLength: 6 }),
        async (s, times) => {
          const world = worldOf(s, new OwnLedger());
          const answers = await ran(
            world,
            times.map((ms) => ({ ms, fate: 'none' })),
          );
          expect(answers).toHaveLength(times.length);
          expect(world.ledger.rows).toHaveLength(1);
          expect(answers.filter(({ outcome }) => outcome === 'committed')).toHaveLength(1);
          expectReferencesToExist(answers, world.ledger);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('has one row in the end, with a look-up and no constraint, where workers die or fail anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), workers, async (s, given) => {
        const world = worldOf(s, new OwnLedger());
        const answers = await ran(world, given);
        const last = [await sentAgain(world, 0), await sentAgain(world, 0)];
        expect(world.ledger.rows).toHaveLength(1);
        expect(last[1]).toMatchObject({ outcome: 'suppressed', of: 'row 1' });
        expectReferencesToExist(answers, world.ledger);
      }),
      { numRuns: 300 },
    );
  });

  it('has one row in the end, with a look-up, where replies of the store are lost as well', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), workers, fc.array(fc.boolean(), { maxLength: 12 }), async (s, given, lost) => {
        const world = worldOf(s, new OwnLedger(), lost);
        const answers = await ran(world, given);
        for (let round = 0; round < 14; round += 1) await sentAgain(world, 0);
        expect(world.ledger.rows).toHaveLength(1);
        expectReferencesToExist(answers, world.ledger);
      }),
      { numRuns: 200 },
    );
  });

  it('has one row of a pick in a ledger that lets none stand twice, where workers pause for longer than their lease', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), workers, fc.integer({ min: 1, max: 3 }), async (s, given, pauses) => {
        const ledger = new OwnLedger({ unique: true });
        const world = worldOf(s, ledger);
        for (let pause = 0; pause < pauses; pause += 1) {
          void s.schedule(Promise.resolve(), 'everybody pauses').then(() => world.clock.advance(leaseMs + clockSkewMs));
        }
        // All at the time of the first, so that all who meet have one name for the pick.
        const answers = await ran(
          world,
          given.map(({ fate }) => ({ ms: 0, fate })),
        );
        await sentAgain(world, 0);
        await sentAgain(world, 0);
        expect(ledger.rows.map(({ pick }) => pick)).toEqual([pickAtNoon]);
        expect(answers.filter(({ outcome }) => outcome === 'committed').length).toBeLessThanOrEqual(1);
        expectReferencesToExist(answers, ledger);
      }),
      { numRuns: 300 },
    );
  });

  it('never gives two leases of a pick one fencing token', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), workers, fc.integer({ min: 1, max: 4 }), async (s, given, pauses) => {
        const world = worldOf(s, new OwnLedger());
        for (let pause = 0; pause < pauses; pause += 1) {
          void s.schedule(Promise.resolve(), 'everybody pauses').then(() => world.clock.advance(leaseMs + clockSkewMs));
        }
        await ran(
          world,
          given.map(({ fate }) => ({ ms: 0, fate })),
        );
        await sentAgain(world, 0);
        const fences = world.ledger.rows.map(({ fence }) => fence);
        expect(new Set(fences).size).toBe(fences.length);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the boolean recipe, whatever the order of steps', () => {
  it('says true once in each window', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.integer({ min: 0, max: 2_999 }), { minLength: 2, maxLength: 6 }),
        async (s, times) => {
          const { claims, clock } = worldOf(s, new OwnLedger());
          const asked = times.map((ms) => new ClaimOnce({ claims, clock }).claim(scanAt(ms).scan));
          await s.waitIdle();
          expect((await Promise.all(asked)).filter((first) => first)).toHaveLength(1);
        },
      ),
      { numRuns: 200 },
    );
  });
});

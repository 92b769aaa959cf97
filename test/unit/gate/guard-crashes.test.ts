/** What becomes of a scan whose worker dies, hangs or fails between its claim and the word that it is committed. */
import { describe, expect, test } from 'vitest';
import type { Commit, CommitEnd, CommitLease } from '../../../src/gate/guard-contract.ts';
import { noon, scanAt } from '../../../src/testing/wire-scans.ts';
import { later, OwnLedger } from '../../support/own-ledger.ts';
import { clockSkewMs, crash, guarding, inWords, leaseMs, scan, settledTurn } from './guarding.ts';

const pickAtNoon = scanAt(0).identity.claimKey;
/** When the lease of a worker that claimed at noon can be taken over. */
const overMs = leaseMs + clockSkewMs;

describe('a worker that dies between its claim and its commit', () => {
  test('has nobody told that the scan is a duplicate: it is unavailable until the lease has run out', async () => {
    const { guard, clock } = guarding();
    const ledger = new OwnLedger();
    crash(guard, scan());
    await settledTurn();
    expect(inWords(await guard(scan(300), ledger.commit))).toBe(`SG_CLAIM_HELD ${overMs}`);
    clock.advance(overMs - 1);
    expect(inWords(await guard(scan(300), ledger.commit))).toBe('SG_CLAIM_HELD 1');
    expect(ledger.rows).toEqual([]);
    clock.advance(1);
    expect(inWords(await guard(scan(300), ledger.commit))).toBe('committed row 1 settled');
  });

  test('leaves its pick, its name and its time to who takes it over, with a greater fencing token', async () => {
    const { guard, clock } = guarding();
    const ledger = new OwnLedger();
    crash(guard, scan());
    await settledTurn();
    clock.advance(overMs);
    const leases: CommitLease[] = [];
    const commit: Commit = async (lease) => {
      leases.push(lease);
      return ledger.write(lease);
    };
    await guard(scan(2_900), commit);
    expect(leases).toMatchObject([{ pick: pickAtNoon, occurredAt: noon, fence: noon + overMs, mayExist: true }]);
    // The window stays where the first scan began it.
    expect(inWords(await guard(scan(2_999), commit))).toBe('suppressed row 1 claim 2999');
    expect(inWords(await guard(scan(3_000), commit))).toBe('committed row 2 settled');
  });

  test('costs one look-up, and then the scan is committed', async () => {
    const { guard, clock } = guarding();
    const ledger = new OwnLedger();
    crash(guard, scan());
    await settledTurn();
    clock.advance(overMs);
    expect(inWords(await guard(scan(), ledger.commit, ledger))).toBe('committed row 1 settled');
    expect(ledger.picksLookedUp).toEqual([pickAtNoon]);
  });

  test('does not hold up a later scan of its content for longer than its lease', async () => {
    const { guard, clock } = guarding();
    const ledger = new OwnLedger();
    crash(guard, scan());
    await settledTurn();
    expect(inWords(await guard(scan(5_000), ledger.commit))).toBe(`SG_CLAIM_HELD ${overMs}`);
    clock.advance(overMs);
    expect(inWords(await guard(scan(5_000), ledger.commit))).toBe('committed row 1 settled');
    expect(ledger.rows.map(({ pick }) => pick)).toEqual([scanAt(5_000).identity.claimKey]);
    // What it left open itself is still decided by the ledger, when it comes again.
    expect(inWords(await guard(scan(), ledger.commit, ledger))).toBe('committed row 2 settled');
  });
});

describe('a worker that dies between its commit and the word of it', () => {
  test('is found in the ledger, and the scan is suppressed with its reference', async () => {
    const { guard, clock } = guarding();
    const ledger = new OwnLedger();
    void guard(scan(), (lease) => {
      ledger.write(lease);
      return new Promise(() => {});
    });
    await settledTurn();
    clock.advance(overMs);
    expect(inWords(await guard(scan(300), ledger.commit, ledger))).toBe('suppressed row 1 ledger 300');
    expect(inWords(await guard(scan(300), ledger.commit, ledger))).toBe('suppressed row 1 claim 300');
    expect(ledger.rows).toHaveLength(1);
  });

  test('is found by the ledger itself where that has a constraint and no look-up', async () => {
    const { guard, clock } = guarding();
    const ledger = new OwnLedger({ unique: true });
    void guard(scan(), (lease) => {
      ledger.write(lease);
      return new Promise(() => {});
    });
    await settledTurn();
    clock.advance(overMs);
    expect(inWords(await guard(scan(300), ledger.commit))).toBe('suppressed row 1 ledger 300');
    expect(inWords(await guard(scan(), ledger.commit))).toBe('suppressed row 1 claim 0');
  });

  test('is looked up also when its claim was forgotten long ago, because the scan is older than claims are kept', async () => {
    const { guard, clock } = guarding();
    const ledger = new OwnLedger();
    await guard(scan(), ledger.commit);
    clock.advance(3_500 + overMs);
    expect(inWords(await guard(scan(), ledger.commit, ledger))).toBe('suppressed row 1 ledger 0');
  });

  test('is not found, and says so, where there is neither a look-up nor a constraint', async () => {
    const { guard, clock } = guarding();
    const ledger = new OwnLedger();
    await guard(scan(), ledger.commit);
    clock.advance(3_500 + overMs);
    const leases: CommitLease[] = [];
    await guard(scan(), async (lease) => {
      leases.push(lease);
      return ledger.write(lease);
    });
    expect(leases).toMatchObject([{ mayExist: true }]);
    expect(ledger.rows.map(({ pick }) => pick)).toEqual([pickAtNoon, pickAtNoon]);
  });
});

describe('a claim that has run out', () => {
  /** How long it is kept. */
  const keptMs = 3_000 + 500 + overMs;

  async function mayExistOf(atMs: number, occurredMs: number): Promise<boolean | undefined> {
    const { guard, clock } = guarding();
    clock.advance(atMs);
    const leases: CommitLease[] = [];
    await guard(scan(occurredMs), async (lease) => {
      leases.push(lease);
      return { kind: 'not_written', reason: 'the cabinet is locked' };
    });
    return leases[0]?.mayExist;
  }

  test.each([
    [keptMs - clockSkewMs - 1, false],
    // The clock of who claimed it before can be so far behind.
    [keptMs - clockSkewMs, true],
    [keptMs, true],
  ])('can have been there %i ms after the scan: %s', async (ms, mayExist) => {
    expect(await mayExistOf(ms, 0)).toBe(mayExist);
  });

  test('was kept so much longer as the clock of the device is ahead', async () => {
    const { guard, clock } = guarding();
    const ledger = new OwnLedger();
    await guard(scan(30_000), ledger.commit);
    clock.advance(30_000 + keptMs - 1);
    expect(inWords(await guard(scan(30_000), ledger.commit))).toBe('suppressed row 1 claim 0');
    expect(await mayExistOf(30_000 + keptMs, 30_000)).toBe(true);
  });

  test('was kept so much longer as the scan that took it over, or the one that it was of, is ahead', async () => {
    for (const [first, second] of [
      [30_000, 32_000],
      [32_000, 30_000],
    ] as const) {
      const { guard, clock } = guarding();
      const ledger = new OwnLedger();
      await guard(scan(first), async () => ({ kind: 'not_written', reason: 'the cabinet is locked' }));
      await guard(scan(second), ledger.commit);
      clock.advance(32_000 + keptMs - 1);
      expect(inWords(await guard(scan(first), ledger.commit))).toBe('suppressed row 1 claim 0');
    }
  });
});

describe('a commit', () => {
  test('that throws may have written: it is unavailable, and others wait for the lease and then look it up', async () => {
    const { guard, clock } = guarding();
    const ledger = new OwnLedger();
    const cause = new Error('the connection was reset');
    const broken: Commit = async (lease) => {
      ledger.write(lease);
      throw cause;
    };
    expect(await guard(scan(), broken)).toEqual({
      outcome: 'unavailable',
      code: 'SG_COMMIT_UNKNOWN',
      message: 'the connection was reset',
      cause,
    });
    expect(inWords(await guard(scan(), ledger.commit, ledger))).toBe(`SG_CLAIM_HELD ${overMs}`);
    clock.advance(overMs);
    expect(inWords(await guard(scan(), ledger.commit, ledger))).toBe('suppressed row 1 ledger 0');
  });

  test('that has certainly written nothing gives its lease up, and the next attempt goes on at once', async () => {
    const { guard } = guarding();
    const ledger = new OwnLedger();
    const refused = await guard(scan(), async () => ({ kind: 'not_written', reason: 'the cabinet is locked' }));
    expect(refused).toEqual({ outcome: 'unavailable', code: 'SG_COMMIT_REFUSED', message: 'the cabinet is locked' });
    expect(inWords(await guard(scan(100), ledger.commit))).toBe('committed row 1 settled');
    expect(ledger.rows).toMatchObject([{ pick: pickAtNoon }]);
  });

  test('that outlives its lease says that the claim was lost, when somebody took it over', async () => {
    const { guard, clock } = guarding();
    const ledger = new OwnLedger();
    const slow = later<CommitEnd>();
    const first = guard(scan(), () => slow.promise);
    await settledTurn();
    clock.advance(overMs);
    expect(inWords(await guard(scan(), ledger.commit))).toBe('committed row 1 settled');
    slow.resolve(ledger.write({ pick: pickAtNoon, fence: noon, occurredAt: noon }));
    expect(inWords(await first)).toBe('committed row 2 lost');
  });

  test('that outlives its lease is told by a ledger with a constraint that the pick is there already', async () => {
    const { guard, clock } = guarding();
    const ledger = new OwnLedger({ unique: true });
    const slow = later<void>();
    const first = guard(scan(), async (lease) => {
      await slow.promise;
      return ledger.write(lease);
    });
    await settledTurn();
    clock.advance(overMs);
    await guard(scan(), ledger.commit);
    slow.resolve();
    expect(inWords(await first)).toBe('suppressed row 1 ledger 0');
    expect(ledger.rows).toHaveLength(1);
  });

  test('that outlives its lease without being missed is committed and settled', async () => {
    const { guard, clock } = guarding();
    const slow = later<CommitEnd>();
    const first = guard(scan(), () => slow.promise);
    await settledTurn();
    clock.advance(leaseMs + 10);
    slow.resolve({ kind: 'committed', reference: 'row 1' });
    expect(inWords(await first)).toBe('committed row 1 settled');
  });
});

describe('a look-up', () => {
  test('that fails leaves the scan undecided, and the next attempt looks up again at once', async () => {
    const { guard, clock } = guarding();
    const ledger = new OwnLedger();
    crash(guard, scan());
    await settledTurn();
    clock.advance(overMs);
    const cause = new Error('too many connections');
    const lookup = () => Promise.reject(cause);
    expect(await guard(scan(), ledger.commit, { lookup })).toMatchObject({ code: 'SG_LOOKUP_FAILED', cause });
    expect(ledger.rows).toEqual([]);
    expect(inWords(await guard(scan(), ledger.commit, ledger))).toBe('committed row 1 settled');
    expect(ledger.picksLookedUp).toEqual([pickAtNoon]);
  });
});

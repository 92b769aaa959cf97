import { describe, expect, test } from 'vitest';
import { ScanGateError } from '../../../src/base/errors.ts';
import { createGuard } from '../../../src/gate/guard.ts';
import type { Commit, CommitEnd, CommitLease, LedgerEntry } from '../../../src/gate/guard-contract.ts';
import { defaultScannerClass } from '../../../src/identity/scanner-class.ts';
import { noon, scanAt } from '../../../src/testing/wire-scans.ts';
import { OwnLedger } from '../../support/own-ledger.ts';
import { clockSkewMs, guarding, inWords, leaseMs, scan, settledTurn } from './guarding.ts';

describe('a scan that comes first', () => {
  test('is committed under its pick, with a fencing token and the end of its lease', async () => {
    const { guard } = guarding();
    const leases: CommitLease[] = [];
    const answer = await guard(scan(), async (lease) => {
      leases.push(lease);
      return { kind: 'committed', reference: 'row 7' };
    });
    const pick = scanAt(0).identity.claimKey;
    expect(answer).toEqual({
      outcome: 'committed',
      reference: 'row 7',
      pick,
      occurredAt: noon,
      fence: noon,
      claim: 'settled',
    });
    expect(leases).toEqual([{ scan: scan(), pick, occurredAt: noon, fence: noon, leaseEndsAt: noon + leaseMs, mayExist: false }]);
  });

  test('is looked up before it is committed, because the store could have forgotten it', async () => {
    const { guard } = guarding();
    const ledger = new OwnLedger();
    ledger.write({ pick: scanAt(0).identity.claimKey, fence: 1, occurredAt: noon });
    expect(inWords(await guard(scan(), ledger.commit, ledger))).toBe('suppressed row 1 ledger 0');
    expect(inWords(await guard(scan(5_000), ledger.commit, ledger))).toBe('committed row 2 settled');
    expect(ledger.picksLookedUp).toEqual([0, 5_000].map((ms) => scanAt(ms).identity.claimKey));
  });
});

describe('a scan of the same content', () => {
  test.each([
    [0, 'suppressed row 1 claim 0'],
    [400, 'suppressed row 1 claim 400'],
    [2_999, 'suppressed row 1 claim 2999'],
    [-2_999, 'suppressed row 1 claim 2999'],
    [3_000, 'committed row 2 settled'],
  ])('%s ms from the committed one is: %s %s', async (ms, words) => {
    const { guard } = guarding();
    const ledger = new OwnLedger();
    await guard(scan(), ledger.commit);
    expect(inWords(await guard(scan(ms), ledger.commit))).toBe(words);
  });

  test('is suppressed with the name and the time of the pick that was committed', async () => {
    const { guard } = guarding();
    const ledger = new OwnLedger();
    await guard(scan(2_900), ledger.commit);
    expect(await guard(scan(3_100), ledger.commit)).toEqual({
      outcome: 'suppressed',
      of: 'row 1',
      pick: scanAt(2_900).identity.claimKey,
      occurredAt: noon + 2_900,
      gapMs: 200,
      windowMs: 3_000,
      arbiter: 'claim',
    });
    expect(ledger.rows).toHaveLength(1);
  });

  test('moves the claim on to itself when it is outside the window, and anchors it there', async () => {
    const { guard } = guarding();
    const ledger = new OwnLedger();
    for (const ms of [0, 3_000, 5_999, 6_000]) await guard(scan(ms), ledger.commit);
    expect(ledger.rows.map(({ pick }) => pick)).toEqual([0, 3_000, 6_000].map((ms) => scanAt(ms).identity.claimKey));
  });

  test('has a greater fencing token the later it is committed, also when the clock stands still', async () => {
    const { guard } = guarding();
    const ledger = new OwnLedger();
    for (const ms of [0, 3_000, 6_000]) await guard(scan(ms), ledger.commit);
    expect(ledger.rows.map(({ fence }) => fence)).toEqual([noon, noon + 1, noon + 2]);
  });

  test('with a serial of its own is a scan of its own', async () => {
    const { guard } = guarding();
    const ledger = new OwnLedger();
    await guard(scan(0, { serial_number: 'S1' }), ledger.commit);
    expect(inWords(await guard(scan(0, { serial_number: 'S2' }), ledger.commit))).toBe('committed row 2 settled');
  });

  test('is judged by the window of its own scanner', async () => {
    const { guard } = guarding(undefined, { policy: () => ({ ...defaultScannerClass, windowMs: 500 }) });
    const ledger = new OwnLedger();
    await guard(scan(), ledger.commit);
    expect(inWords(await guard(scan(499), ledger.commit))).toBe('suppressed row 1 claim 499');
    expect(inWords(await guard(scan(500), ledger.commit))).toBe('committed row 2 settled');
  });
});

describe('a scan that was made before the one that holds the claim, outside its window', () => {
  async function overtaken() {
    const { guard } = guarding();
    const ledger = new OwnLedger();
    await guard(scan(0), ledger.commit);
    await guard(scan(5_000), ledger.commit);
    return { guard, ledger };
  }

  test('is not guessed about: it is unavailable where there is no look-up', async () => {
    const { guard, ledger } = await overtaken();
    expect(inWords(await guard(scan(0), ledger.commit))).toBe('SG_CLAIM_OVERTAKEN');
    expect(inWords(await guard(scan(-9_000), ledger.commit))).toBe('SG_CLAIM_OVERTAKEN');
    expect(ledger.rows).toHaveLength(2);
  });

  test('is suppressed when the ledger holds its pick, by the ledger first and by the claim from then on', async () => {
    const { guard, ledger } = await overtaken();
    const { lookup } = ledger;
    expect(inWords(await guard(scan(0), ledger.commit, { lookup }))).toBe('suppressed row 1 ledger 0');
    expect(inWords(await guard(scan(0), ledger.commit, { lookup }))).toBe('suppressed row 1 claim 0');
    expect(ledger.picksLookedUp).toEqual([scanAt(0).identity.claimKey]);
  });

  test('is committed once when the ledger does not hold it', async () => {
    const { guard, ledger } = await overtaken();
    const { lookup } = ledger;
    expect(inWords(await guard(scan(-9_000), ledger.commit, { lookup }))).toBe('committed row 3 settled');
    expect(inWords(await guard(scan(-9_000), ledger.commit, { lookup }))).toBe('suppressed row 3 claim 0');
  });
});

describe('scans that come in the wrong order', () => {
  test('are each decided by the ledger, also where one was found under another pick than its own', async () => {
    const { guard } = guarding();
    const ledger = new OwnLedger();
    const answers: string[] = [];
    for (const ms of [3_000, 6_000, 2_999, 0, 2_999, 0]) answers.push(inWords(await guard(scan(ms), ledger.commit, ledger)));
    expect(answers).toEqual([
      'committed row 1 settled',
      'committed row 2 settled',
      'suppressed row 1 ledger 1',
      'committed row 3 settled',
      'suppressed row 3 claim 2999',
      'suppressed row 3 claim 0',
    ]);
  });
});

describe('a scan between two others, less than a window from each', () => {
  test('has no second row when it takes over the lease of the later one', async () => {
    const { guard } = guarding();
    const ledger = new OwnLedger();
    const refuses: Commit = async () => ({ kind: 'not_written', reason: 'the cabinet is locked' });
    await guard(scan(0), refuses, ledger);
    expect(inWords(await guard(scan(1_600), ledger.commit, ledger))).toBe('committed row 1 settled');
    await guard(scan(3_700), refuses, ledger);
    expect(inWords(await guard(scan(1_600), ledger.commit, ledger))).toBe('suppressed row 1 ledger 1600');
    expect(inWords(await guard(scan(3_700), ledger.commit, ledger))).toBe('committed row 2 settled');
    expect(ledger.rows.map(({ occurredAt }) => occurredAt)).toEqual([noon, noon + 3_700]);
  });
});

describe('a scan whose claim the store has forgotten', () => {
  /** A ledger that holds a scan of noon, so many ms later, and claims that know nothing of it. */
  function forgotten(ms: number) {
    const ledger = new OwnLedger();
    ledger.write({ pick: scanAt(ms).identity.claimKey, fence: 1, occurredAt: noon + ms });
    return { ...guarding(), ledger };
  }

  test.each([
    [2_900, 3_100, 'suppressed row 1 ledger 200'],
    [3_100, 2_900, 'suppressed row 1 ledger 200'],
    [2_900, 5_899, 'suppressed row 1 ledger 2999'],
    [2_900, 5_900, 'committed row 2 settled'],
    [100, 3_100, 'committed row 2 settled'],
  ])('and that the ledger holds at %s ms is found beside the edge of a window index: %s ms is %s', async (at, ms, words) => {
    const { guard, ledger } = forgotten(at);
    expect(inWords(await guard(scan(ms), ledger.commit, ledger))).toBe(words);
  });

  test('does not have its window moved by a transmission that found it in the ledger', async () => {
    const { guard, ledger } = forgotten(0);
    expect(inWords(await guard(scan(200), ledger.commit, ledger))).toBe('suppressed row 1 ledger 200');
    expect(inWords(await guard(scan(2_999), ledger.commit))).toBe('suppressed row 1 claim 2999');
    expect(inWords(await guard(scan(3_000), ledger.commit))).toBe('committed row 2 settled');
  });

  test('does not keep a later scan of its content from being committed, whoever was between', async () => {
    const { guard, clock, ledger } = forgotten(0);
    // A transmission of the first scan was claimed, with its own time, by a worker that died.
    void guard(scan(200), () => new Promise(() => {}));
    await settledTurn();
    clock.advance(leaseMs + clockSkewMs);
    expect(inWords(await guard(scan(3_100), ledger.commit, ledger))).toBe('committed row 2 settled');
    expect(ledger.rows.map(({ occurredAt }) => occurredAt)).toEqual([noon, noon + 3_100]);
  });
});

describe('a ledger that says nothing that an answer could be made of', () => {
  test.each([
    ['nothing at all', undefined],
    ['no kind', {}],
    ['a row without a reference', { kind: 'committed' }],
    ['a row with a number for a reference', { kind: 'committed', reference: 7 }],
    ['a duplicate without a time', { kind: 'duplicate', reference: 'row 1' }],
  ])('by its commit: %s', async (_what, end) => {
    const { guard } = guarding();
    expect(inWords(await guard(scan(), async () => end as CommitEnd))).toBe('SG_COMMIT_UNKNOWN');
  });

  test.each([
    ['no reference', { occurredAt: noon }],
    ['a time in seconds', { reference: 'row 1', occurredAt: noon / 1_000 }],
    ['a time that is text', { reference: 'row 1', occurredAt: '2026-03-05' }],
  ])('by its look-up: %s', async (_what, entry) => {
    const { guard } = guarding();
    const ledger = new OwnLedger();
    const lookup = async () => entry as LedgerEntry;
    expect(inWords(await guard(scan(), ledger.commit, { lookup }))).toBe('SG_LOOKUP_FAILED');
    expect(ledger.rows).toEqual([]);
  });

  test('by its look-up, but for null, which is nothing', async () => {
    const { guard } = guarding();
    const lookup = async () => null as unknown as undefined;
    expect(inWords(await guard(scan(), new OwnLedger().commit, { lookup }))).toBe('committed row 1 settled');
  });
});

describe('settings that make no sense', () => {
  const { claims } = guarding();

  test.each([
    ['a lease of 0', { leaseMs: 0 }],
    ['a negative lease', { leaseMs: -1 }],
    ['a lease that is not a number', { leaseMs: Number.NaN }],
    ['an endless lease', { leaseMs: Number.POSITIVE_INFINITY }],
    ['a lease of half a millisecond', { leaseMs: 0.5 }],
    ['a lease of more than a year', { leaseMs: 40_000_000_000 }],
    ['a negative skew', { leaseMs, clockSkewMs: -1 }],
    ['claims that are kept for no time', { leaseMs, keepMs: 0 }],
    ['claims that are kept for NaN', { leaseMs, keepMs: Number.NaN }],
  ])('refuse to start: %s', (_what, times) => {
    expect(() => createGuard({ claims, ...times })).toThrow(expect.objectContaining({ code: 'SG_CONFIG_INVALID' }));
  });

  test.each([
    ['a window of 0', { windowMs: 0 }],
    ['a window of NaN', { windowMs: Number.NaN }],
    ['a negative guard', { guardMs: -1 }],
  ])('are refused before anything is claimed: %s', async (_what, changes) => {
    const { guard } = guarding(undefined, { policy: () => ({ ...defaultScannerClass, ...changes }) });
    const ledger = new OwnLedger();
    await expect(guard(scan(), ledger.commit)).rejects.toBeInstanceOf(ScanGateError);
    expect(ledger.rows).toEqual([]);
  });
});

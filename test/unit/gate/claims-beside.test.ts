import { describe, expect, test } from 'vitest';
import { ScanGateError } from '../../../src/base/errors.ts';
import type { ClaimReply, ClaimRequest, ClaimStore } from '../../../src/claim/claim-store.ts';
import { MemoryClaimStore } from '../../../src/claim/memory-claim-store.ts';
import { Claiming, claimsBesideMax } from '../../../src/gate/claiming.ts';
import { Gate } from '../../../src/gate/gate.ts';
import { PreFilter } from '../../../src/gate/pre-filter.ts';
import { defaultScannerClass } from '../../../src/identity/scanner-class.ts';
import { noon, rejectionAt, scanAt, type WireChanges } from '../../../src/testing/wire-scans.ts';
import { fixedClock } from '../../support/scans.ts';
import { arriving, nextTurn, verdictInWords } from './arriving.ts';
import { HeldLedger } from './held-ledger.ts';

const keyOfNoon = `scan:idem:${scanAt(0).identity.content}`;

/** Claims whose replies are known at once, and given out when they are told to be. */
class LateClaims extends MemoryClaimStore {
  readonly asked: ClaimRequest[] = [];
  #late: (() => void)[] = [];

  override async claim(request: ClaimRequest): Promise<ClaimReply> {
    this.asked.push(request);
    const reply = await this.reply(request);
    await new Promise<void>((resolve) => this.#late.push(resolve));
    return reply;
  }

  protected reply(request: ClaimRequest): Promise<ClaimReply> {
    return super.claim(request);
  }

  async answer(): Promise<void> {
    await nextTurn();
    for (const resolve of this.#late.splice(0)) resolve();
    await nextTurn();
  }

  /** Who holds the claim of the scan at noon, asked by somebody who does not matter. */
  holder(): Promise<ClaimReply> {
    return super.claim({ key: keyOfNoon, occurredAt: noon, token: 'nobody', ttlMs: 0 });
  }
}

/** A gate with a pre-filter, whose ledger and whose claims answer when told; and what its observer heard. */
function filteringGate<S extends ClaimStore>(claims: S, clock = fixedClock(noon)) {
  const ledger = new HeldLedger();
  const degraded: string[] = [];
  const filtered: string[] = [];
  const observer = {
    degraded: (reason: string) => void degraded.push(reason),
    preFiltered: (answer: string) => void filtered.push(answer),
  };
  const preFilter = new PreFilter({ scansPerS: 1_000, rememberMs: 3_500 }, clock);
  const gate = new Gate({ ledger, claims, preFilter, policy: () => defaultScannerClass, observer });
  const submitted = async (ms: number, changes?: WireChanges) => {
    const verdict = gate.submit(arriving(ms, changes));
    await ledger.answer();
    return verdictInWords(await verdict);
  };
  return { gate, ledger, clock, claims, degraded, filtered, submitted };
}

const withLateClaims = () => {
  const clock = fixedClock(noon);
  return filteringGate(new LateClaims(clock), clock);
};

const lost = new ScanGateError('SG_LEDGER_FAILED', 'gone');

describe('a scan that is certainly new', () => {
  test('is committed although its claim is never answered', async () => {
    const { submitted, claims, filtered, degraded } = withLateClaims();
    expect([await submitted(0), await submitted(0, { lot_number: 'B' })]).toEqual(['committed 1', 'committed 2']);
    expect(claims.asked).toHaveLength(2);
    expect([filtered, degraded]).toEqual([['new', 'new'], []]);
  });

  test('is claimed when the ledger has it, not before and not after its answer', async () => {
    const { gate, ledger, claims } = withLateClaims();
    const askedAt: number[] = [];
    const append = ledger.append.bind(ledger);
    ledger.append = (...args) => {
      askedAt.push(claims.asked.length);
      return append(...args);
    };
    const verdict = gate.submit(arriving(0));
    await ledger.called();
    expect([askedAt, claims.asked.length]).toEqual([[0], 1]);
    await ledger.answer();
    expect(verdictInWords(await verdict)).toBe('committed 1');
  });

  test('settles its claim when the reply comes, after the ledger and not before', async () => {
    const { gate, ledger, claims } = withLateClaims();
    const verdict = gate.submit(arriving(0));
    await ledger.answer();
    const { decision } = await verdict;
    await nextTurn();
    expect((await claims.holder()).kind).toBe('pending');
    await claims.answer();
    expect(await claims.holder()).toMatchObject({
      kind: 'committed',
      occurredAt: noon,
      entryId: decision.outcome === 'committed' && decision.entry.id,
    });
  });

  test('settles its claim when the reply was there before the ledger answered', async () => {
    const { gate, ledger, claims } = withLateClaims();
    const verdict = gate.submit(arriving(0));
    await ledger.called();
    await claims.answer();
    expect((await claims.holder()).kind).toBe('pending');
    await ledger.answer();
    await verdict;
    await nextTurn();
    expect((await claims.holder()).kind).toBe('committed');
  });

  test.each(['pending', 'committed'])('is the line that stands when its claim turns out to be %s by another', async (kind) => {
    const { submitted, claims } = withLateClaims();
    const other = claims.claim({ key: keyOfNoon, occurredAt: noon - 100, token: 'other', ttlMs: 60_000 });
    await claims.answer();
    expect(await other).toEqual({ kind: 'first' });
    if (kind === 'committed') await claims.settle(keyOfNoon, 'other', 'an-entry-of-a-lost-ledger');
    expect(await submitted(0)).toBe('committed 1');
    await claims.answer();
    expect(await claims.holder()).toMatchObject({ kind: 'committed', occurredAt: noon });
  });

  test('that another worker has committed already is suppressed by the ledger, and leaves its claim as it is', async () => {
    const { ledger, submitted, claims } = withLateClaims();
    const append = HeldLedger.prototype.append.call(ledger, [scanAt(0)]);
    await ledger.answer();
    await append;
    expect(await submitted(100)).toBe('suppressed 1 same_content 100');
    await claims.answer();
    expect((await claims.holder()).kind).toBe('pending');
  });

  test('leaves a pending claim when the ledger fails, and its retry asks first and is committed once', async () => {
    const { gate, ledger, claims, filtered } = withLateClaims();
    const failed = gate.submit(arriving(0));
    await ledger.fail(lost);
    expect(verdictInWords(await failed)).toBe('SG_LEDGER_FAILED');
    await claims.answer();
    expect((await claims.holder()).kind).toBe('pending');
    const retry = gate.submit(arriving(0));
    await claims.answer();
    await ledger.answer();
    expect([verdictInWords(await retry), filtered]).toEqual(['committed 1', ['new', 'seen']]);
  });
});

describe('a scan that may have been seen', () => {
  test('asks its claim first, which names the entry that it duplicates', async () => {
    const { gate, ledger, claims, submitted, filtered } = withLateClaims();
    await submitted(0);
    await claims.answer();
    const again = gate.submit(arriving(2_999));
    await nextTurn();
    expect(ledger.batchSizes).toEqual([1]);
    await claims.answer();
    await ledger.answer();
    const { decision } = await again;
    expect(decision).toMatchObject({ outcome: 'suppressed', gapMs: 2_999, arbiter: 'claim' });
    expect(filtered).toEqual(['new', 'seen']);
  });

  test('is suppressed although the claim of the first was not answered yet', async () => {
    const { gate, ledger, claims, submitted } = withLateClaims();
    expect(await submitted(0)).toBe('committed 1');
    const again = gate.submit(arriving(100));
    await claims.answer();
    await ledger.answer();
    expect(verdictInWords(await again)).toBe('suppressed 1 same_content 100');
    expect(await claims.holder()).toMatchObject({ kind: 'committed', occurredAt: noon });
  });

  test('is a new scan outside the window, and moves the claim on', async () => {
    const { gate, ledger, claims, submitted } = withLateClaims();
    await submitted(0);
    await claims.answer();
    const next = gate.submit(arriving(3_000));
    await claims.answer();
    await ledger.answer();
    expect(verdictInWords(await next)).toBe('committed 2');
    await nextTurn();
    expect(await claims.holder()).toMatchObject({ kind: 'committed', occurredAt: noon + 3_000 });
  });

  test('is new again when window and guard are long over, and decided by the ledger', async () => {
    const { submitted, clock, filtered } = withLateClaims();
    await submitted(0);
    clock.advance(60_000);
    expect(await submitted(100)).toBe('suppressed 1 same_content 100');
    expect(filtered).toEqual(['new', 'new']);
  });
});

describe('one batch', () => {
  test('holds the duplicate of its own scan: the first has the claim, the second waits for it', async () => {
    const { gate, ledger, claims, filtered } = withLateClaims();
    const both = [gate.submit(arriving(0)), gate.submit(arriving(100))];
    await nextTurn();
    expect([ledger.batchSizes, claims.asked.map(({ occurredAt }) => occurredAt - noon)]).toEqual([[], [0, 100]]);
    await claims.answer();
    await ledger.answer();
    expect((await Promise.all(both)).map(verdictInWords)).toEqual(['committed 1', 'suppressed 1 same_content 100']);
    await nextTurn();
    expect(await claims.holder()).toMatchObject({ kind: 'committed', occurredAt: noon });
    expect(filtered).toEqual(['new', 'seen']);
  });

  test('asks for no claim of what is no scan', async () => {
    const clock = fixedClock(noon);
    const claims = new LateClaims(clock);
    const observer = { degraded: () => {}, preFiltered: () => {} };
    const preFilter = new PreFilter({ scansPerS: 1, rememberMs: 1 }, clock);
    const claiming = new Claiming(claims, { uuid: () => 'token' }, observer, preFilter);
    const claimed = await claiming.claimFirst([rejectionAt(0), scanAt(0)]);
    claiming.claimBeside(claimed);
    expect(claims.asked.map(({ key }) => key)).toEqual([keyOfNoon]);
  });
});

describe('claims beside the ledger that cannot answer', () => {
  const unavailable = async (): Promise<ClaimReply> => ({ kind: 'unavailable', reason: 'LOADING' });
  const rejecting = () => Promise.reject(new Error('LOADING'));
  const throwing = () => {
    throw new Error('LOADING');
  };
  const storeThat = (claim: ClaimStore['claim']) => Object.assign(new MemoryClaimStore(fixedClock(noon)), { claim });

  test.each([
    ['say so', unavailable],
    ['reject', rejecting],
    ['throw', throwing],
  ])('are counted and change nothing when they %s', async (_how, claim) => {
    const { submitted, degraded } = filteringGate(storeThat(claim));
    expect([await submitted(0), await submitted(100)]).toEqual(['committed 1', 'suppressed 1 same_content 100']);
    await nextTurn();
    expect(degraded).toEqual(['LOADING', 'LOADING']);
  });

  test.each([
    ['say so', unavailable],
    ['reject', rejecting],
    ['throw', throwing],
  ])('harm nothing when they %s and the ledger fails as well', async (_how, claim) => {
    const { gate, ledger, degraded } = filteringGate(storeThat(claim));
    const failed = gate.submit(arriving(0));
    await ledger.fail(lost);
    expect(verdictInWords(await failed)).toBe('SG_LEDGER_FAILED');
    await nextTurn();
    expect(degraded).toEqual(['LOADING']);
  });

  test('fill no memory: beyond a bound no more are asked for, until some are answered', async () => {
    const degraded: string[] = [];
    const clock = fixedClock(noon);
    const claims = new LateClaims(clock);
    const observer = { degraded: (reason: string) => void degraded.push(reason), preFiltered: () => {} };
    const claiming = new Claiming(claims, { uuid: () => 'token' }, observer, { ask: () => 'new' });
    const scan = scanAt(0);
    const batch = Array.from({ length: claimsBesideMax + 2 }, () => scan);
    claiming.claimBeside(await claiming.claimFirst(batch));
    expect(claims.asked).toHaveLength(claimsBesideMax);
    expect(degraded).toEqual(Array(2).fill('too many claims wait for their answers'));
    await claims.answer();
    claiming.claimBeside(await claiming.claimFirst([scan]));
    expect(claims.asked).toHaveLength(claimsBesideMax + 1);
  });
});

import { describe, expect, test } from 'vitest';
import { ScanGateError } from '../../../src/base/errors.ts';
import type { ClaimReply, ClaimRequest, ClaimStore } from '../../../src/claim/claim-store.ts';
import { MemoryClaimStore } from '../../../src/claim/memory-claim-store.ts';
import { Gate } from '../../../src/gate/gate.ts';
import { defaultScannerClass } from '../../../src/identity/scanner-class.ts';
import { noon, scanAt, type WireChanges } from '../../../src/testing/wire-scans.ts';
import { arriving, nextTurn, verdictInWords } from './arriving.ts';
import { HeldLedger } from './held-ledger.ts';

const claimKeyOfNoon = `scan:idem:${scanAt(0).identity.content}`;

/** A gate with claims, whose ledger answers when told; and the reasons why claims could not help. */
function claimingGate(claims: ClaimStore) {
  const ledger = new HeldLedger();
  const degraded: string[] = [];
  const observer = { degraded: (reason: string) => void degraded.push(reason) };
  const gate = new Gate({ ledger, claims, policy: () => defaultScannerClass, observer });
  const submitted = async (ms: number, changes?: WireChanges) => {
    const verdict = gate.submit(arriving(ms, changes));
    await ledger.answer();
    return verdictInWords(await verdict);
  };
  return { gate, ledger, degraded, submitted };
}

function memoryClaims() {
  let nowMs = noon;
  const later = (ms: number) => {
    nowMs += ms;
  };
  return { claims: new MemoryClaimStore({ nowMs: () => nowMs }), later };
}

/** Who holds the claim of the scan at noon, asked by somebody who does not matter. */
const holder = (claims: ClaimStore): Promise<ClaimReply> =>
  claims.claim({ key: claimKeyOfNoon, occurredAt: noon, token: 'nobody', ttlMs: 0 });

/** A store that answers as it is told, one method or all. */
function storeThat(methods: Partial<ClaimStore>): ClaimStore {
  const { claims } = memoryClaims();
  const whole: ClaimStore = {
    keyedBy: 'content',
    claim: (request) => claims.claim(request),
    settle: (...args) => claims.settle(...args),
    moveOn: (...args) => claims.moveOn(...args),
    close: () => claims.close(),
  };
  return { ...whole, ...methods };
}

describe('a claim of ours', () => {
  test.each([
    [{ kind: 'first', replicas: 2 }, { claim_replicas: 2 }],
    [{ kind: 'own', replicas: 0 }, { claim_replicas: 0 }],
    [
      { kind: 'first', replicas: 1, onDisk: true },
      { claim_replicas: 1, claim_on_disk: true },
    ],
    [
      { kind: 'first', replicas: 0, onDisk: false },
      { claim_replicas: 0, claim_on_disk: false },
    ],
    [{ kind: 'first' }, {}],
  ] as const)('of which the store says %j is recorded with %j', async (reply, told) => {
    const { ledger, submitted } = claimingGate(storeThat({ claim: async () => reply }));
    expect(await submitted(0)).toMatch(/^committed/);
    const [record] = (await ledger.records({ limit: 1 })).items;
    const { claim_replicas, claim_on_disk } = record ?? {};
    const recorded = {
      ...(claim_replicas !== undefined && { claim_replicas }),
      ...(claim_on_disk !== undefined && { claim_on_disk }),
    };
    expect(recorded).toEqual(told);
  });

  test('is settled with the entry, once the ledger has committed', async () => {
    const { claims } = memoryClaims();
    const { gate, ledger } = claimingGate(claims);
    const verdict = gate.submit(arriving(0));
    await ledger.called();
    expect(await holder(claims)).toMatchObject({ kind: 'pending', occurredAt: noon });
    await ledger.answer();
    const { decision } = await verdict;
    expect(await holder(claims)).toMatchObject({
      kind: 'committed',
      occurredAt: noon,
      entryId: decision.outcome === 'committed' && decision.entry.id,
    });
  });

  test('lives as long as the window and its guard', async () => {
    const { claims, later } = memoryClaims();
    const { submitted } = claimingGate(claims);
    await submitted(0);
    later(3_499);
    expect((await holder(claims)).kind).toBe('committed');
    later(1);
    expect((await holder(claims)).kind).toBe('first');
  });

  test('is not waited for when it is settled', async () => {
    const { submitted } = claimingGate(storeThat({ settle: () => new Promise(() => {}) }));
    expect(await submitted(0)).toBe('committed 1');
  });

  test('moves on when the same content is a new scan', async () => {
    const { claims } = memoryClaims();
    const { submitted } = claimingGate(claims);
    expect([await submitted(0), await submitted(3_000)]).toEqual(['committed 1', 'committed 2']);
    await nextTurn();
    expect(await holder(claims)).toMatchObject({ kind: 'committed', occurredAt: noon + 3_000 });
  });
});

describe('a crash between claim and ledger', () => {
  const lost = new ScanGateError('SG_LEDGER_FAILED', 'gone');

  test('leaves a pending claim, which suppresses nothing: the retry is committed, once', async () => {
    const { claims } = memoryClaims();
    const { gate, ledger, submitted } = claimingGate(claims);
    const crashed = gate.submit(arriving(0, { scan_uuid: 'A' }));
    await ledger.fail(lost);
    expect(verdictInWords(await crashed)).toBe('SG_LEDGER_FAILED');
    expect((await holder(claims)).kind).toBe('pending');
    expect(await submitted(0, { scan_uuid: 'A' })).toBe('committed 1');
    expect(await submitted(0, { scan_uuid: 'A' })).toBe('suppressed 1 same_scan_id 0');
  });

  test('is survived by a retry after the claim has run out, too', async () => {
    const { claims, later } = memoryClaims();
    const { gate, ledger, submitted } = claimingGate(claims);
    const crashed = gate.submit(arriving(0));
    await ledger.fail(lost);
    await crashed;
    later(60_000);
    expect([await submitted(0), await submitted(0)]).toEqual(['committed 1', 'suppressed 1 same_content 0']);
  });

  test('between ledger and settling costs a look-up: the retry is suppressed by the line that was written', async () => {
    const { claims } = memoryClaims();
    const { gate, ledger, submitted } = claimingGate(claims);
    const crashed = gate.submit(arriving(0));
    await ledger.loseAnswer(lost);
    expect(verdictInWords(await crashed)).toBe('SG_LEDGER_FAILED');
    expect((await holder(claims)).kind).toBe('pending');
    expect(await submitted(0)).toBe('suppressed 1 same_content 0');
  });
});

describe('what a claim says', () => {
  const arbiterOf = async (gate: Gate, ledger: HeldLedger, ms: number) => {
    const verdict = gate.submit(arriving(ms));
    await ledger.answer();
    const { decision } = await verdict;
    return decision.outcome === 'suppressed' ? decision.arbiter : decision.outcome;
  };

  test('is named as arbiter when the ledger finds the same entry', async () => {
    const { gate, ledger, submitted } = claimingGate(memoryClaims().claims);
    await submitted(0);
    expect(await arbiterOf(gate, ledger, 2_999)).toBe('claim');
  });

  test('is not asked for a scan outside its window', async () => {
    const { gate, ledger, submitted } = claimingGate(memoryClaims().claims);
    await submitted(0);
    expect(await arbiterOf(gate, ledger, 3_000)).toBe('committed');
  });

  test('loses no scan when the entry that it names does not exist', async () => {
    const { claims } = memoryClaims();
    await claims.claim({ key: claimKeyOfNoon, occurredAt: noon, token: 'lost', ttlMs: 60_000 });
    await claims.settle(claimKeyOfNoon, 'lost', 'an-entry-of-a-lost-ledger');
    const { submitted } = claimingGate(claims);
    expect(await submitted(100)).toBe('committed 1');
    expect(await holder(claims)).toMatchObject({ kind: 'committed', occurredAt: noon + 100 });
  });
});

describe('a key that somebody holds who does not say when', () => {
  const held = async (): Promise<ClaimReply> => ({ kind: 'held' });

  test('suppresses nothing, and is left as it is', async () => {
    const written = () => Promise.reject(new Error('it was written to'));
    const { submitted, degraded } = claimingGate(storeThat({ claim: held, settle: written, moveOn: written }));
    expect([await submitted(0), await submitted(100)]).toEqual(['committed 1', 'suppressed 1 same_content 100']);
    await nextTurn();
    expect(degraded).toEqual([]);
  });
});

// `sha256sum` of the identity text, without and with `|590904000`.
test.each<[ClaimStore['keyedBy'], string]>([
  ['content', '56bfbbe7c10e89185d1721c29f733b55a0c4c353db1315155b2b9a599ceea0b7'],
  ['pick', 'baa672b679a3bb442d06a81e1a345dc470a4f0abb7847fafaa7702925da33e19'],
])('a store that is keyed by %s is asked with the key of that', async (keyedBy, digest) => {
  const keys: string[] = [];
  const claim = async ({ key }: ClaimRequest): Promise<ClaimReply> => {
    keys.push(key);
    return { kind: 'first' };
  };
  await claimingGate(storeThat({ claim, keyedBy })).submitted(0);
  expect(keys).toEqual([`scan:idem:${digest}`]);
});

describe('claims that cannot answer', () => {
  const transmissions = async (submitted: (ms: number, changes?: WireChanges) => Promise<string>) => [
    await submitted(0, { scan_uuid: 'A' }),
    await submitted(0, { scan_uuid: 'A' }),
    await submitted(100),
    await submitted(3_000),
  ];
  const exact = ['committed 1', 'suppressed 1 same_scan_id 0', 'suppressed 1 same_content 100', 'committed 2'];

  test('leave every decision as it was, and are counted', async () => {
    const claim = async (): Promise<ClaimReply> => ({ kind: 'unavailable', reason: 'LOADING' });
    const { submitted, degraded } = claimingGate(storeThat({ claim }));
    expect(await transmissions(submitted)).toEqual(exact);
    expect(degraded).toEqual(['LOADING', 'LOADING', 'LOADING', 'LOADING']);
  });

  test('by throwing are no worse than by saying so', async () => {
    const thrown = () => Promise.reject(new Error('connection lost'));
    const { submitted, degraded } = claimingGate(storeThat({ claim: thrown }));
    expect(await transmissions(submitted)).toEqual(exact);
    expect(degraded).toEqual(Array(4).fill('connection lost'));
  });

  test.each<[string, Partial<ClaimStore>]>([
    ['by saying so when it is settled', { settle: async () => 'unavailable' }],
    ['by throwing when it is settled', { settle: () => Promise.reject(new Error('connection lost')) }],
    [
      'by saying so when it is moved on',
      { moveOn: async () => 'unavailable', claim: async () => ({ kind: 'pending', occurredAt: 0, token: 'a' }) },
    ],
  ])('%s are counted, and change nothing', async (_how, methods) => {
    const { submitted, degraded } = claimingGate(storeThat(methods));
    expect(await transmissions(submitted)).toEqual(exact);
    await nextTurn();
    expect(degraded).toEqual(['a claim could not be settled', 'a claim could not be settled']);
  });
});

test('fifty transmissions of one scan at once, half of them through another gate, are one line', async () => {
  const { claims } = memoryClaims();
  const ledger = new HeldLedger();
  const gates = [0, 1].map(() => new Gate({ ledger, claims, policy: () => defaultScannerClass }));
  const verdicts = Array.from({ length: 25 }, () => gates.map((gate) => gate.submit(arriving(0)))).flat();
  await ledger.answer();
  await ledger.answer();
  const told = (await Promise.all(verdicts)).map(verdictInWords).sort();
  expect(told).toEqual(['committed 1', ...Array(49).fill('suppressed 1 same_content 0')]);
});

import { describe, expect, test } from 'vitest';
import type { ClaimInspector, FoundClaim } from '../../../src/claim/claim-inspector.ts';
import type { LedgerLine } from '../../../src/ledger/ledger-line.ts';
import { planBatch } from '../../../src/ledger/plan-batch.ts';
import { compareClaims } from '../../../src/records/compare-claims.ts';
import { rebuildClaims } from '../../../src/records/rebuild-claims.ts';
import { type PositionedLine, recentLines, remainingMs } from '../../../src/records/recent-lines.ts';
import { noon, scanAt } from '../../../src/testing/wire-scans.ts';
import { knownBooks } from '../ledger/known-books.ts';

/** Three lines of different lots at 0, 1000 and 2000 ms after noon. W is 3000 ms and the guard 500 ms. */
const lines: readonly LedgerLine[] = planBatch(
  knownBooks({}),
  [0, 1_000, 2_000].map((at) => scanAt(at, { lot_number: `L${at}` })),
  noon,
  { uuid: counted('entry') },
).lines;

function counted(word: string): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `${word}-${last}`;
  };
}

const remaining = remainingMs(() => 500);

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

/** Claims in a table. */
class KnownClaims implements ClaimInspector {
  readonly table = new Map<string, FoundClaim>();

  constructor(...claims: readonly FoundClaim[]) {
    for (const claim of claims) this.table.set(claim.key, claim);
  }

  claims(): AsyncIterable<FoundClaim> {
    return each(this.table.values());
  }

  held(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set(keys.filter((key) => this.table.has(key))));
  }

  restore(claims: readonly FoundClaim[]): Promise<number> {
    const free = claims.filter(({ key }) => !this.table.has(key) && this.table.set(key, { key, value: '', remainingMs: 1 }));
    for (const claim of free) this.table.set(claim.key, claim);
    return Promise.resolve(free.length);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function keyOf(index: number): string {
  return `scan:idem:${lines[index]?.identity}`;
}

const settled = (index: number): FoundClaim => ({
  key: keyOf(index),
  value: `c|${lines[index]?.occurred_at}|t|${lines[index]?.entry_id}`,
  remainingMs: 1_000,
});

function compare(inspector: ClaimInspector, nowMs: number, recent: readonly LedgerLine[] = lines) {
  return compareClaims({
    reader: { line: (id) => Promise.resolve(lines.find((line) => line.entry_id === id)) },
    inspector,
    recent: each(recent),
    remaining,
    keyedBy: 'content',
    guardMs: 500,
    nowMs: () => nowMs,
  });
}

test('lines with their claims differ in nothing', async () => {
  const found = await compare(new KnownClaims(settled(0), settled(1), settled(2)), noon + 2_000);
  expect(found).toEqual({ claims: 3, pending: 0, foreign: 0, guarded: 0, recent_lines: 3, differences: [] });
});

test('leases of guards of the library are counted apart, and what they have committed is not looked for here', async () => {
  const claims = new KnownClaims(
    { key: 'scan:idem:1', value: 'p|1|1796083200000.1796083210000.nonce', remainingMs: 10 },
    { key: 'scan:idem:2', value: 'p|1|1796083200001.0.nonce', remainingMs: 10 },
    { key: 'scan:idem:3', value: 'c|1|1796083200000.1796083210000.nonce|row 7', remainingMs: 10 },
  );
  const found = await compare(claims, noon, []);
  expect(found).toEqual({ claims: 3, pending: 0, foreign: 0, guarded: 3, recent_lines: 0, differences: [] });
});

test('a line without a claim is told for W + guard, and not from its end on', async () => {
  const claims = new KnownClaims(settled(1), settled(2));
  expect((await compare(claims, noon + 3_499)).differences).toMatchObject([{ kind: 'claim_missing', key: keyOf(0) }]);
  expect((await compare(claims, noon + 3_500)).differences).toEqual([]);
});

describe('a claim is told', () => {
  const key = 'scan:idem:0';
  test.each([
    ['entry_missing', { key, value: 'c|1|t|nothing', remainingMs: 10 }],
    ['entry_of_another', { key, value: `c|1|t|${lines[0]?.entry_id}`, remainingMs: 10 }],
    ['pending_too_long', { key, value: 'p|1|t', remainingMs: 499 }],
    ['never_ends', { key, value: 'p|1|t', remainingMs: -1 }],
  ])('that is %s', async (kind, claim) => {
    expect((await compare(new KnownClaims(claim), noon, [])).differences).toMatchObject([{ kind, key }]);
  });

  test.each([
    ['is pending within W', { key, value: 'p|1|t', remainingMs: 500 }],
    ['is of another form', { key, value: '1', remainingMs: 10 }],
  ])('no, when it %s', async (_what, claim) => {
    expect((await compare(new KnownClaims(claim), noon, [])).differences).toEqual([]);
  });

  test('no, when it is pending and its line is there, not settled yet', async () => {
    const claim = { key: keyOf(0), value: `p|${noon}|t`, remainingMs: 100 };
    const [line] = lines;
    expect((await compare(new KnownClaims(claim), noon, line === undefined ? [] : [line])).differences).toEqual([]);
  });
});

describe('claims that are brought back', () => {
  const rebuild = (inspector: ClaimInspector, nowMs: number) =>
    rebuildClaims({
      inspector,
      recent: each(lines),
      remaining,
      keyedBy: 'content',
      nowMs: () => nowMs,
      ids: { uuid: counted('token') },
    });

  test('are committed, live for the rest of W + guard, and take nothing from who holds the key', async () => {
    const claims = new KnownClaims(settled(1));
    expect(await rebuild(claims, noon + 3_400)).toEqual({ lines: 3, written: 2, held: 1, ended: 0 });
    expect(claims.table.get(keyOf(0))).toEqual({
      key: keyOf(0),
      value: `c|${noon}|token-1|${lines[0]?.entry_id}`,
      remainingMs: 100,
    });
    expect(claims.table.get(keyOf(1))).toEqual(settled(1));
  });

  test('are not written once they had ended, and a second time changes nothing', async () => {
    const claims = new KnownClaims();
    expect(await rebuild(claims, noon + 3_500)).toEqual({ lines: 3, written: 2, held: 0, ended: 1 });
    expect(await rebuild(claims, noon + 3_500)).toEqual({ lines: 3, written: 0, held: 2, ended: 1 });
    expect((await compare(claims, noon + 3_500)).differences).toEqual([]);
  });
});

test('recent lines are read from the end, the newest first, until a whole page is too old', async () => {
  const positioned: PositionedLine[] = Array.from({ length: 9 }, (_, index) => {
    const [line] = lines;
    if (line === undefined) throw new Error('There is no line.');
    return { ...line, position: index + 1, received_at: noon + index * 1_000 };
  });
  const asked: (number | undefined)[] = [];
  const linesBefore = (before: number | undefined, limit: number): Promise<PositionedLine[]> => {
    asked.push(before);
    const rest = positioned.filter(({ position }) => before === undefined || position < before);
    return Promise.resolve(rest.toReversed().slice(0, limit));
  };
  const found: number[] = [];
  for await (const { position } of recentLines({ linesBefore }, remaining, () => noon + 8_000, 2)) found.push(position);
  expect(found).toEqual([9, 8, 7, 6]);
  expect(asked).toEqual([undefined, 8, 6]);
});

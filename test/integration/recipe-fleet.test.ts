/** A fleet in which one worker runs the recipe in Python and one runs the gate, on one Redis and one ledger. */
import { expect, test } from 'vitest';
import { openRecipeClaimStore, type RecipeClaimStore } from '../../src/claim/redis-claims.ts';
import { MemoryBooks, MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { facilityA, noon, scanAt } from '../../src/testing/wire-scans.ts';
import { workerOver } from '../support/claim-worker.ts';
import { closedLater, patient } from '../support/redis-scene.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type Started, start, until } from '../support/server.ts';
import { seeded } from '../support/server-seed.ts';

const lots = Array.from({ length: 300 }, (_, index) => `L${index}`);

function shuffled(seed: { below(limit: number): number }): string[] {
  const order = [...lots];
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = seed.below(index + 1);
    [order[index], order[other]] = [order[other] ?? '', order[index] ?? ''];
  }
  return order;
}

async function startRecipe({ port }: RedisServer, order: readonly string[]): Promise<Started> {
  const args = [`${port}`, facilityA, 'SCN-04', '00093721410', `${noon / 3_000}`, ...order];
  const recipe = start('/usr/bin/python3', ['test/support/recipe-worker.py', ...args]);
  await until(() => recipe.stdoutLines.includes('ready') || undefined, 20_000);
  return recipe;
}

async function openStore({ url }: RedisServer): Promise<RecipeClaimStore> {
  return closedLater(await openRecipeClaimStore(url, patient));
}

test('each pick is won by exactly one of the two, and has exactly one line', async () => {
  const seed = seeded();
  const server = await startRedis();
  const books = new MemoryBooks();
  const gate = workerOver(await openStore(server), books);
  const recipe = await startRecipe(server, shuffled(seed));
  const order = shuffled(seed);
  for (const [number, lot] of order.entries()) {
    if (number % 10 === 0) await server.operator.rpush('turns', number);
    await gate.submit(0, { lot_number: lot });
  }
  const { code, stdout, stderr } = await recipe.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

  const wonByRecipe = [...stdout.matchAll(/^won (L\d+)$/gm)].map(([, lot = '']) => lot);
  const wonByGate = order.filter((_, index) => gate.replies[index]?.kind === 'first');
  expect([...wonByRecipe, ...wonByGate].sort()).toEqual([...lots].sort());
  expect(Math.min(wonByRecipe.length, wonByGate.length)).toBeGreaterThan(0);
  expect(gate.replies.filter(({ kind }) => kind === 'held')).toHaveLength(wonByRecipe.length);

  // The recipe's worker writes what it won to the same ledger: there the gate was before it, or not.
  const ledger = new MemoryLedger(books);
  for (const lot of wonByRecipe) await ledger.append([scanAt(0, { lot_number: lot })]);
  expect(books.lines.map((line) => line.lot_number).sort()).toEqual([...lots].sort());
});

test('a key that a worker of the recipe holds suppresses nothing when that worker died before its commit', async () => {
  const server = await startRedis();
  const gate = workerOver(await openStore(server), new MemoryBooks());
  await server.operator.set(scanAt(0).identity.claimKey, '1', 'PX', 60_000);
  expect((await gate.submit(0)).words).toBe('committed 1');
  expect((await gate.submit(100)).words).toBe('suppressed 1 same_content 100');
  expect(gate.replies).toEqual([{ kind: 'held' }, { kind: 'held' }]);
  expect(await server.operator.get(scanAt(0).identity.claimKey)).toBe('1');
});

test('a retransmission across the edge of the window has a key of its own, and is suppressed by the ledger', async () => {
  const server = await startRedis();
  const gate = workerOver(await openStore(server), new MemoryBooks());
  expect((await gate.submit(2_900)).words).toBe('committed 1');
  expect((await gate.submit(3_100)).words).toBe('suppressed 1 same_content 200');
  expect(gate.replies).toEqual([{ kind: 'first' }, { kind: 'first' }]);
});

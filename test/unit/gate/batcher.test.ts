import { expect, test } from 'vitest';
import { Batcher, type BatchLimits } from '../../../src/gate/batcher.ts';
import { nextTurn } from './arriving.ts';

const roomy: BatchLimits = { batchItemsMax: 100, queueItemsMax: 100, queueBytesMax: 1_000_000 };

/** A batcher whose runs end when they are told to. */
function heldBatcher(limits: Partial<BatchLimits> = {}) {
  const runs: { readonly items: readonly string[]; readonly end: () => void; readonly fail: (error: Error) => void }[] = [];
  const run = (items: readonly string[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      runs.push({ items, end: () => resolve(items.map((item) => item.toUpperCase())), fail: reject });
    });
  const batcher = new Batcher(run, { ...roomy, ...limits });
  const take = (item: string, bytes = 1): Promise<string> => {
    const answer = batcher.add(item, bytes);
    if (answer === undefined) throw new TypeError('The queue is full.');
    return answer;
  };
  return { batcher, runs, take };
}

test('what is added in one turn is one batch, and the next is what was added while it was on its way', async () => {
  const { runs, take } = heldBatcher();
  const answers = [take('a'), take('b')];
  await nextTurn();
  answers.push(take('c'));
  await nextTurn();
  answers.push(take('d'), take('e'));
  await nextTurn();
  expect(runs.map(({ items }) => items)).toEqual([['a', 'b']]);
  runs[0]?.end();
  await nextTurn();
  expect(runs.map(({ items }) => items)).toEqual([
    ['a', 'b'],
    ['c', 'd', 'e'],
  ]);
  runs[1]?.end();
  expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'D', 'E']);
});

test('what nobody waits for any more when its turn comes is not begun, and leaves the queue', async () => {
  const { batcher, runs, take } = heldBatcher();
  const first = take('a');
  await nextTurn();
  let isWanted = true;
  void batcher.add('given up', 1, () => isWanted);
  const last = take('b');
  expect(batcher.depth).toBe(3);
  isWanted = false;
  runs[0]?.end();
  await nextTurn();
  expect(runs.map(({ items }) => items)).toEqual([['a'], ['b']]);
  expect(batcher.depth).toBe(1);
  runs[1]?.end();
  expect(await Promise.all([first, last])).toEqual(['A', 'B']);
  await batcher.idle();
  expect(batcher.depth).toBe(0);
});

test('one batch is on its way at a time, and none holds more than it may', async () => {
  const { runs, take } = heldBatcher({ batchItemsMax: 2 });
  const answers = ['a', 'b', 'c', 'd', 'e'].map((item) => take(item));
  for (const count of [1, 2, 3]) {
    await nextTurn();
    expect(runs).toHaveLength(count);
    runs[count - 1]?.end();
  }
  expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'D', 'E']);
  expect(runs.map(({ items }) => items)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});

test('a full queue takes nothing, whether its items wait or are on their way, and has room again when they are answered', async () => {
  const { batcher, runs, take } = heldBatcher({ queueItemsMax: 2 });
  const first = take('a');
  await nextTurn();
  const second = take('b');
  expect(batcher.add('c', 1)).toBeUndefined();
  expect(batcher.depth).toBe(2);
  runs[0]?.end();
  await first;
  await nextTurn();
  expect(batcher.depth).toBe(1);
  const third = take('c');
  runs[1]?.end();
  await nextTurn();
  runs[2]?.end();
  expect(await Promise.all([second, third])).toEqual(['B', 'C']);
  expect(batcher.depth).toBe(0);
});

test('the bytes that wait are limited, but a queue that is empty takes an item of any size', async () => {
  const { batcher, runs, take } = heldBatcher({ queueBytesMax: 100 });
  const large = take('a', 1_000);
  expect(batcher.add('b', 1)).toBeUndefined();
  await nextTurn();
  runs[0]?.end();
  await large;
  await nextTurn();
  const small = [take('c', 40), take('e', 60)];
  expect(batcher.add('d', 1)).toBeUndefined();
  await nextTurn();
  runs[1]?.end();
  expect(await Promise.all(small)).toEqual(['C', 'E']);
});

test('a run that fails fails its own items, and the next batch runs', async () => {
  const { batcher, runs, take } = heldBatcher();
  const failing = [take('a'), take('b')];
  await nextTurn();
  const next = take('c');
  runs[0]?.fail(new Error('no'));
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await nextTurn();
  runs[1]?.end();
  expect(await next).toBe('C');
  expect(batcher.depth).toBe(0);
});

test('idle waits for what is on its way and for what has been added meanwhile', async () => {
  const { batcher, runs, take } = heldBatcher();
  await batcher.idle();
  const first = take('a');
  await nextTurn();
  const second = take('b');
  let isIdle = false;
  const idle = batcher.idle().then(() => {
    isIdle = true;
  });
  runs[0]?.end();
  await nextTurn();
  expect(isIdle).toBe(false);
  runs[1]?.end();
  await idle;
  expect(await Promise.all([first, second])).toEqual(['A', 'B']);
});

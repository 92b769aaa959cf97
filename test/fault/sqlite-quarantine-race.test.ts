import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { rejectionAt } from '../../src/testing/wire-scans.ts';
import { openBooks } from './sqlite-folder.ts';

const script = join(import.meta.dirname, 'sqlite-release.js');

/** A process that releases the inputs when it is told to; what it prints. */
async function releasing(path: string, name: string, ids: readonly string[]) {
  const child = spawn(process.execPath, [script, path, name, ...ids], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  return async () => {
    child.stdin.end('go\n');
    const told: string[] = [];
    for (let line = await lines.next(); line.done !== true; line = await lines.next()) told.push(String(line.value));
    expect(await exited).toEqual([0, null]);
    return told;
  };
}

test('two processes that release one input fifty times and fifty others once each make one line of each', async () => {
  const books = openBooks();
  const ids = books
    .append(Array.from({ length: 51 }, (_, index) => rejectionAt(index)))
    .map((decision) => (decision.outcome === 'rejected' ? decision.quarantineId : ''));
  const [contested = '', ...others] = ids;
  const asked = others.flatMap((id) => [contested, id]);
  const [first, second] = await Promise.all([releasing(books.path, 'P', asked), releasing(books.path, 'Q', asked)]);
  const told = (await Promise.all([first(), second()])).flat();

  expect(told).toHaveLength(200);
  const outcomes = (id: string) =>
    told
      .filter((line) => line.startsWith(id))
      .map((line) => line.split(' ')[1])
      .toSorted();
  expect(outcomes(contested)).toEqual(['committed', ...Array<string>(99).fill('resolved_before')]);
  for (const id of others) expect(outcomes(id)).toEqual(['committed', 'resolved_before']);
  const { items } = books.lines({ limit: 1_000 });
  expect([items.length, new Set(items.map(({ lot_number }) => lot_number)).size]).toEqual([51, 51]);
  expect(books.quarantine({ limit: 1_000, isOpen: true }).items).toEqual([]);
  expect(books.audit()).toMatchObject({ breaks: [], facilities: [{ records: 102, lines: 51 }] });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { scanAt } from '../../src/testing/wire-scans.ts';
import { randomFrom, seed } from './kill-moments.ts';
import { openBooks, temporaryFolder } from './sqlite-folder.ts';

const script = join(import.meta.dirname, 'sqlite-append.js');

/** Kills a process that appends, at the moment at which so many scans have been acknowledged; all that it acknowledged. */
async function appendUntilKilled(path: string, prefix: string, killAfter: number): Promise<string[]> {
  const child = spawn(process.execPath, [script, path, prefix], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  const acknowledged: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    acknowledged.push(line);
    if (acknowledged.length === killAfter) child.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  return acknowledged;
}

test(`what was acknowledged before a kill -9 is in the ledger, and nothing is in it twice (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  const path = join(temporaryFolder(), 'ledger.sqlite');
  const acknowledged: string[] = [];
  for (let round = 1; round <= 10; round += 1) {
    acknowledged.push(...(await appendUntilKilled(path, String(round), 1 + random(150))));
    const books = openBooks(path);
    expect(books.audit().breaks).toEqual([]);
    books.close();
  }
  expect(acknowledged.filter((line) => !line.endsWith(' committed'))).toEqual([]);

  const books = openBooks(path);
  const kept = books.lines({ limit: 1_000_000 }).items.map((line) => line.scan_uuid ?? '');
  const ids = acknowledged.map((line) => line.split(' ')[0] ?? '');
  expect(ids.length).toBeGreaterThanOrEqual(10);
  expect(ids.filter((id) => !new Set(kept).has(id))).toEqual([]);
  expect(new Set(kept).size).toBe(kept.length);
  const again = books.append(ids.map((id) => scanAt(0, { scan_uuid: id, lot_number: id })));
  expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['suppressed']));
});

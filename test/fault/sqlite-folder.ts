import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { randomIds } from '../../src/base/ids.ts';
import { SqliteBooks } from '../../src/ledger/sqlite-books.ts';
import type { OpenOptions } from '../../src/ledger/sqlite-file.ts';
import { afterEveryTest } from '../support/ends.ts';

const undo: (() => void)[] = [];

afterEveryTest(() => {
  for (const one of undo.splice(0).reverse()) one();
});

/** Something to be closed or removed after the test, the latest first. */
export function afterThisTest(act: () => void): void {
  undo.push(act);
}

/** A folder of the test's own. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'scangate-fault-'));
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Books in a file of the test's own, or in the one that is given. */
export function openBooks(path = join(temporaryFolder(), 'ledger.sqlite'), options: Partial<OpenOptions> = {}): SqliteBooks {
  const books = new SqliteBooks(path, systemClock, randomIds, { busyMs: 0, check: true, ...options });
  afterThisTest(() => books.close());
  return books;
}

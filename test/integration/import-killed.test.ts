/** A long log, imported by a process that is killed twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { randomIds } from '../../src/base/ids.ts';
import type { ImportSummary } from '../../src/ingest/file/import-file.ts';
import { SqliteBooks } from '../../src/ledger/sqlite-books.ts';
import { countsOf, temporaryFolder } from './import-setup.ts';

const script = join(import.meta.dirname, 'import-log.js');

/** Of every hundred rows: 70 scans, 20 sent again, 4 of the same content half a second later, 1 conflict, 5 that are no scans. */
function hundredRows(hundred: number): string[] {
  const scan = (n: number, changes: { id?: string; at?: string; quantity?: string; gtin?: string } = {}): string => {
    const second = hundred * 100 + n;
    const at = changes.at ?? `${new Date(1_700_000_000_000 + second * 1_000).toISOString()}`;
    const { id = `ev-${second}`, gtin = '312345678906', quantity = '1' } = changes;
    return `${id},${at},${gtin},L${n},${quantity}`;
  };
  const half = (n: number): string => new Date(1_700_000_000_500 + (hundred * 100 + n) * 1_000).toISOString();
  return [
    ...Array.from({ length: 70 }, (_, n) => scan(n)),
    ...Array.from({ length: 20 }, (_, n) => scan(n)),
    ...Array.from({ length: 4 }, (_, n) => scan(n + 20, { id: '', at: half(n + 20) })),
    scan(3, { quantity: '2' }),
    scan(95, { gtin: '312345678907' }),
    scan(96, { quantity: '0' }),
    scan(97, { at: '2023-11-14 22:13:20' }),
    `ev-${hundred}-98,"never closed`,
    'too,few',
  ];
}

/** Runs an import, kills it when it has read so many rows, and tells the last line that it printed. */
async function importUntil(killAt: number, ...args: string[]): Promise<{ last: string; ended: [number | null, string | null] }> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  let last = '';
  for await (const line of createInterface(child.stdout)) {
    last = line;
    if (Number(line) >= killAt) child.kill('SIGKILL');
  }
  return { last, ended: await exited };
}

it('an import of 200 000 rows that is killed twice and gone on with ends exact', { timeout: 600_000 }, async () => {
  const folder = temporaryFolder();
  const [path, ledgerPath] = [join(folder, 'log.csv'), join(folder, 'ledger.sqlite')];
  const rows = Array.from({ length: 2_000 }, (_, hundred) => hundredRows(hundred)).flat();
  writeFileSync(path, ['scan_uuid,captured_at,gtin,lot_number,quantity', ...rows, ''].join('\n'));

  const first = await importUntil(60_000, path, ledgerPath);
  const second = await importUntil(130_000, path, ledgerPath);
  const third = await importUntil(Number.POSITIVE_INFINITY, path, ledgerPath);
  expect([first.ended, second.ended, third.ended]).toEqual([
    [null, 'SIGKILL'],
    [null, 'SIGKILL'],
    [0, null],
  ]);

  const summary = JSON.parse(third.last) as ImportSummary;
  expect(countsOf(summary)).toEqual([200_000, 140_000, 48_000, 2_000, 10_000]);
  expect(summary.flags.possible_under_count).toBe(8_000);
  expect(summary.resumed_at_line).toBeGreaterThan(130_000);

  const books = new SqliteBooks(ledgerPath, systemClock, randomIds, { busyMs: 0, check: true });
  const { breaks } = books.audit();
  books.close();
  expect(breaks).toEqual([]);
  // With no break, the columns of a record are what its text says.
  const file = new Database(ledgerPath, { readonly: true });
  const lines = file.prepare('SELECT count(*) AS lines, count(DISTINCT scan_uuid) AS ids FROM ledger_lines').get();
  const outcomes = file.prepare('SELECT outcome, count(*) FROM journal_records GROUP BY outcome ORDER BY outcome').raw().all();
  file.close();
  expect(lines).toEqual({ lines: 140_000, ids: 140_000 });
  expect(outcomes).toEqual([
    ['committed', 140_000],
    ['conflict', 2_000],
    ['rejected', 10_000],
    ['suppressed', 48_000],
  ]);

  const listed =
    readFileSync(`${path}.rejected.csv`, 'utf8')
      .match(/^\d+(?=,SG_)/gm)
      ?.map(Number) ?? [];
  const expected = Array.from({ length: 2_000 }, (_, hundred) => [97, 98, 99, 100, 101].map((n) => hundred * 100 + n)).flat();
  expect(listed).toEqual(expected);
});

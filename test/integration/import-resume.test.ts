/** Imports that stop at every point at which they can, and are started again. */
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ScanGateError } from '../../src/base/errors.ts';
import type { ImportOptions, ImportSummary } from '../../src/ingest/file/import-file.ts';
import { importFile } from '../../src/ingest/file/import-file.ts';
import type { FileMeaning } from '../../src/ingest/file/import-options.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { booksOf, countsOf, fileOf, gateOn, importAs, meaningOf } from './import-setup.ts';

/** Every outcome, two rows on several lines, an hour that occurs twice, and rows that only their order tells apart. */
const log = [
  'scan_uuid,captured_at,gtin,lot_number,note',
  'ev-1,2026-11-01 00:59:00,312345678906,L1,',
  'ev-2,2026-11-01 01:30:00,312345678906,L1,"two\nlines"',
  'ev-2,2026-11-01 01:30:00,312345678906,L1,again',
  'ev-3,2026-11-01 01:45:00,312345678906,L1,',
  'ev-4,2026-11-01 01:45:00,312345678907,L1,misread',
  'ev-5,2026-11-01 01:30:00,312345678906,L1,',
  ',2026-11-01 01:45:00,312345678906,L1,',
  ',2026-11-01 01:45:00,312345678906,L1,identical',
  'ev-1,2026-11-01 02:10:00,312345678906,L2,conflict',
  'ev-6,2026-11-01 02:15:00,312345678906,L1,"never closed',
  'ev-7,2026-11-01 02:20:00,312345678906,L1,"three',
  'lines ""and"" a',
  'quote"',
  'ev-8,2026-11-01 02:25:00,312345678906,L1',
  'ev-9,2026-11-01 02:30:00,312345678906,L1,',
  '',
].join('\n');

const meaning: Partial<FileMeaning> = { zone: 'America/New_York', ignoredColumns: ['note'] };
const rowsPerTransaction = 2;
/** Seven of rows, one that says that all is done. */
const transactions = 8;

type Fault = 'before it is written' | 'after it was written';

/** A ledger whose n-th transaction fails, the first being 1. */
function failingAt(ledger: Ledger, nth: number, fault: Fault): Ledger {
  let count = 0;
  return Object.assign(Object.create(ledger) as Ledger, {
    append: async (...batch: Parameters<Ledger['append']>) => {
      count += 1;
      const decisions = count === nth && fault === 'before it is written' ? [] : await ledger.append(...batch);
      if (count === nth) throw new ScanGateError('SG_LEDGER_FAILED', 'The power failed.');
      return decisions;
    },
    checkpoint: (key: string) => ledger.checkpoint(key),
    records: (query: Parameters<Ledger['records']>[0]) => ledger.records(query),
  });
}

function run(path: string, ledger: Ledger, options: Partial<ImportOptions> = {}): Promise<ImportSummary> {
  return importFile({ path, meaning: meaningOf(path, meaning), ...gateOn(ledger), limits: { rowsPerTransaction }, ...options });
}

/** What an import leaves behind, but for what is made up anew each time. */
async function leftBehind(path: string, ledger: Ledger): Promise<unknown> {
  const { lines, records } = await booksOf(ledger);
  return {
    lines: lines.map(({ line, scan_uuid, occurred_at, lot_number }) => [line, scan_uuid, occurred_at, lot_number]),
    records: records.map(({ facility_uuid, seq, outcome, flags }) => [facility_uuid, seq, outcome, flags]),
    list: readFileSync(`${path}.rejected.csv`, 'utf8'),
  };
}

const uninterruptedPath = () => fileOf('log.csv', log);

describe('an import that is not stopped', () => {
  it('has every outcome of the log', async () => {
    const ledger = new MemoryLedger();
    const path = uninterruptedPath();
    const summary = await run(path, ledger);
    expect(countsOf(summary)).toEqual([13, 7, 2, 1, 3]);
    expect(summary.identical_rows).toBe(1);
    expect(summary.flags.time_ambiguous).toBe(6);
    expect(summary).not.toHaveProperty('resumed_at_line');
    const { lines } = await booksOf(ledger);
    expect(lines.map((line) => new Date(line.occurred_at).toISOString())).toEqual([
      '2026-11-01T04:59:00.000Z',
      '2026-11-01T05:30:00.000Z',
      '2026-11-01T05:45:00.000Z',
      '2026-11-01T06:30:00.000Z',
      '2026-11-01T06:45:00.000Z',
      '2026-11-01T07:20:00.000Z',
      '2026-11-01T07:30:00.000Z',
    ]);
  });

  it('commits nothing new when it is started again', async () => {
    const ledger = new MemoryLedger();
    const path = uninterruptedPath();
    await run(path, ledger);
    const again = await run(path, ledger);
    expect(countsOf(again)).toEqual([13, 0, 9, 1, 3]);
    expect(again).not.toHaveProperty('resumed_at_line');
    expect((await booksOf(ledger)).lines.length).toBe(7);
  });
});

describe('an import that is stopped', () => {
  // Once the last transaction is written, the import has finished.
  const stops = Array.from({ length: transactions }, (_, index) => index + 1)
    .flatMap((nth) => (['before it is written', 'after it was written'] as const).map((fault) => [nth, fault] as const))
    .filter(([nth, fault]) => nth < transactions || fault === 'before it is written');

  it.each(stops)('at transaction %i, %s, is gone on with as if it had not been', async (nth, fault) => {
    const [calm, stopped] = [new MemoryLedger(), new MemoryLedger()];
    const [calmPath, path] = [uninterruptedPath(), uninterruptedPath()];
    const { file: _, rejected_file: __, ...expected } = await run(calmPath, calm);
    await expect(run(path, failingAt(stopped, nth, fault))).rejects.toMatchObject({ code: 'SG_LEDGER_FAILED' });
    const { resumed_at_line, file, rejected_file, ...counts } = await run(path, stopped);
    expect(counts).toEqual(expected);
    expect([file, rejected_file]).toEqual([path, `${path}.rejected.csv`]);
    expect(resumed_at_line === undefined).toBe(nth === 1 && fault === 'before it is written');
    expect(await leftBehind(path, stopped)).toEqual(await leftBehind(calmPath, calm));
  });

  it('takes back what its list holds beyond the last checkpoint', async () => {
    const [calm, stopped] = [new MemoryLedger(), new MemoryLedger()];
    const [calmPath, path] = [uninterruptedPath(), uninterruptedPath()];
    await run(calmPath, calm);
    await expect(run(path, failingAt(stopped, transactions, 'before it is written'))).rejects.toThrow();
    appendFileSync(`${path}.rejected.csv`, '18,SG_ROW_COLUMNS,,half a r');
    await run(path, stopped);
    expect(await leftBehind(path, stopped)).toEqual(await leftBehind(calmPath, calm));
  });

  it('at every transaction in turn ends exact', async () => {
    const ledger = new MemoryLedger();
    const path = uninterruptedPath();
    for (let nth = 1; nth < transactions; nth += 1) {
      const fault = nth % 2 === 0 ? 'before it is written' : 'after it was written';
      await expect(run(path, failingAt(ledger, nth % 2 === 0 ? 2 : 1, fault))).rejects.toThrow('The power failed.');
    }
    const summary = await run(path, ledger);
    expect(countsOf(summary)).toEqual([13, 7, 2, 1, 3]);
    expect(summary.identical_rows).toBe(1);
    expect((await booksOf(ledger)).records.length).toBe(13);
    expect(summary.resumed_at_line).toBe(18);
  });

  it('and has lost its list of rejected rows is done anew, and lists them all', async () => {
    const ledger = new MemoryLedger();
    const path = uninterruptedPath();
    await expect(run(path, failingAt(ledger, 5, 'after it was written'))).rejects.toThrow();
    rmSync(`${path}.rejected.csv`);
    const summary = await run(path, ledger);
    expect(summary).not.toHaveProperty('resumed_at_line');
    expect(countsOf(summary)).toEqual([13, 2, 7, 1, 3]);
    expect((await booksOf(ledger)).lines.length).toBe(7);
    expect(readFileSync(`${path}.rejected.csv`, 'utf8').match(/^\d+,SG_/gm)).toEqual(['7,SG_', '12,SG_', '16,SG_']);
  });

  it('is another import under another option', async () => {
    const ledger = new MemoryLedger();
    const path = uninterruptedPath();
    await expect(run(path, failingAt(ledger, 3, 'after it was written'))).rejects.toThrow();
    const other = meaningOf(path, { ...meaning, zone: 'America/Chicago' });
    const summary = await run(path, ledger, { meaning: other });
    expect(summary).not.toHaveProperty('resumed_at_line');
    expect(summary.read).toBe(13);
  });
});

describe('a ledger that another process holds', () => {
  /** Busy for the first so many transactions. */
  function busyFor(ledger: Ledger, times: number): { ledger: Ledger; calls: () => number } {
    let calls = 0;
    const busy = Object.assign(Object.create(ledger) as Ledger, {
      append: async (...batch: Parameters<Ledger['append']>) => {
        calls += 1;
        if (calls <= times) throw new ScanGateError('SG_LEDGER_BUSY', 'Another process holds the ledger.');
        return ledger.append(...batch);
      },
      checkpoint: (key: string) => ledger.checkpoint(key),
      records: (query: Parameters<Ledger['records']>[0]) => ledger.records(query),
    });
    return { ledger: busy, calls: () => calls };
  }

  it('is waited for', async () => {
    const path = uninterruptedPath();
    const { ledger, calls } = busyFor(new MemoryLedger(), 3);
    const summary = await run(path, ledger, { limits: { rowsPerTransaction, busyRetriesMax: 3, busyRetryMs: 1 } });
    expect(countsOf(summary)).toEqual([13, 7, 2, 1, 3]);
    expect(calls()).toBe(3 + transactions);
  });

  it('is not waited for without end, and the import can be gone on with', async () => {
    const path = uninterruptedPath();
    const free = new MemoryLedger();
    const { ledger, calls } = busyFor(free, 1_000);
    const attempt = run(path, ledger, { limits: { rowsPerTransaction, busyRetriesMax: 3, busyRetryMs: 1 } });
    await expect(attempt).rejects.toMatchObject({ code: 'SG_LEDGER_BUSY', retryable: true });
    expect(calls()).toBe(4);
    expect(countsOf(await run(path, free))).toEqual([13, 7, 2, 1, 3]);
  });
});

describe('the progress of an import', () => {
  it('is told after each transaction, and ends at the end of the file', async () => {
    const path = fileOf('log.csv', `scan_uuid,gtin\n${'ev-1,312345678906\n'.repeat(5)}`);
    const told: number[][] = [];
    const onProgress: ImportOptions['onProgress'] = ({ bytes, bytesTotal, counts }) => {
      told.push([bytes, bytesTotal, counts.read]);
    };
    await importAs(path, {}, new MemoryLedger(), { onProgress, limits: { rowsPerTransaction: 2 } });
    expect(told).toEqual([
      [105, 105, 2],
      [105, 105, 4],
      [105, 105, 5],
    ]);
    expect(existsSync(`${path}.rejected.csv`)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { Gate } from '../../../../src/gate/gate.ts';
import { defaultScannerClass } from '../../../../src/identity/scanner-class.ts';
import {
  checkpointKey,
  type ImportCheckpoint,
  outcomesOfLastRows,
  type Patience,
  unfinished,
} from '../../../../src/ingest/file/import-checkpoint.ts';
import { noRows, withOutcomes } from '../../../../src/ingest/file/import-counts.ts';
import type { FileMeaning } from '../../../../src/ingest/file/import-options.ts';
import { MemoryLedger } from '../../../../src/ledger/memory-ledger.ts';

const meaning: FileMeaning = {
  format: 'csv',
  columns: { gtin: 'barcode', scan_uuid: 'id' },
  constants: { facility_uuid: 'F1' },
  ignoredColumns: [],
  ignoresUnmapped: false,
  hasDecimalComma: false,
};
const digest = 'ab'.repeat(32);

const checkpoint: ImportCheckpoint = {
  v: 1,
  done: false,
  line: 11,
  counts: noRows,
  rows: 3,
  received_at: 1_796_083_200_000,
  rejected_bytes: 0,
};

/** Nobody holds up the journal, so nobody waits for it. */
const never: Patience = { retriesMax: 5, pause: () => Promise.reject(new Error('It was waited for.')) };

describe('the key of a checkpoint', () => {
  it('does not depend on the order of the options', () => {
    const reordered: FileMeaning = { ...meaning, columns: { scan_uuid: 'id', gtin: 'barcode' } };
    expect(checkpointKey(digest, reordered)).toBe(checkpointKey(digest, meaning));
    expect(checkpointKey(digest, meaning)).toMatch(/^import:[0-9a-f]{64}$/);
  });

  it.each<[string, Partial<FileMeaning>]>([
    ['the format', { format: 'ndjson' }],
    ['the encoding', { encoding: 'windows-1252' }],
    ['the delimiter', { delimiter: ';' }],
    ['a column', { columns: { gtin: 'barcode', scan_uuid: 'event' } }],
    ['a constant', { constants: { facility_uuid: 'F2' } }],
    ['an ignored column', { ignoredColumns: ['note'] }],
    ['what is ignored', { ignoresUnmapped: true }],
    ['the zone', { zone: 'America/New_York' }],
    ['the decimal mark', { hasDecimalComma: true }],
  ])('is another one when %s is', (_what, changes) => {
    expect(checkpointKey(digest, { ...meaning, ...changes })).not.toBe(checkpointKey(digest, meaning));
  });

  it('is another one when a byte of the file is', () => {
    expect(checkpointKey('cd'.repeat(32), meaning)).not.toBe(checkpointKey(digest, meaning));
  });
});

describe('a checkpoint', () => {
  it('is gone on with when its run did not finish', () => {
    expect(unfinished(JSON.stringify(checkpoint))).toEqual(checkpoint);
    expect(unfinished(JSON.stringify({ ...checkpoint, done: true }))).toBeUndefined();
    expect(unfinished(undefined)).toBeUndefined();
  });

  it('finds in the journal what became of its rows', async () => {
    const ledger = new MemoryLedger();
    const gate = new Gate({ ledger, policy: () => defaultScannerClass });
    const submit = (transport: 'file' | 'http', receivedAt: number, scans: readonly object[]) =>
      gate.submitTogether(
        scans.map((scan) => ({ transport, receivedAt, value: scan, raw: () => ({ bytes: new Uint8Array(1) }) })),
        { key: 'k', value: 'v' },
      );
    const scan = (scan_uuid: string, captured_at: string) => ({
      facility_uuid: 'F1',
      scanner_id: 'S1',
      scan_type: 'dispense',
      gtin: '312345678906',
      scan_uuid,
      captured_at,
    });
    await submit('file', checkpoint.received_at, [scan('before', '2026-11-30T01:00:00Z')]);
    await submit('file', checkpoint.received_at, [
      scan('ev-1', '2026-11-30T02:00:00Z'),
      scan('ev-1', '2026-11-30T02:00:00Z'),
      { facility_uuid: 'F1' },
    ]);
    await submit('http', checkpoint.received_at, [scan('ev-9', '2026-11-30T05:00:00Z')]);
    await submit('file', checkpoint.received_at + 1, [scan('after', '2026-11-30T03:00:00Z')]);

    const found = await outcomesOfLastRows(ledger, checkpoint, never);
    expect(found.outcomes.map(({ outcome, scanId }) => [outcome, scanId])).toEqual([
      ['committed', 'ev-1'],
      ['suppressed', 'ev-1'],
      ['rejected', undefined],
    ]);
    const again = await outcomesOfLastRows(ledger, { ...checkpoint, rows: 0, journal_after: found.journalAfter }, never);
    expect(again).toEqual({ outcomes: [], journalAfter: found.journalAfter });
    await expect(outcomesOfLastRows(ledger, { ...checkpoint, rows: 5 }, never)).rejects.toMatchObject({
      code: 'SG_LEDGER_REFERENCE',
    });
  });
});

describe('the counts of an import', () => {
  it('give every row one outcome, and count what is identical apart', () => {
    const counts = withOutcomes(noRows, [
      { outcome: 'committed', flags: ['late'] },
      { outcome: 'suppressed', gapMs: 0, flags: ['late'] },
      { outcome: 'suppressed', gapMs: 0, scanId: 'ev-1', flags: [] },
      { outcome: 'suppressed', gapMs: 20, flags: ['late', 'possible_under_count'] },
      { outcome: 'conflict', flags: [] },
      { outcome: 'rejected', flags: [] },
    ]);
    expect(counts).toEqual({
      read: 6,
      committed: 1,
      suppressed: 3,
      conflict: 1,
      rejected: 1,
      identical_rows: 1,
      flags: { late: 3, possible_under_count: 1 },
    });
    expect(noRows.read).toBe(0);
    expect(withOutcomes(counts, [{ outcome: 'committed', flags: ['late'] }])).toMatchObject({ read: 7, flags: { late: 4 } });
  });
});

import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../src/base/digest.ts';
import { type AuditSource, audit, type StoredRecord } from '../../../src/ledger/audit.ts';
import type { LedgerLine } from '../../../src/ledger/ledger-line.ts';
import { type Plan, planBatch } from '../../../src/ledger/plan-batch.ts';
import { facilityA, noon, rejectionAt, scanAt } from '../../../src/testing/wire-scans.ts';
import { knownBooks } from './known-books.ts';

/** One line, one scan id suppressed by it, one rejection, one line more: records 1 to 4. */
function plan(): Plan {
  let last = 0;
  const uuid = () => {
    last += 1;
    return `id-${last}`;
  };
  const batch = [scanAt(0, { scan_uuid: 'A' }), scanAt(1, { scan_uuid: 'B' }), rejectionAt(2), scanAt(3, { lot_number: 'L2' })];
  return planBatch(knownBooks({}), batch, noon, { uuid });
}

function storedRecords(written: Plan): StoredRecord[] {
  return written.records.map(({ record, json, hash }) => ({
    seq: record.seq,
    outcome: record.outcome,
    scan_uuid: record.scan?.scan_uuid ?? null,
    entry_id: (record.entry ?? record.of)?.id ?? null,
    record: json,
    hash,
  }));
}

/** Whatever the rows are, as a store would give them. */
function sourceOf(written: Plan, records: readonly StoredRecord[], lines: readonly LedgerLine[]): AuditSource {
  const head = written.heads.get(facilityA);
  const bound = new Map([
    ['A', { fingerprint: lines[0]?.fingerprint ?? '', journal_seq: 1 }],
    ['B', { fingerprint: written.suppressedScanIds[0]?.known.fingerprint ?? '', journal_seq: 2 }],
  ]);
  return {
    facilities: () => [facilityA],
    head: () => head && { facility_uuid: facilityA, last_line: head.lastLine, last_seq: head.lastSeq, head_hash: head.hash },
    records: () => records,
    record: (_facility, seq) => records.find((record) => record.seq === seq),
    lines: () => lines,
    line: (entryId) => lines.find((line) => line.entry_id === entryId),
    scanId: (_facility, _scanner, scanId) => bound.get(scanId),
    quarantinedSha256: (id) => {
      const kept = written.quarantined.find((one) => one.id === id);
      return kept && sha256Hex(kept.bytes);
    },
    suppressedScanIdCounts: () => new Map([[facilityA, 1]]),
    resolution: () => undefined,
    quarantinedCounts: () => new Map([[facilityA, 1]]),
    resolutionCounts: () => new Map(),
    overlaps: () => [],
  };
}

/** The breaks that are found after the rows, or the source, were changed. */
function breaksIn(change: {
  readonly records?: (rows: readonly StoredRecord[]) => readonly StoredRecord[];
  readonly lines?: (rows: readonly LedgerLine[]) => readonly LedgerLine[];
  readonly source?: Partial<AuditSource>;
}): string[] {
  const written = plan();
  const same = <T>(rows: readonly T[]) => rows;
  const records = (change.records ?? same)(storedRecords(written));
  const source = sourceOf(written, records, (change.lines ?? same)(written.lines));
  return audit({ ...source, ...change.source }).breaks.map(({ at, message }) => `${at}: ${message}`);
}

test('what was planned is found whole, with the hash that proves it later', () => {
  const written = plan();
  const report = audit(sourceOf(written, storedRecords(written), written.lines));
  expect(report).toEqual({
    facilities: [{ facility_uuid: facilityA, records: 4, lines: 2, head_hash: written.records.at(-1)?.hash }],
    breaks: [],
    accepted: [],
  });
});

test('nothing at all is whole', () => {
  const empty = { facilities: () => [] };
  expect(breaksIn({ source: empty })).toEqual([]);
});

describe('a break', () => {
  test('in a record is told once, and the records after it are whole', () => {
    const change = (rows: readonly StoredRecord[]) =>
      rows.map((row) => (row.seq === 2 ? { ...row, record: row.record.replace('"gap_ms":1', '"gap_ms":2') } : row));
    expect(breaksIn({ records: change })).toEqual([
      'record 2: The hash of record 2 does not follow from the record before it and its text.',
    ]);
  });

  test('in a line is told once', () => {
    const change = (rows: readonly LedgerLine[]) => rows.map((row) => (row.line === 1 ? { ...row, delta: '1' } : row));
    expect(breaksIn({ lines: change })).toEqual(['record 1: Line 1 is not what its record 1 says.']);
  });

  test('by a line left out does not make strangers of those after it', () => {
    expect(breaksIn({ lines: (rows) => rows.slice(1) })).toEqual([
      'record 1: Record 1 is committed, and has no line.',
      'record 1: The scan id of record 1 is not bound to it.',
      'record 2: Record 2 is suppressed for a line that does not exist.',
      'line 2: Line 2 follows line 0: numbers are missing.',
    ]);
  });

  test('by a record left out does not make strangers of the lines after it', () => {
    expect(breaksIn({ records: (rows) => rows.filter(({ seq }) => seq !== 3) })).toEqual([
      'record 4: Record 4 follows record 2: numbers are missing.',
      'record 4: The hash of record 4 does not follow from the record before it and its text.',
      'quarantine: Of what was rejected, 1 more are in quarantine than the records name.',
    ]);
  });

  test('by a reference to a line of another pick is told', () => {
    const change = (rows: readonly LedgerLine[]) =>
      rows.map((row) => (row.line === 1 ? { ...row, claim_key: 'scan:idem:0' } : row));
    expect(breaksIn({ lines: change })).toEqual([
      'record 1: Line 1 is not what its record 1 says.',
      'record 2: Record 2 names another pick than the line it refers to.',
    ]);
  });

  test('by two lines in one window is told with both numbers', () => {
    const overlaps = () => [{ facility_uuid: facilityA, line: 1, next_line: 2 }];
    expect(breaksIn({ source: { overlaps } })).toEqual(['line 1: Lines 1 and 2 have one content and lie within one window.']);
  });

  test.each([
    'null',
    '7',
    '[]',
    '{}',
    '{"outcome":"committed"}',
    '{"outcome":"suppressed","of":7}',
    '{"outcome":"rejected","rejection":1}',
  ])('of the record text %s is told, whatever shape it has, and the audit goes on', (record) => {
    const change = (rows: readonly StoredRecord[]) => rows.map((row) => (row.seq === 2 ? { ...row, record } : row));
    const breaks = breaksIn({ records: change });
    expect(breaks[0]).toBe('record 2: The hash of record 2 does not follow from the record before it and its text.');
    expect(breaks.length).toBeGreaterThan(1);
    expect(breaks.filter((one) => /^(record [134]|line|head)/.test(one))).toEqual([]);
  });
});

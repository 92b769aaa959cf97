import { describe, expect, test } from 'vitest';
import type { Transmission } from '../../../src/ledger/ledger.ts';
import { type Plan, planBatch } from '../../../src/ledger/plan-batch.ts';
import { facilityA, facilityB, noon, rejectionAt, scanAt } from '../../../src/testing/wire-scans.ts';
import { type Known, knownBooks, knownLine } from './known-books.ts';

function planned(batch: readonly Transmission[], known: Known = {}): Plan {
  let last = 0;
  const uuid = () => {
    last += 1;
    return `id-${last}`;
  };
  return planBatch(knownBooks(known), batch, noon + 500, { uuid });
}

/*
 * Identity, claim key and fingerprint are those of coreutils, as in
 *   printf '%s' '0b9f7f52-5f5e-4d0e-9a51-6f1f0a1c7a01|SCN-04|00093721410|A1207|1|dispense' | sha256sum
 * (590904000 is the index of the window at noon), and the hashes those of
 *   printf '%s%s' "$previous" "$record" | sha256sum
 */
const identity = '56bfbbe7c10e89185d1721c29f733b55a0c4c353db1315155b2b9a599ceea0b7';
const claimKey = 'scan:idem:baa672b679a3bb442d06a81e1a345dc470a4f0abb7847fafaa7702925da33e19';
const fingerprint = 'c3db98c74af262dde78b23cc24980a19e079b41c5654cfc2b4e49b76853e8390';
const committed = `{"arbiter":"ledger","claim_key":"${claimKey}","decided_at":1772712000500,"entry":{"facility_uuid":"${facilityA}","id":"id-1","line":1},"facility_uuid":"${facilityA}","fingerprint":"${fingerprint}","flags":[],"identity":"${identity}","outcome":"committed","scan":{"captured_at":1772712000000,"facility_uuid":"${facilityA}","lot_number":"A1207","ndc":"00093721410","occurred_at":1772712000000,"quantity":"1","received_at":1772712000000,"scan_type":"dispense","scan_uuid":"A","scanner_id":"SCN-04","time_basis":"device","unit":"EA"},"scanner_class":"default","seq":1,"transport":"library","v":1,"window_ms":3000}`;
const committedHash = '04a855bbd38f0047e031a70c7dfd67d51a51e8d6eb42be769c749351e2dd8af8';
const suppressed = `{"arbiter":"ledger","claim_key":"${claimKey}","decided_at":1772712000500,"facility_uuid":"${facilityA}","fingerprint":"${fingerprint}","flags":["possible_under_count"],"gap_ms":400,"identity":"${identity}","of":{"facility_uuid":"${facilityA}","id":"id-1","line":1},"outcome":"suppressed","reason":"same_content","scan":{"captured_at":1772712000400,"facility_uuid":"${facilityA}","lot_number":"A1207","ndc":"00093721410","occurred_at":1772712000400,"quantity":"1","received_at":1772712000400,"scan_type":"dispense","scan_uuid":"B","scanner_id":"SCN-04","time_basis":"device","unit":"EA"},"scanner_class":"default","seq":2,"transport":"library","v":1,"window_ms":3000}`;
const suppressedHash = '91072036c4a701af3ee53a7b045daae2d5a333cb0587eebde5f6ae0084034d00';

describe('a batch', () => {
  test('becomes records of canonical JSON, each hashed after the one before it', () => {
    const { records } = planned([scanAt(0, { scan_uuid: 'A' }), scanAt(400, { scan_uuid: 'B' })]);
    expect(records.map(({ json }) => json)).toEqual([committed, suppressed]);
    expect(records.map(({ hash }) => hash)).toEqual([committedHash, suppressedHash]);
  });

  test('moves the head of its facility to its last line, record and hash', () => {
    const { heads } = planned([scanAt(0, { scan_uuid: 'A' }), scanAt(400, { scan_uuid: 'B' })]);
    expect([...heads]).toEqual([[facilityA, { lastLine: 1, lastSeq: 2, hash: suppressedHash }]]);
  });

  test('goes on from the head that is there', () => {
    const head = { lastLine: 41, lastSeq: 97, hash: 'ab'.repeat(32) };
    const { heads, lines, records } = planned([scanAt(0), rejectionAt(0)], { head });
    expect(lines).toMatchObject([{ line: 42, journal_seq: 98 }]);
    expect(records.map(({ record }) => record.seq)).toEqual([98, 99]);
    expect(heads.get(facilityA)).toMatchObject({ lastLine: 42, lastSeq: 99 });
  });

  test('moves only the heads of the facilities that it touches', () => {
    const { heads } = planned([scanAt(0, { facility_uuid: facilityB }), rejectionAt(0, { facility_uuid: '' })]);
    expect([...heads.keys()]).toEqual([facilityB, '-']);
  });

  test('that is empty plans nothing', () => {
    const { decisions, lines, records, heads, scanners } = planned([]);
    expect([decisions, lines, records, [...heads], scanners]).toEqual([[], [], [], [], []]);
  });
});

describe('scan ids', () => {
  test('that were suppressed by content are kept with what was sent and with their record', () => {
    const { suppressedScanIds } = planned([scanAt(0, { scan_uuid: 'A' }), scanAt(400, { scan_uuid: 'B' })]);
    expect(suppressedScanIds).toMatchObject([
      {
        facilityUuid: facilityA,
        scannerId: 'SCN-04',
        scanId: 'B',
        journalSeq: 2,
        known: { fingerprint, line: { entry: { id: 'id-1' }, claimKey }, movement: { quantity: '1', lot_number: 'A1207' } },
      },
    ]);
  });

  test('are kept once: not for a line of their own, a retransmission, a conflict or a rejection', () => {
    const { suppressedScanIds, decisions } = planned([
      scanAt(0, { scan_uuid: 'A' }),
      scanAt(1, { scan_uuid: 'B' }),
      scanAt(1, { scan_uuid: 'B' }),
      scanAt(1, { scan_uuid: 'B', quantity: 2 }),
      rejectionAt(1, { scan_uuid: 'C', quantity: 'one' }),
      scanAt(2),
    ]);
    expect(decisions.map(({ outcome }) => outcome)).toEqual([
      'committed',
      'suppressed',
      'suppressed',
      'conflict',
      'rejected',
      'suppressed',
    ]);
    expect(suppressedScanIds.map(({ scanId }) => scanId)).toEqual(['B']);
  });
});

describe('the latest time of a scanner', () => {
  const seen = (batch: readonly Transmission[], known: Known = {}) =>
    planned(batch, known).scanners.map(({ scannerId, occurredAt }) => [scannerId, occurredAt - noon]);

  test('is that of its latest scan, committed or suppressed, and never goes back', () => {
    expect(seen([scanAt(0), scanAt(2_000), scanAt(1_000)])).toEqual([['SCN-04', 2_000]]);
    expect(seen([scanAt(0)], { lastOccurredAt: noon + 9_000 })).toEqual([['SCN-04', 9_000]]);
  });

  test('is kept for each scanner', () => {
    expect(seen([scanAt(0), scanAt(5, { scanner_id: 'SCN-05' })])).toEqual([
      ['SCN-04', 0],
      ['SCN-05', 5],
    ]);
  });

  test('is not moved by a suspect clock, a retransmission or a rejection', () => {
    const suspect = scanAt(60_000, {}, { receivedMs: 0 });
    expect(suspect.scan.flags).toEqual(['clock_suspect']);
    expect(seen([suspect])).toEqual([]);
    expect(seen([scanAt(0, { scan_uuid: 'A' }), scanAt(9_000, { scan_uuid: 'A' }), rejectionAt(9_000)])).toEqual([['SCN-04', 0]]);
  });
});

describe('a rejection', () => {
  test('is kept with its bytes under the record that tells of it', () => {
    const { decisions, quarantined, records } = planned([rejectionAt(7, { scan_uuid: 'A', quantity: 'one' })]);
    expect(decisions).toMatchObject([
      { outcome: 'rejected', quarantineId: 'id-1', rejection: { code: 'SG_QUANTITY_INVALID', field: 'quantity' } },
    ]);
    expect(quarantined).toMatchObject([{ id: 'id-1', facilityUuid: facilityA, journalSeq: 1 }]);
    expect(records[0]?.record).toMatchObject({
      outcome: 'rejected',
      flags: [],
      rejection: {
        code: 'SG_QUANTITY_INVALID',
        scanner_id: 'SCN-04',
        scan_uuid: 'A',
        received_at: noon + 7,
        quarantine_id: 'id-1',
      },
    });
  });
});

describe('an expected entry', () => {
  const lines = [knownLine(5, 0)];
  const arbiterOf = (expectedEntryId: string) =>
    planned([{ ...scanAt(100), expectedEntryId }], { lines }).records[0]?.record.arbiter;

  test('makes the claim the arbiter only when it is the line that is duplicated', () => {
    expect(arbiterOf('entry-5')).toBe('claim');
    expect(arbiterOf('entry-6')).toBe('ledger');
  });
});

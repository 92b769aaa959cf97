import { deepEqual, equal } from 'node:assert/strict';
import type { JournalRecord } from '../ledger/journal-record.ts';
import type { Promised } from './contract-case.ts';
import { allLines, allRecords, type LedgerPair } from './ledger-pair.ts';
import { facilityA, facilityB, noon, rejectionAt, scanAt } from './wire-scans.ts';

const told = (records: readonly JournalRecord[]): string[] =>
  records.map(({ facility_uuid, seq, outcome }) => `${facility_uuid === facilityA ? 'A' : 'B'}${seq} ${outcome}`);

/** What can be asked of the books, through whichever instance. */
export const reading: Promised<LedgerPair> = {
  async 'a line holds the whole movement'({ first, second }) {
    const scan = scanAt(
      0,
      {
        scan_type: 'return',
        direction: 'out',
        quantity: '2.50',
        unit: 'ML',
        serial_number: 'S1',
        expiration_date: '2027-01-31',
        scan_uuid: 'A',
        reference: 'ORDER-7',
        reason: 'recall',
        actor: 'L. Chen',
      },
      { receivedMs: 20 },
    );
    await first.append([scan]);
    const [line] = await allLines(second);
    const { entry_id, identity, fingerprint, claim_key, ...rest } = line ?? { entry_id: '' };
    deepEqual(rest, {
      facility_uuid: facilityA,
      line: 1,
      scanner_id: 'SCN-04',
      scan_uuid: 'A',
      occurred_at: noon,
      received_at: noon + 20,
      window_ms: 3_000,
      ndc11: '00093721410',
      ndc12: '000093721410',
      gtin14: null,
      product_name: null,
      package_form: null,
      units_per_container: null,
      lot_number: 'A1207',
      serial_number: 'S1',
      expiration_date: '2027-01-31',
      quantity: '2.5',
      unit: 'ML',
      scan_type: 'return',
      direction: 'out',
      delta: '-2.5',
      dea_schedule: 'unknown',
      book: 'schedule_1_2',
      reference: 'ORDER-7',
      reason: 'recall',
      actor: 'L. Chen',
      reverses: null,
      journal_seq: 1,
    });
    deepEqual([identity, fingerprint, claim_key], [scan.identity.content, scan.identity.fingerprint, scan.identity.claimKey]);
    deepEqual(await first.line(entry_id), line);
    equal(await first.line('no-such-entry'), undefined);
  },

  async 'the spelling that was sent is kept beside what it means'({ first, second }) {
    await first.append([scanAt(0, { lot_number: '\u200BA1207 ', quantity: '1.0' })]);
    const [record] = await allRecords(second);
    deepEqual([record?.scan?.lot_number, record?.scan?.quantity], ['A1207', '1']);
    deepEqual(record?.as_sent, { lot_number: '\u200BA1207 ', quantity: '1.0' });
  },

  async 'the records of a pick are those of one physical scan, in order'({ first, second }) {
    const scan = scanAt(0, { scan_uuid: 'A' });
    await first.append([scan, scanAt(0, { lot_number: 'B9' }), scanAt(100, { scan_uuid: 'B' })]);
    await second.append([scanAt(3_000), scan, scanAt(0, { scan_uuid: 'A', quantity: 2 })]);
    deepEqual(told(await first.recordsOfPick(scan.identity.claimKey)), [
      'A1 committed',
      'A3 suppressed',
      'A5 suppressed',
      'A6 conflict',
    ]);
    deepEqual(await second.recordsOfPick('scan:idem:none'), []);
  },

  async 'the records of a scan id are the whole picks that it means, then what was rejected under it'({ first, second }) {
    await first.append([
      rejectionAt(0, { scan_uuid: 'B', quantity: 'one' }),
      scanAt(0, { scan_uuid: 'A' }),
      scanAt(100, { scan_uuid: 'B' }),
      scanAt(0, { lot_number: 'B9' }),
      scanAt(100, { scan_uuid: 'B', quantity: 2 }),
    ]);
    deepEqual(told(await second.recordsOfScanId('B')), ['A2 committed', 'A3 suppressed', 'A5 conflict', 'A1 rejected']);
    deepEqual(told(await second.recordsOfScanId('A')), ['A2 committed', 'A3 suppressed', 'A5 conflict']);
    deepEqual(await second.recordsOfScanId('C'), []);
  },

  async 'the records of a scan id are found in every facility that has used it'({ first, second }) {
    await first.append([scanAt(0, { scan_uuid: 'A' }), scanAt(0, { scan_uuid: 'A', facility_uuid: facilityB })]);
    await second.append([scanAt(0, { scan_uuid: 'A' })]);
    deepEqual(told(await first.recordsOfScanId('A')).sort(), ['A1 committed', 'A2 suppressed', 'B1 committed']);
  },

  async 'the status says when the last transaction was decided'({ first, second }) {
    equal((await second.status()).committedAt, undefined);
    await first.append([scanAt(0)]);
    const [record] = await allRecords(second);
    equal((await second.status()).committedAt, record?.decided_at);
    equal(Number.isInteger(record?.decided_at), true);
  },
};

import { deepEqual, equal } from 'node:assert/strict';
import type { Promised } from './contract-case.ts';
import { decisionOn, inWords, oneByOne, together } from './decision-words.ts';
import { allLines, allRecords, type LedgerPair } from './ledger-pair.ts';
import { facilityB, scanAt, transmission, wireScan } from './wire-scans.ts';

const yearMs = 31_536_000_000;

/** R1: what was answered to a scan id once is answered again, for as long as the record exists. */
export const sameId: Promised<LedgerPair> = {
  async 'a scan that is sent again is suppressed by the entry of the first'({ first, second }) {
    const scan = scanAt(0, { scan_uuid: 'A' });
    const committed = await decisionOn(first, scan);
    const again = await decisionOn(second, scan);
    deepEqual([inWords(committed), inWords(again)], ['committed 1', 'suppressed 1 same_scan_id 0']);
    deepEqual(again.outcome === 'suppressed' && again.of, committed.outcome === 'committed' && committed.entry);
    deepEqual(again.outcome !== 'rejected' && again.claimKey, committed.outcome !== 'rejected' && committed.claimKey);
  },

  async 'an id keeps its outcome a year later, whatever time its device gives'({ first, second }) {
    const told = await oneByOne(first, [scanAt(0, { scan_uuid: 'A' }), scanAt(yearMs, { scan_uuid: 'A' })]);
    deepEqual(told, ['committed 1', 'suppressed 1 same_scan_id 31536000000']);
    const arrivesLate = transmission(wireScan(0, { scan_uuid: 'A' }), { receivedMs: yearMs });
    deepEqual(await together(second, arrivesLate), [`suppressed 1 same_scan_id ${yearMs}`]);
  },

  async 'an id that was suppressed by content stays suppressed when its content has long been a new scan'({ first, second }) {
    const told = await oneByOne(first, [
      scanAt(0, { scan_uuid: 'A' }),
      scanAt(1_000, { scan_uuid: 'B' }),
      scanAt(3_000, { scan_uuid: 'C' }),
    ]);
    deepEqual(told, ['committed 1', 'suppressed 1 same_content 1000', 'committed 2']);
    deepEqual(await oneByOne(second, [scanAt(60_000, { scan_uuid: 'B' }), scanAt(3_100, { scan_uuid: 'B' })]), [
      'suppressed 1 same_scan_id 60000',
      'suppressed 1 same_scan_id 3100',
    ]);
  },

  async 'other content under a known id is a conflict that names the fields and leaves the first entry as it was'(pair) {
    const { first, second } = pair;
    await first.append([scanAt(0, { scan_uuid: 'A' })]);
    const before = await allLines(first);
    const other = scanAt(0, { scan_uuid: 'A', quantity: 2, lot_number: 'B9', serial_number: 'S1' });
    deepEqual(await together(second, other), ['conflict 1 lot_number,quantity,serial_number']);
    deepEqual(await allLines(second), before);
    equal(before.length, 1);
  },

  async 'content that never was under its id is a conflict each time, and the first content is still suppressed'({ first }) {
    const genuine = scanAt(0, { scan_uuid: 'A' });
    const other = scanAt(10_000, { scan_uuid: 'A', quantity: 2 });
    const told = await oneByOne(first, [genuine, other, other, genuine]);
    deepEqual(told, ['committed 1', 'conflict 1 quantity', 'conflict 1 quantity', 'suppressed 1 same_scan_id 0']);
  },

  async 'an id that was suppressed by content is compared with what was sent under it'({ first, second }) {
    const suppressed = scanAt(100, { scan_uuid: 'B', expiration_date: '2027-01-31' });
    const told = await oneByOne(first, [
      scanAt(0, { scan_uuid: 'A' }),
      suppressed,
      suppressed,
      scanAt(100, { scan_uuid: 'B', expiration_date: '2028-01-31' }),
    ]);
    deepEqual(told, [
      'committed 1',
      'suppressed 1 same_content 100',
      'suppressed 1 same_scan_id 100',
      'conflict 1 expiration_date',
    ]);
    deepEqual(await together(second, scanAt(100, { scan_uuid: 'B' })), ['conflict 1 expiration_date']);
  },

  async 'who pulled the trigger, when it was sent and how it was spelled are not content'({ first }) {
    const again = scanAt(0, {
      scan_uuid: ' A ',
      lot_number: '\uFEFFA1207',
      quantity: '1.0',
      ndc: '0093-7214-10',
      actor: 'R. Diaz',
      sent_at: '2026-03-05T12:00:09Z',
    });
    const told = await oneByOne(first, [scanAt(0, { scan_uuid: 'A', actor: 'L. Chen' }), again]);
    deepEqual(told, ['committed 1', 'suppressed 1 same_scan_id 0']);
  },

  async 'one id at another scanner or another facility is another scan'({ first, second }) {
    const told = await oneByOne(first, [
      scanAt(0, { scan_uuid: 'A' }),
      scanAt(0, { scan_uuid: 'A', scanner_id: 'SCN-05' }),
      scanAt(0, { scan_uuid: 'A', facility_uuid: facilityB }),
    ]);
    deepEqual(told, ['committed 1', 'committed 2', 'committed 1']);
    const again = await oneByOne(second, [
      scanAt(0, { scan_uuid: 'A', scanner_id: 'SCN-05' }),
      scanAt(0, { scan_uuid: 'A', facility_uuid: facilityB, quantity: 2 }),
    ]);
    deepEqual(again, ['suppressed 2 same_scan_id 0', 'conflict 1 quantity']);
  },

  async 'every answer is one journal record, in the pick of the line that it names'({ first }) {
    await first.append([
      scanAt(2_900, { scan_uuid: 'A' }),
      scanAt(2_900, { scan_uuid: 'A' }),
      scanAt(2_900, { scan_uuid: 'A', quantity: 2 }),
      // In the next window by the clock, so that its own claim key is another one.
      scanAt(3_400, { scan_uuid: 'B' }),
    ]);
    const [line] = await allLines(first);
    const records = await allRecords(first);
    deepEqual(
      records.map(({ seq, outcome, reason, gap_ms, entry, of }) => [seq, outcome, reason, gap_ms, entry?.line, of?.line]),
      [
        [1, 'committed', undefined, undefined, 1, undefined],
        [2, 'suppressed', 'same_scan_id', 0, undefined, 1],
        [3, 'conflict', undefined, undefined, undefined, 1],
        [4, 'suppressed', 'same_content', 500, undefined, 1],
      ],
    );
    deepEqual(new Set(records.map((record) => record.claim_key)), new Set([line?.claim_key]));
    deepEqual(records[2]?.differs, ['quantity']);
    deepEqual(records[2]?.scan?.quantity, '2');
  },
};

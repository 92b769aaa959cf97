import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { ScanTransmission } from '../ledger/ledger.ts';
import type { Promised } from './contract-case.ts';
import { oneByOne, together } from './decision-words.ts';
import { allLines, allRecords, type LedgerPair } from './ledger-pair.ts';
import { facilityA, facilityB, rejectionAt, scanAt } from './wire-scans.ts';

/** What no ledger can write, because JSON has no form for it. */
function poisoned(): ScanTransmission {
  const made = scanAt(50_000);
  return { ...made, scan: { ...made.scan, asSent: { lot_number: Number.NaN } } };
}

const numbers = (of: readonly { readonly line: number }[]): number[] => of.map(({ line }) => line);
const seqs = (of: readonly { readonly seq: number }[]): number[] => of.map(({ seq }) => seq);

/** A batch is one transaction, decided in its order. */
export const batches: Promised<LedgerPair> = {
  async 'duplicates inside one batch obey the same rules'({ first }) {
    const told = await together(
      first,
      scanAt(0, { scan_uuid: 'A' }),
      scanAt(0, { scan_uuid: 'B', lot_number: 'B9' }),
      scanAt(0, { scan_uuid: 'A' }),
      scanAt(100, { scan_uuid: 'C' }),
      scanAt(100, { scan_uuid: 'C' }),
      scanAt(100, { scan_uuid: 'C', quantity: 2 }),
      scanAt(3_000),
      scanAt(5_999),
    );
    deepEqual(told, [
      'committed 1',
      'committed 2',
      'suppressed 1 same_scan_id 0',
      'suppressed 1 same_content 100',
      'suppressed 1 same_scan_id 100',
      'conflict 1 quantity',
      'committed 3',
      'suppressed 3 same_content 2999',
    ]);
  },

  async 'what one batch decided holds for the next batch of another instance'({ first, second }) {
    await first.append([scanAt(0, { scan_uuid: 'A' }), scanAt(100, { scan_uuid: 'B' })]);
    const told = await together(second, scanAt(200, { scan_uuid: 'B' }), scanAt(200), scanAt(3_000));
    deepEqual(told, ['suppressed 1 same_scan_id 200', 'suppressed 1 same_content 200', 'committed 2']);
  },

  async 'a batch is decided in its order'({ first }) {
    deepEqual(await together(first, scanAt(2_000), scanAt(0), scanAt(4_000)), [
      'committed 1',
      'suppressed 1 same_content 2000',
      'suppressed 1 same_content 2000',
    ]);
  },

  async 'what is no scan does not fail its neighbours'({ first, second }) {
    const told = await together(first, rejectionAt(0), scanAt(0), rejectionAt(1), scanAt(1), rejectionAt(2));
    deepEqual(told, ['rejected', 'committed 1', 'rejected', 'suppressed 1 same_content 1', 'rejected']);
    deepEqual(
      (await allRecords(second)).map(({ seq, outcome }) => `${seq} ${outcome}`),
      ['1 rejected', '2 committed', '3 rejected', '4 suppressed', '5 rejected'],
    );
  },

  async 'an empty batch decides nothing and writes nothing'({ first, second }) {
    deepEqual(await first.append([]), []);
    deepEqual(await allRecords(second), []);
  },

  async 'lines and records are numbered from 1 without gaps in each facility, whichever instance writes'({ first, second }) {
    const of = (facility_uuid: string, ms: number) => scanAt(ms, { facility_uuid });
    const told = await together(first, of(facilityA, 0), of(facilityB, 0), of(facilityA, 3_000), of(facilityA, 3_001));
    deepEqual(told, ['committed 1', 'committed 1', 'committed 2', 'suppressed 2 same_content 1']);
    deepEqual(await together(second, of(facilityB, 1), of(facilityB, 3_000), of(facilityA, 6_000)), [
      'suppressed 1 same_content 1',
      'committed 2',
      'committed 3',
    ]);
    deepEqual(numbers(await allLines(first, facilityA)), [1, 2, 3]);
    deepEqual(numbers(await allLines(first, facilityB)), [1, 2]);
    deepEqual(seqs(await allRecords(first, facilityA)), [1, 2, 3, 4]);
    deepEqual(seqs(await allRecords(first, facilityB)), [1, 2, 3]);
    deepEqual(
      (await allLines(first, facilityA)).map((line) => line.journal_seq),
      [1, 2, 4],
    );
  },

  async 'a checkpoint is kept with the batch that it stands for'({ first, second }) {
    equal(await second.checkpoint('a.csv'), undefined);
    await first.append([scanAt(0)], { key: 'a.csv', value: 'line 1' });
    equal(await second.checkpoint('a.csv'), 'line 1');
    await second.append([], { key: 'a.csv', value: 'line 2' });
    equal(await first.checkpoint('a.csv'), 'line 2');
    equal(await first.checkpoint('b.csv'), undefined);
  },

  async 'a batch that cannot be written leaves nothing behind: no line, no record, no number, no checkpoint'(pair) {
    const { first, second } = pair;
    await first.append([scanAt(0)], { key: 'a.csv', value: 'line 1' });
    const neighbours = [scanAt(10_000, { scan_uuid: 'A' }), rejectionAt(10_000)];
    await rejects(first.append([...neighbours, poisoned()], { key: 'a.csv', value: 'line 4' }));
    equal(await second.checkpoint('a.csv'), 'line 1');
    equal((await allRecords(second)).length, 1);
    deepEqual(await oneByOne(first, neighbours), ['committed 2', 'rejected']);
    deepEqual(seqs(await allRecords(second)), [1, 2, 3]);
  },
};

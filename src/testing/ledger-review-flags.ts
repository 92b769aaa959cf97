import { deepEqual } from 'node:assert/strict';
import type { Ledger, Transmission } from '../ledger/ledger.ts';
import type { Promised } from './contract-case.ts';
import { flagsOf } from './decision-words.ts';
import { allRecords, type LedgerPair } from './ledger-pair.ts';
import { noon, scanAt, transmission, type WireChanges, wireScan } from './wire-scans.ts';

/** Flags of transmissions sent one by one, and the check that the journal has the same. */
async function flagsFrom(ledger: Ledger, transmissions: readonly Transmission[]): Promise<string[][]> {
  const told: string[][] = [];
  for (const one of transmissions) told.push(...flagsOf(await ledger.append([one])));
  const recorded = (await allRecords(ledger)).slice(-told.length);
  deepEqual(
    recorded.map((record) => record.flags),
    told,
  );
  return told;
}

/** A scan whose device says nothing of the time, so that it is the time of its arrival. */
const arrivingAt = (receivedMs: number, changes: WireChanges = {}) =>
  scanAt(0, { captured_at: undefined, ...changes }, { receivedMs });

/** A scan whose device is ten seconds ahead of the gate's clock. */
const aheadAt = (capturedMs: number) =>
  transmission(wireScan(capturedMs, { lot_number: 'B9' }), { receivedMs: capturedMs - 10_000 });

/** R7: what the window could have got wrong is put up for review. The default class: W = 3000 ms, review from 400 ms. */
export const reviewFlags: Promised<LedgerPair> = {
  async 'a suppression by content is a possible under-count from the gap on that the class names'({ first }) {
    const flags = await flagsFrom(first, [scanAt(0), scanAt(399), scanAt(400), scanAt(2_999)]);
    deepEqual(flags, [[], [], ['possible_under_count'], ['possible_under_count']]);
  },

  async 'a gap backwards counts as well'({ first }) {
    const flags = await flagsFrom(first, [scanAt(2_000), scanAt(1_601), scanAt(1_600)]);
    deepEqual(flags, [[], ['out_of_order'], ['out_of_order', 'possible_under_count']]);
  },

  async 'two ids whose times are only those of their arrival are a possible under-count at any gap'({ first }) {
    const flags = await flagsFrom(first, [
      arrivingAt(0, { scan_uuid: 'A' }),
      arrivingAt(5, { scan_uuid: 'B' }),
      arrivingAt(10),
      scanAt(15, { scan_uuid: 'C' }),
    ]);
    deepEqual(flags, [[], ['possible_under_count'], [], []]);
  },

  async 'a retransmission under its id is never put up for review'({ first }) {
    const flags = await flagsFrom(first, [
      scanAt(0, { scan_uuid: 'A' }),
      scanAt(2_000, { scan_uuid: 'A' }),
      arrivingAt(2_500, { scan_uuid: 'A' }),
      scanAt(2_600, { scan_uuid: 'A', quantity: 2 }),
    ]);
    deepEqual(flags, [[], [], [], []]);
  },

  async 'a commit less than three windows after one of the same content is a possible double count'({ first, second }) {
    deepEqual(await flagsFrom(first, [scanAt(0), scanAt(3_000)]), [[], ['possible_double_count']]);
    deepEqual(await flagsFrom(second, [scanAt(11_999), scanAt(20_999), scanAt(21_000, { lot_number: 'B9' })]), [
      ['possible_double_count'],
      [],
      [],
    ]);
  },

  async 'a commit less than three windows before one of the same content is a possible double count too'({ first }) {
    const flags = await flagsFrom(first, [scanAt(20_000), scanAt(11_001), scanAt(2_001)]);
    deepEqual(flags, [[], ['out_of_order', 'possible_double_count'], ['out_of_order']]);
  },

  async 'inside one batch the flags are the same'({ first }) {
    const decisions = await first.append([scanAt(5_000), scanAt(5_400), scanAt(4_900), scanAt(8_000)]);
    deepEqual(flagsOf(decisions), [[], ['possible_under_count'], ['out_of_order'], ['possible_double_count']]);
  },

  async 'a scan made before another that had arrived from its scanner is out of order'({ first, second }) {
    const lot = (ms: number, lot_number: string, scanner_id = 'SCN-04') => scanAt(ms, { lot_number, scanner_id });
    deepEqual(await flagsFrom(first, [lot(1_000, 'B1'), lot(999, 'B2'), lot(999, 'B3', 'SCN-05')]), [[], ['out_of_order'], []]);
    deepEqual(await flagsFrom(second, [lot(999, 'B4'), lot(1_001, 'B5')]), [['out_of_order'], []]);
  },

  async 'equal times are not out of order'({ first }) {
    const lot = (lot_number: string) => scanAt(1_000, { lot_number });
    deepEqual(await flagsFrom(first, [lot('B1'), lot('B2'), lot('B1')]), [[], [], []]);
  },

  async 'a scan of a clock that is suspect does not make later ones out of order'({ first, second }) {
    deepEqual(await flagsFrom(first, [scanAt(0), aheadAt(11_000), scanAt(1_000, { lot_number: 'B1' })]), [
      [],
      ['clock_suspect'],
      [],
    ]);
    deepEqual(await flagsFrom(second, [scanAt(999, { lot_number: 'B2' })]), [['out_of_order']]);
  },

  async 'a device that says 2036 is believed for nothing, and does not spoil what follows'({ first }) {
    const in2036 = transmission(wireScan(0, { captured_at: '2036-02-07T06:28:16Z', lot_number: 'B9' }), { receivedMs: 50 });
    const flags = await flagsFrom(first, [scanAt(0), in2036, scanAt(100, { lot_number: 'B1' })]);
    deepEqual(flags, [[], ['clock_suspect'], []]);
    const [, record] = await allRecords(first);
    deepEqual([record?.scan?.occurred_at, record?.scan?.time_basis], [noon + 50, 'receipt']);
  },

  async 'what the time rules flagged is kept with the decision, whatever it was'({ first }) {
    const late = (changes: WireChanges) => transmission(wireScan(0, changes), { receivedMs: 60_001 });
    const flags = await flagsFrom(first, [
      late({ scan_uuid: 'A' }),
      late({ scan_uuid: 'A' }),
      late({ scan_uuid: 'A', quantity: 2 }),
    ]);
    deepEqual(flags, [['late'], ['late'], ['late']]);
  },
};

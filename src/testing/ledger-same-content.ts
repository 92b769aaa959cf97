import { deepEqual } from 'node:assert/strict';
import { defaultScannerClass, type ScannerClass } from '../identity/scanner-class.ts';
import type { Promised } from './contract-case.ts';
import { oneByOne, together } from './decision-words.ts';
import { allLines, type LedgerPair } from './ledger-pair.ts';
import { facilityB, scanAt, type WireChanges } from './wire-scans.ts';

/** The default class: W = 3000 ms. */
const at = (ms: number, changes?: WireChanges) => scanAt(ms, changes);

function windowOf(windowMs: number): ScannerClass {
  return { ...defaultScannerClass, name: `${windowMs} ms`, windowMs };
}

const trusting: ScannerClass = { ...defaultScannerClass, name: 'trusting', distinctIds: 'trust' };

/** R2: one content within the window is one physical scan. */
export const sameContent: Promised<LedgerPair> = {
  async 'the window is half-open: 2999 ms later is a duplicate, 3000 ms later a new scan'({ first, second }) {
    deepEqual(await oneByOne(first, [at(0), at(2_999)]), ['committed 1', 'suppressed 1 same_content 2999']);
    deepEqual(await oneByOne(second, [at(3_000)]), ['committed 2']);
  },

  async 'the window reaches as far back: 2999 ms earlier is a duplicate, 3000 ms earlier a new scan'({ first, second }) {
    deepEqual(await oneByOne(first, [at(3_000), at(1)]), ['committed 1', 'suppressed 1 same_content 2999']);
    deepEqual(await oneByOne(second, [at(0)]), ['committed 2']);
  },

  async 'the window is anchored at the committed scan: a duplicate does not lengthen it'({ first }) {
    const told = await oneByOne(first, [at(0), at(2_000), at(2_900), at(3_000), at(5_999), at(6_000)]);
    deepEqual(told, [
      'committed 1',
      'suppressed 1 same_content 2000',
      'suppressed 1 same_content 2900',
      'committed 2',
      'suppressed 2 same_content 2999',
      'committed 3',
    ]);
  },

  async 'a repeat every minute within a window of two is committed every second time'({ first }) {
    const scannerClass = windowOf(120_000);
    const scans = [0, 1, 2, 3, 4].map((minute) => scanAt(minute * 60_000, {}, { scannerClass }));
    deepEqual(await oneByOne(first, scans), [
      'committed 1',
      'suppressed 1 same_content 60000',
      'committed 2',
      'suppressed 2 same_content 60000',
      'committed 3',
    ]);
  },

  async 'in the order of the clock, scans at 0, 2 and 4 s are two lines'({ first, second }) {
    deepEqual(await oneByOne(first, [at(0), at(2_000)]), ['committed 1', 'suppressed 1 same_content 2000']);
    deepEqual(await together(second, at(4_000)), ['committed 2']);
  },

  async 'arriving as 2, 0 and 4 s, the same scans are one line'({ first, second }) {
    deepEqual(await oneByOne(first, [at(2_000), at(0)]), ['committed 1', 'suppressed 1 same_content 2000']);
    deepEqual(await together(second, at(4_000)), ['suppressed 1 same_content 2000']);
  },

  async 'between two lines, the nearer one is duplicated, and of two equally near the earlier'({ first, second }) {
    deepEqual(await oneByOne(first, [at(0), at(5_000)]), ['committed 1', 'committed 2']);
    deepEqual(await oneByOne(second, [at(2_400), at(2_600), at(2_500)]), [
      'suppressed 1 same_content 2400',
      'suppressed 2 same_content 2400',
      'suppressed 1 same_content 2500',
    ]);
  },

  async 'different scan ids within the window are one scan, in the same millisecond too'({ first, second }) {
    const told = await oneByOne(first, [at(0, { scan_uuid: 'A' }), at(0, { scan_uuid: 'B' }), at(300, { scan_uuid: 'C' })]);
    deepEqual(told, ['committed 1', 'suppressed 1 same_content 0', 'suppressed 1 same_content 300']);
    deepEqual(await together(second, at(600)), ['suppressed 1 same_content 600']);
    deepEqual((await allLines(second)).length, 1);
  },

  async 'a class that trusts its ids makes each of them a scan'({ first, second }) {
    const sent = (ms: number, scan_uuid?: string) => scanAt(ms, { scan_uuid }, { scannerClass: trusting });
    const told = await oneByOne(first, [sent(0, 'A'), sent(100, 'B'), sent(200), sent(300)]);
    deepEqual(told, ['committed 1', 'committed 2', 'committed 3', 'suppressed 3 same_content 100']);
    deepEqual(await together(second, sent(400, 'B')), ['suppressed 2 same_scan_id 300']);
  },

  async 'each class of scanners has its own window, and each line keeps the one in force'({ first, second }) {
    const wired = (ms: number) => scanAt(ms, { scanner_id: 'WIRED' }, { scannerClass: windowOf(1_000) });
    const radio = (ms: number) => scanAt(ms, { scanner_id: 'RADIO' }, { scannerClass: windowOf(2_000) });
    const told = await oneByOne(first, [wired(0), radio(0), wired(1_500), radio(1_500)]);
    deepEqual(told, ['committed 1', 'committed 2', 'committed 3', 'suppressed 2 same_content 1500']);
    deepEqual(
      (await allLines(second)).map((line) => line.window_ms),
      [1_000, 2_000, 1_000],
    );
  },

  async 'after a change of the setting, a line covers the window that was in force when it was committed'({ first, second }) {
    const wide = (ms: number) => scanAt(ms, {}, { scannerClass: windowOf(5_000) });
    const narrow = (ms: number) => scanAt(ms, {}, { scannerClass: windowOf(1_000) });
    deepEqual(await oneByOne(first, [wide(0), narrow(4_999)]), ['committed 1', 'suppressed 1 same_content 4999']);
    deepEqual(await oneByOne(second, [narrow(5_000), narrow(6_000)]), ['committed 2', 'committed 3']);
  },

  async 'a scan that was made before a line is its duplicate when its own window reaches the line'({ first, second }) {
    const wide = (ms: number) => scanAt(ms, {}, { scannerClass: windowOf(5_000) });
    const narrow = (ms: number) => scanAt(ms, {}, { scannerClass: windowOf(1_000) });
    deepEqual(await oneByOne(first, [narrow(5_000), wide(1)]), ['committed 1', 'suppressed 1 same_content 4999']);
    deepEqual(await oneByOne(second, [wide(0)]), ['committed 2']);
  },

  async 'scans that differ in any dimension are different scans, at one instant too'({ first }) {
    const changes: WireChanges[] = [
      {},
      { lot_number: 'a1207' },
      { lot_number: undefined },
      { serial_number: 'S01' },
      { serial_number: 'S02' },
      { quantity: 2 },
      { unit: 'ML' },
      { scan_type: 'waste' },
      { scan_type: 'return', direction: 'in' },
      { scan_type: 'return', direction: 'out' },
      { reference: 'RX-1' },
      { ndc: '00093721411' },
      { ndc: undefined, gtin: '10300937214103' },
      { scanner_id: 'SCN-05' },
    ];
    const told = await oneByOne(
      first,
      changes.map((change) => at(0, change)),
    );
    deepEqual(
      told,
      changes.map((_, index) => `committed ${index + 1}`),
    );
    deepEqual(await together(first, at(0, { facility_uuid: facilityB })), ['committed 1']);
  },
};

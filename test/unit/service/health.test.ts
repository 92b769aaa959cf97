import { expect, test } from 'vitest';
import { ScanGateError } from '../../../src/base/errors.ts';
import { Gate } from '../../../src/gate/gate.ts';
import { defaultScannerClass } from '../../../src/identity/scanner-class.ts';
import type { LedgerStatus } from '../../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../../src/ledger/memory-ledger.ts';
import { Health } from '../../../src/service/health.ts';
import { fixedClock } from '../../support/scans.ts';

const clock = fixedClock(1_000_000);
const gate = new Gate({ ledger: new MemoryLedger(), policy: () => defaultScannerClass });

/** A ledger whose status is what it is told. */
class ToldLedger extends MemoryLedger {
  readonly #status: () => Promise<LedgerStatus>;

  constructor(status: () => Promise<LedgerStatus>) {
    super();
    this.#status = status;
  }

  override status(): Promise<LedgerStatus> {
    return this.#status();
  }
}

const well = new ToldLedger(async () => ({ kind: 'sqlite', path: '/data/ledger.sqlite', bytes: 4_096, committedAt: 999_000 }));

test('a ledger that writes makes the server ready', async () => {
  expect(await new Health(clock).report({ mode: 'embedded', gate, ledger: well })).toEqual({
    live: true,
    ready: true,
    stopping: false,
    at: 1_000_000,
    mode: 'embedded',
    queue_depth: 0,
    ledger: { kind: 'sqlite', path: '/data/ledger.sqlite', bytes: 4_096, committed_at: 999_000 },
    claims: null,
    last_failure: null,
  });
});

test('a transaction that failed makes it unready for 10 s, or until one succeeds', async () => {
  const time = fixedClock(1_000_000);
  const health = new Health(time);
  const full = new ScanGateError('SG_LEDGER_FULL', 'The disk is full.');
  health.appended(full);
  const failure = { at: 1_000_000, code: 'SG_LEDGER_FULL', message: 'The disk is full.' };
  expect(await health.report({ mode: 'embedded', gate, ledger: well })).toMatchObject({
    live: true,
    ready: false,
    last_failure: failure,
  });
  time.advance(9_999);
  expect(await health.report({ mode: 'embedded', gate, ledger: well })).toMatchObject({ ready: false });
  time.advance(1);
  expect(await health.report({ mode: 'embedded', gate, ledger: well })).toMatchObject({ ready: true, last_failure: failure });
  health.appended(full);
  health.appended(undefined);
  expect(await health.report({ mode: 'embedded', gate, ledger: well })).toMatchObject({ ready: true, last_failure: null });
});

test('a ledger that cannot say how it is makes it unready, not dead', async () => {
  const health = new Health(clock);
  const broken = new ToldLedger(() => Promise.reject(new Error('The thread of the ledger failed.')));
  expect(await health.report({ mode: 'embedded', gate, ledger: broken })).toMatchObject({
    live: true,
    ready: false,
    ledger: { error: 'The thread of the ledger failed.' },
  });
  const silent = new ToldLedger(() => new Promise(() => undefined));
  expect(await health.report({ mode: 'embedded', gate, ledger: silent })).toMatchObject({
    live: true,
    ready: false,
    ledger: { error: 'It has not answered within 1000 ms.' },
  });
});

test('a server that stops is not ready', async () => {
  const health = new Health(clock);
  health.stopping();
  expect(await health.report({ mode: 'embedded', gate, ledger: well })).toMatchObject({
    live: true,
    ready: false,
    stopping: true,
  });
});

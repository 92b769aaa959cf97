import { afterEach, describe, expect, test, vi } from 'vitest';
import { ScanGateError } from '../../../src/base/errors.ts';
import { Gate, type GateOptions } from '../../../src/gate/gate.ts';
import { defaultScannerClass } from '../../../src/identity/scanner-class.ts';
import type { Decision, Transmission } from '../../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../../src/ledger/memory-ledger.ts';
import { arrival, arriving, nextTurn, verdictInWords } from './arriving.ts';
import { HeldLedger } from './held-ledger.ts';

function heldGate(options: Partial<GateOptions> = {}) {
  const ledger = new HeldLedger();
  return { ledger, gate: new Gate({ ledger, policy: () => defaultScannerClass, ...options }) };
}

const words = async (verdicts: readonly ReturnType<Gate['submit']>[]) => (await Promise.all(verdicts)).map(verdictInWords);

const busy = new ScanGateError('SG_LEDGER_BUSY', 'Another process holds the ledger.');

afterEach(() => {
  vi.useRealTimers();
});

describe('batches', () => {
  test('the next batch is what arrived while the last was on its way, and verdicts are in the order of arrival', async () => {
    const { gate, ledger } = heldGate();
    const verdicts = [gate.submit(arriving(0))];
    await ledger.called();
    verdicts.push(gate.submit(arriving(100)), gate.submit(arriving(3_000)), gate.submit(arriving(3_100)));
    expect(gate.queueDepth).toBe(4);
    await ledger.answer();
    await ledger.answer();
    expect(await words(verdicts)).toEqual([
      'committed 1',
      'suppressed 1 same_content 100',
      'committed 2',
      'suppressed 2 same_content 100',
    ]);
    expect(ledger.batchSizes).toEqual([1, 3]);
    expect(gate.queueDepth).toBe(0);
  });

  test('nobody hears of a decision before the ledger has answered', async () => {
    const { gate, ledger } = heldGate();
    let isDecided = false;
    const verdict = gate.submit(arriving(0)).finally(() => {
      isDecided = true;
    });
    await ledger.called();
    await nextTurn();
    expect(isDecided).toBe(false);
    await ledger.answer();
    expect(verdictInWords(await verdict)).toBe('committed 1');
  });

  test('what is no scan is decided among its neighbours', async () => {
    const { gate, ledger } = heldGate();
    const verdicts = [gate.submit(arriving(0)), gate.submit(arrival('?')), gate.submit(arriving(0, { quantity: 'one' }))];
    await ledger.answer();
    expect(await words(verdicts)).toEqual(['committed 1', 'rejected', 'rejected']);
  });
});

describe('limits', () => {
  test('what finds the queue full is unavailable, and is committed when it is sent again', async () => {
    const { gate, ledger } = heldGate({ limits: { queueItemsMax: 2 } });
    const taken = [gate.submit(arriving(0)), gate.submit(arriving(3_000))];
    expect(await words([gate.submit(arriving(6_000))])).toEqual(['SG_QUEUE_FULL']);
    await ledger.answer();
    expect(await words(taken)).toEqual(['committed 1', 'committed 2']);
    const again = gate.submit(arriving(6_000));
    await ledger.answer();
    expect(await words([again])).toEqual(['committed 3']);
  });

  test('what waits may hold so many bytes, and raw input counts with its length', async () => {
    const { gate, ledger } = heldGate({ limits: { queueBytesMax: 10_000 } });
    const taken = [gate.submit(arrival('x'.repeat(7_000)))];
    expect(await words([gate.submit(arriving(0))])).toEqual(['SG_QUEUE_FULL']);
    await ledger.answer();
    expect(await words(taken)).toEqual(['rejected']);
  });

  test('a ledger that does not answer in time is unavailable; what it has written is told when the scan is sent again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { gate, ledger } = heldGate({ limits: { answerMsMax: 15_000 } });
    const verdict = gate.submit(arriving(0));
    await ledger.called();
    vi.advanceTimersByTime(14_999);
    expect(await Promise.race([verdict, Promise.resolve('waiting')])).toBe('waiting');
    vi.advanceTimersByTime(1);
    expect(await words([verdict])).toEqual(['SG_LEDGER_SLOW']);
    const again = gate.submit(arriving(0));
    await ledger.answer();
    await ledger.answer();
    expect(await words([again])).toEqual(['suppressed 1 same_content 0']);
  });

  test('what is answered as unavailable before its turn is not written later, and is committed when it is sent again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { gate, ledger } = heldGate({ limits: { answerMsMax: 15_000 } });
    const first = gate.submit(arriving(0));
    await ledger.called();
    const second = gate.submit(arriving(3_000));
    vi.advanceTimersByTime(15_000);
    expect(await words([first, second])).toEqual(['SG_LEDGER_SLOW', 'SG_LEDGER_SLOW']);
    await ledger.answer();
    const again = gate.submit(arriving(3_000));
    await ledger.answer();
    expect(await words([again])).toEqual(['committed 2']);
    expect(gate.queueDepth).toBe(0);
  });
});

describe('a ledger that fails', () => {
  test.each([
    ['with a code of its own', busy, 'SG_LEDGER_BUSY'],
    ['with a code that asks for no retry', new ScanGateError('SG_DATA_DAMAGED', 'damaged'), 'SG_LEDGER_FAILED'],
    ['with what nobody expected', new RangeError('no'), 'SG_LEDGER_FAILED'],
  ])('%s makes the whole batch unavailable, and sent again each scan is committed once', async (_how, error, code) => {
    const { gate, ledger } = heldGate();
    const send = () => [gate.submit(arriving(0)), gate.submit(arriving(3_000))];
    const failed = send();
    await ledger.fail(error);
    expect(await words(failed)).toEqual([code, code]);
    const again = send();
    await ledger.answer();
    expect(await words(again)).toEqual(['committed 1', 'committed 2']);
  });

  test('after it has written loses no scan and counts none twice', async () => {
    const { gate, ledger } = heldGate();
    const lost = gate.submit(arriving(0));
    await ledger.loseAnswer(busy);
    expect(await words([lost])).toEqual(['SG_LEDGER_BUSY']);
    const again = gate.submit(arriving(0));
    await ledger.answer();
    expect(await words([again])).toEqual(['suppressed 1 same_content 0']);
  });

  test('because of one scan that its rules refuse fails only that one', async () => {
    class Refusing extends MemoryLedger {
      override async append(batch: readonly Transmission[]): Promise<readonly Decision[]> {
        const refused = batch.some((one) => one.kind === 'scan' && one.scan.lotNumber === 'POISON');
        if (refused) throw new ScanGateError('SG_LEDGER_REFERENCE', 'The ledger refused a row.');
        return super.append(batch);
      }
    }
    const gate = new Gate({ ledger: new Refusing(), policy: () => defaultScannerClass });
    const verdicts = [0, 3_000, 6_000].map((ms) => gate.submit(arriving(ms, ms === 3_000 ? { lot_number: 'POISON' } : {})));
    expect(await words(verdicts)).toEqual(['committed 1', 'SG_LEDGER_REFERENCE', 'committed 2']);
  });

  test.each([
    [true, ['committed 1', 'SG_LEDGER_BUSY', 'committed 2', 'SG_LEDGER_BUSY']],
    [false, ['SG_LEDGER_BUSY', 'SG_LEDGER_BUSY', 'SG_LEDGER_BUSY', 'SG_LEDGER_BUSY']],
  ])(
    'a facility that is busy leaves those of the others decided where facilities are locked one by one: %s',
    async (locks, answers) => {
      class Busy extends MemoryLedger {
        readonly locksFacilities = locks;
        override async append(batch: readonly Transmission[]): Promise<readonly Decision[]> {
          const waits = batch.some((one) => one.kind === 'scan' && one.scan.facilityUuid === 'busy');
          if (waits) throw new ScanGateError('SG_LEDGER_BUSY', 'Another process holds the ledger.');
          return super.append(batch);
        }
      }
      const gate = new Gate({ ledger: new Busy(), policy: () => defaultScannerClass });
      const verdicts = [0, 3_000, 6_000, 9_000].map((ms, index) =>
        gate.submit(arriving(ms, index % 2 === 1 ? { facility_uuid: 'busy' } : {})),
      );
      expect(await words(verdicts)).toEqual(answers);
    },
  );

  test('to decide every scan makes all of them unavailable', async () => {
    class Forgetful extends MemoryLedger {
      override async append(batch: readonly Transmission[]): Promise<readonly Decision[]> {
        return (await super.append(batch)).slice(1);
      }
    }
    const gate = new Gate({ ledger: new Forgetful(), policy: () => defaultScannerClass });
    expect(await words([gate.submit(arriving(0)), gate.submit(arriving(3_000))])).toEqual([
      'SG_LEDGER_FAILED',
      'SG_LEDGER_FAILED',
    ]);
  });
});

describe('stopping', () => {
  test('finishes what was taken and takes nothing more', async () => {
    const { gate, ledger } = heldGate();
    const taken = [gate.submit(arriving(0))];
    await ledger.called();
    taken.push(gate.submit(arriving(3_000)));
    let isDrained = false;
    const drained = gate.drain().then(() => {
      isDrained = true;
    });
    expect(await words([gate.submit(arriving(6_000))])).toEqual(['SG_SHUTTING_DOWN']);
    await ledger.answer();
    await ledger.called();
    expect(isDrained).toBe(false);
    await ledger.answer();
    await drained;
    expect(await words(taken)).toEqual(['committed 1', 'committed 2']);
  });

  test('waits for what was submitted together, and refuses more of it', async () => {
    const { gate, ledger } = heldGate();
    const together = gate.submitTogether([arriving(0)], { key: 'a.csv', value: '1' });
    await ledger.called();
    let isDrained = false;
    const drained = gate.drain().then(() => {
      isDrained = true;
    });
    await expect(gate.submitTogether([arriving(3_000)], { key: 'a.csv', value: '2' })).rejects.toThrow('The server is stopping.');
    expect(isDrained).toBe(false);
    await ledger.answer();
    await drained;
    expect((await together).map(verdictInWords)).toEqual(['committed 1']);
    expect(await ledger.checkpoint('a.csv')).toBe('1');
  });
});

describe('what is submitted together', () => {
  test('is one transaction with its checkpoint, however large', async () => {
    const { gate, ledger } = heldGate({ limits: { batchItemsMax: 2, queueItemsMax: 2 } });
    const arrivals = [0, 1, 2, 3, 4].map((index) => arriving(index * 3_000));
    const verdicts = gate.submitTogether(arrivals, { key: 'a.csv', value: 'line 5' });
    await ledger.answer();
    expect((await verdicts).map(verdictInWords)).toEqual([
      'committed 1',
      'committed 2',
      'committed 3',
      'committed 4',
      'committed 5',
    ]);
    expect(ledger.batchSizes).toEqual([5]);
    expect(await ledger.checkpoint('a.csv')).toBe('line 5');
  });

  test('fails as one, with a code that asks for a retry', async () => {
    const { gate, ledger } = heldGate();
    const failing = gate.submitTogether([arriving(0)], { key: 'a.csv', value: '1' });
    await ledger.fail(new RangeError('no'));
    await expect(failing).rejects.toMatchObject({ code: 'SG_LEDGER_FAILED', message: 'no', retryable: true });
    expect(await ledger.checkpoint('a.csv')).toBeUndefined();
  });
});

describe('an observer', () => {
  test('is told of every verdict before its sender, and of every transaction', async () => {
    const told: string[] = [];
    const observer: GateOptions['observer'] = {
      decided: (verdict) => void told.push(verdictInWords(verdict)),
      appended: (items, durationMs, error) => void told.push(`appended ${items} ${durationMs >= 0} ${error?.code}`),
    };
    const { gate, ledger } = heldGate({ observer, limits: { queueItemsMax: 2 } });
    const send = (ms: number) => gate.submit(arriving(ms)).then(() => told.push('sender'));
    const failed = [send(0), send(3_000)];
    await send(6_000);
    await ledger.fail(busy);
    await Promise.all(failed);
    const good = send(0);
    await ledger.answer();
    await good;
    expect(told).toEqual([
      'SG_QUEUE_FULL',
      'sender',
      'appended 2 true SG_LEDGER_BUSY',
      'SG_LEDGER_BUSY',
      'SG_LEDGER_BUSY',
      'sender',
      'sender',
      'appended 1 true undefined',
      'committed 1',
      'sender',
    ]);
  });
});

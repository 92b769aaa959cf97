import { describe, expect, it } from 'vitest';
import { checkHistory } from '../../../../src/testing/checker/check-history.ts';
import { facilityA, facilityB } from '../../../../src/testing/wire-scans.ts';
import { forged, forgedOne, named, product, SmallRun, soundHistory, withChanged } from './small-run.ts';

const withoutJournal = { has_journal: false } as const;

describe('a scan that is counted twice', () => {
  it('is a phantom overage, by the transmissions that its lines were written for', async () => {
    const run = new SmallRun();
    const scan = run.pullWithoutTime('s1', 0);
    await run.send(scan, 't1', 100);
    await run.send(scan, 't2', 9_000);
    const judgement = checkHistory(run.end());
    expect(named(run.end())).toEqual(['phantom_overage', 'wrong_balance']);
    expect(judgement).toMatchObject({ phantom: 1, wrongBalances: 1, isSound: false });
    expect(judgement.violations[0]?.scan).toBe('s1');
    expect(judgement.violations[1]?.message).toContain(`The balance of ${product}`);
    expect(judgement.violations[1]?.message).toContain('is -2, and should be -1.');
  });

  it('is found where there is no journal, and violates the window where its lines are near', async () => {
    const events = withChanged(
      await soundHistory(withoutJournal),
      'line',
      ({ line }) => line === 4,
      (line) => [line, { ...line, line: 5, entry_id: 'another' }],
    );
    expect(named(events)).toEqual(['phantom_overage', 'window_violated', 'wrong_balance']);
  });
});

describe('a line', () => {
  it('that nobody sent anything for is foreign', async () => {
    const run = new SmallRun(withoutJournal);
    await run.send(run.pull('s1', 0), 't1', 0);
    await run.decide(run.wire(run.pull('s2', 5_000), 'nobody'), 5_000);
    const events = run.end().filter((event) => event.kind !== 'scan' || event.scan !== 's2');
    expect(named(events)).toEqual(['foreign_line', 'wrong_balance']);
  });

  it('for what is no scan is none', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0), 't1', 0);
    const damaged = run.pull('s2', 5_000, { readable: false });
    run.sent(damaged, 't2', 5_000, run.wire(damaged, 't2'));
    await run.decide(run.wire(damaged, 't2'), 5_000);
    expect(named(run.end())).toEqual(['line_for_no_scan', 'wrong_balance']);
  });

  it('that moves more than was scanned is wrong, and makes the balance wrong', async () => {
    const run = new SmallRun(withoutJournal);
    await run.send(run.pull('s1', 0), 't1', 0, { quantity: '1.000001' });
    expect(named(run.end())).toEqual(['wrong_balance', 'wrong_line']);
    expect(checkHistory(run.end()).violations.at(-1)?.message).toContain('is -1.000001, and should be -1.');
  });

  it('of another product is wrong, and makes both balances wrong', async () => {
    const run = new SmallRun(withoutJournal);
    await run.send(run.pull('s1', 0, { product: '00093721411' }), 't1', 0);
    expect(checkHistory(run.end())).toMatchObject({ wrongBalances: 2, found: { wrong_balance: 2 } });
    expect(named(run.end())).toEqual(['wrong_balance', 'wrong_line']);
  });

  it('whose number is none makes the balance wrong', async () => {
    const events = withChanged(
      await soundHistory(withoutJournal),
      'line',
      () => true,
      (line) => [{ ...line, delta: 'one' }],
    );
    expect(named(events)).toEqual(['wrong_balance', 'wrong_line']);
    expect(checkHistory(events).violations.at(-1)?.message).toContain('not a number');
  });
});

describe('what was scanned', () => {
  it('is not what the lines say where two have changed places, though every sum is right', async () => {
    const facilities = new SmallRun(withoutJournal);
    await facilities.send(facilities.pull('s1', 0), 't1', 0);
    await facilities.send(facilities.pull('s2', 0, { facility_uuid: facilityB }), 't2', 0);
    const other = (facility: string): string => (facility === facilityB ? facilityA : facilityB);
    const moved = facilities
      .end()
      .map((event) => (event.kind === 'line' ? { ...event, facility_uuid: other(event.facility_uuid) } : event));
    expect(named(moved)).toEqual(['wrong_line']);

    const products = new SmallRun();
    await products.send(products.pull('s1', 0, { product: '00093573201' }), 't1', 0);
    await products.send(products.pull('s2', 5_000, { content: 'B9' }), 't2', 5_000, { ndc: '00093573201' });
    expect(named(products.end())).toEqual(['record_differs', 'wrong_line']);
    expect(checkHistory(products.end()).found).toMatchObject({ wrong_line: 2, record_differs: 2, wrong_balance: 0 });
  });

  it.each([
    ['lot', { lot_number: 'B9' }],
    ['serial', { serial_number: 'X' }],
    ['type', { scan_type: 'waste' }],
    ['unit', { unit: 'ML' }],
    ['reference', { reference: 'RX-1' }],
  ] as const)('is not what line and record say where their %s is another', async (_, change) => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0), 't1', 0, change);
    expect(named(run.end())).toEqual(['record_differs', 'wrong_line']);
  });

  it('is not what the line says where that names another scanner', async () => {
    const events = withChanged(
      await soundHistory(),
      'line',
      () => true,
      (line) => [{ ...line, scanner_id: 'SCN-99' }],
    );
    expect(named(events)).toEqual(['wrong_line']);
  });
});

describe('a scan that is not counted', () => {
  it('is lost though it was never answered, and even never sent', async () => {
    const run = new SmallRun();
    const scan = run.pull('s1', 0);
    run.sent(scan, 't1', 0, run.wire(scan, 't1'));
    run.pull('s2', 5_000);
    await run.send(run.pull('s3', 60_000), 't3', 60_000);
    const { violations, lost } = checkHistory(run.end());
    expect(lost).toBe(2);
    expect(violations.map(({ message }) => message)).toEqual([
      's1 was never answered (1 transmissions), and has no line.',
      's2 was pulled, never sent, and has no line.',
      expect.stringContaining('is -1, and should be -3.'),
    ]);
    expect(named(run.end())).toEqual(['lost_scan', 'wrong_balance']);
  });

  it('is lost where it was acknowledged and its line is gone with all that tells of it', async () => {
    const events = await soundHistory();
    const gone = forged(
      events.filter((event) => event.kind !== 'line' || event.transmission !== 't8'),
      (records) => records.filter(({ scan }) => scan?.actor !== 't8'),
    ).map((event) => (event.kind === 'head' ? { ...event, line: 3 } : event));
    expect(named(gone)).toEqual(['false_acknowledgement', 'lost_scan', 'unaudited_transmission', 'wrong_balance']);
    expect(checkHistory(gone).violations.find(({ kind }) => kind === 'lost_scan')?.message).toContain('was answered committed');
  });

  it('is swallowed where time tells it from the one whose line was named', async () => {
    const run = new SmallRun(withoutJournal, { windowMs: 60_000 });
    await run.send(run.pull('s1', 0), 't1', 0);
    await run.send(run.pull('s2', 3_000), 't2', 3_000);
    expect(named(run.end())).toEqual(['swallowed_scan']);
    expect(checkHistory(run.end()).swallowed).toMatchObject({ unexplained: 1, withinWindow: 0 });
  });

  it.each([
    ['its content', { content: 'B9' }],
    ['its scanner', { scanner_id: 'SCN-05' }],
    ['its trusted id', { distinct_ids: 'trust', scan_uuids: ['B'] } as const],
  ])('is swallowed where %s tells it from the one whose line was named', async (_, truth) => {
    const run = new SmallRun(withoutJournal);
    await run.send(run.pull('s1', 0, { scan_uuids: ['A'] }), 't1', 0);
    await run.send(run.pull('s2', 1_000, { ...truth }), 't2', 1_000, {
      lot_number: 'A1207',
      scanner_id: 'SCN-04',
    });
    expect(named(run.end())).toEqual(['swallowed_scan']);
  });
});

describe('a scan whose time is that of its receipt', () => {
  it('is swallowed where it was sent long after the one whose line was named', async () => {
    const run = new SmallRun(withoutJournal, { windowMs: 10_000_000 });
    await run.send(run.pullWithoutTime('s1', 0), 't1', 0);
    await run.send(run.pullWithoutTime('s2', 3_600_000), 't2', 3_600_000);
    expect(named(run.end())).toEqual(['swallowed_scan']);
  });
});

describe('the window', () => {
  it('is violated by two lines of one content that are nearer', async () => {
    const run = new SmallRun(withoutJournal, { windowMs: 1_000 });
    await run.send(run.pull('s1', 0), 't1', 0);
    await run.send(run.pull('s2', 2_999), 't2', 2_999);
    expect(named(run.end())).toEqual(['window_violated']);
  });

  it('is not violated by lines that are as far apart as it is long, by trusted ids, or by another window of the class', async () => {
    const run = new SmallRun(withoutJournal, { windowMs: 500 });
    await run.send(run.pull('s1', 0), 't1', 0);
    await run.send(run.pull('s2', 3_000), 't2', 3_000);
    await run.send(run.pull('s3', 3_600, { scan_uuids: ['B'], distinct_ids: 'trust' }), 't3', 3_600);
    await run.send(run.pull('s4', 9_000, { window_ms: 500 }), 't4', 9_000);
    await run.send(run.pull('s5', 9_500, { window_ms: 500 }), 't5', 9_500);
    expect(named(run.end())).toEqual([]);
  });

  it('is violated by a suppression of what is further away', async () => {
    const run = new SmallRun({}, { windowMs: 60_000 });
    await run.send(run.pull('s1', 0, { window_ms: 60_000 }), 't1', 0);
    await run.send(run.pull('s2', 3_000), 't2', 3_000);
    expect(named(run.end())).toEqual(['swallowed_scan', 'window_violated']);
    expect(checkHistory(run.end()).violations.map(({ message }) => message)).toContain(
      't2 was suppressed by content for line 1, from which it is 3000 ms away.',
    );
  });

  it('is violated by a record of the same id that says another gap', async () => {
    expect(named(forgedOne(await soundHistory(), 't4', (record) => ({ ...record, gap_ms: 7 })))).toEqual(['window_violated']);
  });

  it('is violated by a record that says another gap or another window', async () => {
    const events = await soundHistory();
    for (const change of [{ gap_ms: 1_001 }, { window_ms: 2_000 }]) {
      const changed = forged(events, (records) =>
        records.map((record) => (record.scan?.actor === 't6' ? { ...record, ...change } : record)),
      );
      expect(named(changed)).toEqual(['window_violated']);
    }
  });
});

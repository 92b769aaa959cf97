import { describe, expect, it } from 'vitest';
import { checkHistory, HistoryChecker } from '../../../../src/testing/checker/check-history.ts';
import { discarded, forged, named, SmallRun, soundHistory } from './small-run.ts';

describe('a history in which everything went well', () => {
  it('is sound, and everything in it is counted', async () => {
    const judgement = checkHistory(await soundHistory());
    expect(judgement.violations).toEqual([]);
    expect(judgement.isSound).toBe(true);
    expect(judgement.counts).toEqual({
      scans: 6,
      unreadable: 1,
      transmissions: 8,
      answered: 8,
      answers: { committed: 4, suppressed: 3, conflict: 0, rejected: 1, unavailable: 0 },
      lines: 4,
      records: 8,
      faults: { partition: 1 },
    });
  });

  it('is judged by what is known where there is no journal', async () => {
    expect(checkHistory(await soundHistory({ has_journal: false }))).toMatchObject({
      violations: [],
      counts: { records: 0, lines: 4 },
    });
  });

  it('may hold transmissions that nobody answered, and records of them', async () => {
    const run = new SmallRun();
    const scan = run.pull('s1', 0);
    run.sent(scan, 't1', 100, run.wire(scan, 't1'));
    await run.decide(run.wire(scan, 't1'), 100);
    run.sent(scan, 't2', 200, run.wire(scan, 't2'));
    await run.send(scan, 't3', 300);
    const damaged = run.pull('s2', 5_000, { readable: false });
    const wire = run.wire(damaged, 't4', { quantity: 'one' });
    run.sent(damaged, 't4', 5_100, wire);
    await run.decide(wire, 5_100);
    expect(checkHistory(run.end())).toMatchObject({ violations: [], counts: { transmissions: 4, answered: 1, records: 3 } });
  });

  it('may hold what a device sends twice byte for byte, and what is no scan', async () => {
    const run = new SmallRun();
    const damaged = run.pull('s1', 0, { readable: false });
    await run.send(damaged, 't1', 100, { actor: undefined, quantity: 'one' });
    await run.send(damaged, 't2', 900, { actor: undefined, quantity: 'one' });
    const wire = run.wire(damaged, 't3', { actor: undefined, quantity: 'one' });
    run.sent(damaged, 't3', 2_000, wire);
    await run.decide(wire, 2_000);
    expect(checkHistory(run.end())).toMatchObject({ violations: [], counts: { records: 3, answered: 2 } });
  });

  it('may hold two listeners that stamp one trigger some ms apart', async () => {
    const run = new SmallRun();
    const scan = run.pull('s1', 0, { scan_uuids: ['A', 'B'] });
    await run.send(scan, 't1', 10, {}, { scan_uuid: 'A' });
    const captured_at = scan.pulled_at + 5;
    await run.send(scan, 't2', 15, { scan_uuid: 'B', captured_at }, { scan_uuid: 'B', device_at: captured_at });
    expect(named(run.end())).toEqual([]);
  });

  it('may hold times that were reckoned from an age, and clocks of 1970 that say nothing', async () => {
    const run = new SmallRun();
    const fortyDaysMs = 40 * 86_400_000;
    const device_at = run.pull('s0', 0).pulled_at - fortyDaysMs;
    await run.send(run.pull('s1', 0, { device_at, content: 'B9' }), 't1', 400, { sent_at: device_at + 300 });
    await run.send(run.pull('s2', 9_000, { device_at: 1_000 }), 't2', 9_400, { sent_at: 1_300 });
    expect(named(run.end().filter((event) => event.kind !== 'scan' || event.scan !== 's0'))).toEqual([]);
  });

  it('may hold what an edge stamped long ago', async () => {
    const run = new SmallRun();
    const scan = run.pull('s1', -40 * 86_400_000);
    await run.send(scan, 't1', 0);
    const events = forged(run.end(), (records) =>
      records.map((record) => ({
        ...record,
        flags: ['late'],
        ...(record.scan && { scan: { ...record.scan, occurred_at: scan.pulled_at, time_basis: 'device' as const } }),
      })),
    ).map((event) => (event.kind === 'line' ? { ...event, occurred_at: scan.pulled_at } : event));
    expect(named(events)).toEqual([]);
  });

  it('may hold scans that arrive in another order than they were pulled: of three, one line and two within its window', async () => {
    const run = new SmallRun();
    const [first, second, third] = [run.pull('s1', 0), run.pull('s2', 2_000), run.pull('s3', 4_000)];
    await run.send(second, 't2', 5_000);
    await run.send(first, 't1', 5_100);
    await run.send(third, 't3', 5_200);
    expect(checkHistory(run.end())).toMatchObject({ violations: [], counts: { lines: 1 }, swallowed: { withinWindow: 2 } });
  });

  it('may hold what was rejected and then discarded by a person', async () => {
    const events = await soundHistory();
    expect(named(forged(events, (records) => [...records, ...discarded(records)]))).toEqual([]);
  });

  it('begins with its run', () => {
    expect(() => new HistoryChecker().judge()).toThrow('does not begin with its run');
    expect(() => checkHistory(new SmallRun().end().slice(1))).toThrow('does not begin with its run');
    const other = new SmallRun().pull('s1', 0);
    expect(() => checkHistory([other])).toThrow('does not begin with its run');
  });
});

describe('genuine scans without a line of their own', () => {
  it('are within the window where nothing tells them from a retry', async () => {
    const judgement = checkHistory(await soundHistory());
    expect(judgement.swallowed).toEqual({
      withinWindow: 1,
      deviceClock: 0,
      receiptTime: 0,
      reusedId: 0,
      unexplained: 0,
      putUpForReview: 1,
    });
  });

  it('are due to the clock of the device where it stepped', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0), 't1', 0);
    await run.send(run.pull('s2', 10_000, { device_at: run.pull('s0', 0, { content: 'B9' }).pulled_at + 200 }), 't2', 10_000);
    await run.send(run.pull('s3', 60_000, { content: 'C3' }), 't3', 60_000);
    const judgement = checkHistory(run.end().filter((event) => event.kind !== 'scan' || event.scan !== 's0'));
    expect(judgement).toMatchObject({ violations: [], swallowed: { deviceClock: 1, withinWindow: 0, putUpForReview: 0 } });
  });

  it('are due to receipt where the device says no time', async () => {
    const run = new SmallRun();
    await run.send(run.pullWithoutTime('s1', 0), 't1', 9_000);
    await run.send(run.pullWithoutTime('s2', 5_000), 't2', 9_500);
    expect(checkHistory(run.end())).toMatchObject({ violations: [], swallowed: { receiptTime: 1, putUpForReview: 1 } });
  });

  it('are due to receipt where the time of the device cannot be believed', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0, { device_at: 1_000 }), 't1', 9_000);
    await run.send(run.pull('s2', 5_000, { device_at: 6_000 }), 't2', 9_100);
    expect(checkHistory(run.end())).toMatchObject({ violations: [], swallowed: { receiptTime: 1, putUpForReview: 0 } });
  });

  it('are due to their id where the device gave it to two scans', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0, { scan_uuids: ['A'] }), 't1', 0);
    await run.send(run.pull('s2', 50_000, { scan_uuids: ['A'] }), 't2', 50_000);
    expect(checkHistory(run.end())).toMatchObject({ violations: [], swallowed: { reusedId: 1, putUpForReview: 1 } });
  });

  it('are left out of the book where their id stands for the line of a scan with another id', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0, { scan_uuids: ['A'] }), 't1', 0);
    await run.send(run.pull('s2', 1_000, { scan_uuids: ['B'] }), 't2', 1_000);
    await run.send(run.pull('s3', 50_000, { scan_uuids: ['B'] }), 't3', 50_000);
    await run.send(run.pull('s4', 90_000, { scan_uuids: ['B'], content: 'B9' }), 't4', 90_000);
    expect(checkHistory(run.end())).toMatchObject({ violations: [], swallowed: { withinWindow: 1, reusedId: 1 } });
  });

  it('are left out of the book where a reused id made a conflict of them', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0, { scan_uuids: ['A'] }), 't1', 0);
    await run.send(run.pull('s2', 50_000, { scan_uuids: ['A'], content: 'B9' }), 't2', 50_000);
    expect(checkHistory(run.end())).toMatchObject({ violations: [], lost: 0, counts: { answers: { conflict: 1 } } });
  });
});

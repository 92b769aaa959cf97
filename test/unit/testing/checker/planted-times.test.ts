import { describe, expect, it } from 'vitest';
import type { RecordedScan } from '../../../../src/scan/recorded-scan.ts';
import { checkHistory } from '../../../../src/testing/checker/check-history.ts';
import type { HistoryEvent } from '../../../../src/testing/history.ts';
import { noon } from '../../../../src/testing/wire-scans.ts';
import { forgedOne, forgedScan, named, SmallRun, soundHistory } from './small-run.ts';

/** One scan of a device that says this time, received at noon; its record and its line made to say something else of it. */
async function timedAs(deviceAt: number, change: Partial<RecordedScan>): Promise<HistoryEvent[]> {
  const run = new SmallRun();
  await run.send(run.pull('s1', 0, { device_at: deviceAt }), 't1', 0);
  const { occurred_at } = change;
  return forgedScan(run.end(), 't1', change).map((event) =>
    event.kind === 'line' && occurred_at !== undefined ? { ...event, occurred_at } : event,
  );
}

describe('the time of a scan', () => {
  it('is that of the device', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0), 't1', 400, { captured_at: undefined });
    expect(named(run.end())).toEqual(['wrong_time']);
  });

  it('is that of the receipt where the device says none', async () => {
    const run = new SmallRun();
    const scan = run.pullWithoutTime('s1', 0);
    await run.send(scan, 't1', 400, { captured_at: scan.pulled_at });
    expect(named(run.end())).toEqual(['wrong_time']);
  });

  it('is not what nobody believes', async () => {
    const year2036 = Date.UTC(2036, 1, 7);
    expect(named(await timedAs(year2036, {}))).toEqual([]);
    expect(named(await timedAs(year2036, { occurred_at: year2036, time_basis: 'device' }))).toEqual(['wrong_time']);
    expect(named(await timedAs(year2036, { occurred_at: noon - 777_777 }))).toEqual(['wrong_time']);
  });

  it('is not that of a receipt far from when it was sent and answered', async () => {
    const anHourOn = noon + 3_600_000;
    const run = new SmallRun();
    await run.send(run.pullWithoutTime('s1', 0), 't1', 0);
    const events = forgedScan(run.end(), 't1', { received_at: anHourOn, occurred_at: anHourOn });
    expect(named(events.map((event) => (event.kind === 'line' ? { ...event, occurred_at: anHourOn } : event)))).toEqual([
      'wrong_time',
    ]);
    const in1970 = await timedAs(noon, { received_at: 5, occurred_at: 5, time_basis: 'receipt' });
    expect(named(forgedOne(in1970, 't1', (record) => ({ ...record, flags: ['clock_suspect'] })))).toEqual(['wrong_time']);
  });

  it.each([
    ['what the device said', { captured_at: 12_345 }],
    ['whose clock it is of', { time_basis: 'receipt' }],
  ] as const)('is recorded with %s', async (_, change) => {
    expect(named(forgedScan(await soundHistory(), 't1', change))).toEqual(['wrong_time']);
  });

  it('is suspect exactly where the clock of the device is', async () => {
    const suspected = forgedOne(await soundHistory(), 't1', (record) => ({ ...record, flags: ['clock_suspect'] }));
    expect(named(suspected)).toEqual(['wrong_time']);
    const ahead = await timedAs(noon + 30_000, {});
    expect(named(ahead)).toEqual([]);
    expect(named(forgedOne(ahead, 't1', (record) => ({ ...record, flags: [] })))).toEqual(['wrong_time']);
  });

  it('is late exactly where it is older than a minute on arrival', async () => {
    for (const [ageMs, flags] of [
      [60_000, []],
      [60_001, ['late']],
    ] as const) {
      const events = await timedAs(noon - ageMs, {});
      expect(named(events)).toEqual([]);
      const other = flags.length === 0 ? (['late'] as const) : [];
      expect(named(forgedOne(events, 't1', (record) => ({ ...record, flags: other })))).toEqual(['wrong_time']);
    }
  });

  it('excuses nothing where the flag, the basis or the id that says so is false', async () => {
    const anHourOn = 3_600_000;
    for (const change of [{ flags: ['clock_suspect'] as const }, {}]) {
      const run = new SmallRun();
      await run.send(run.pull('s1', 0, { scan_uuids: ['A'] }), 't1', 0);
      await run.send(run.pull('s2', anHourOn, { scan_uuids: ['B'] }), 't2', anHourOn, { scan_uuid: 'A' });
      const events = forgedOne(forgedScan(run.end(), 't2', { scan_uuid: 'B' }), 't2', (record) => ({ ...record, ...change }));
      expect(named(events)).toEqual(expect.arrayContaining(['id_violated', 'swallowed_scan']));
    }
    const run = new SmallRun();
    await run.send(run.pullWithoutTime('s1', 0, { scan_uuids: ['A'] }), 't1', 0);
    await run.send(run.pullWithoutTime('s2', anHourOn, { scan_uuids: ['B'] }), 't2', anHourOn, { scan_uuid: 'A' });
    expect(named(forgedScan(run.end(), 't2', { scan_uuid: 'B' }))).toEqual(['id_violated']);
    expect(checkHistory(run.end()).swallowed.receiptTime).toBe(1);
  });
});

import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../src/base/digest.ts';
import type { JournalRecord } from '../../../../src/ledger/journal-record.ts';
import { checkHistory } from '../../../../src/testing/checker/check-history.ts';
import type { QuarantinedEvent } from '../../../../src/testing/history.ts';
import { facilityB } from '../../../../src/testing/wire-scans.ts';
import { discarded, forged, forgedOne, forgedScan, named, SmallRun, soundHistory, withChanged } from './small-run.ts';

describe('an id', () => {
  it('is recorded as it was sent: not left out, and not that of the other listener', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0, { scan_uuids: ['A', 'B'] }), 't1', 0, {}, { scan_uuid: 'A' });
    expect(named(run.end())).toEqual([]);
    expect(named(forgedScan(run.end(), 't1', { scan_uuid: 'B' }))).toEqual(['record_differs']);
    const without = forgedOne(run.end(), 't1', ({ scan, ...record }) => {
      const { scan_uuid: _, ...others } = scan ?? {};
      return { ...record, scan: others } as JournalRecord;
    });
    expect(named(without)).toEqual(['record_differs']);
  });

  it('is committed once', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0, { scan_uuids: ['A'] }), 't1', 0);
    await run.send(run.pull('s2', 50_000, { scan_uuids: ['A'] }), 't2', 50_000, { scan_uuid: 'B' });
    const events = forgedScan(run.end(), 't2', { scan_uuid: 'A' });
    expect(named(events)).toEqual(['id_violated']);
    expect(checkHistory(events).violations[0]?.message).toMatch(/^t2 was committed, with the entry .+; its id means .+\.$/);
  });

  it('means the line that it was first decided for', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s0', 0, { content: 'C3', scan_uuids: ['Z'] }), 't0', 0);
    const scan = run.pull('s1', 9_000, { scan_uuids: ['A'] });
    await run.send(scan, 't1', 9_000);
    run.sent(scan, 't2', 9_100, run.wire(scan, 't2'));
    await run.decide(run.wire(scan, 't2'), 9_100);
    const records = run.end().flatMap((event) => (event.kind === 'record' ? [event.record] : []));
    const [other] = records;
    if (other?.entry === undefined || other.claim_key === undefined) throw new Error('It was not committed.');
    const named0 = { of: other.entry, claim_key: other.claim_key, gap_ms: 9_000 };
    const events = forgedOne(run.end(), 't2', (record) => ({ ...record, ...named0 }));
    expect(named(events)).toEqual(['false_acknowledgement', 'id_violated', 'not_put_up']);
  });
});

describe('what could be wrong', () => {
  it('is put up for review: a commit soon after another of its content', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0), 't1', 0);
    await run.send(run.pull('s2', 3_500), 't2', 3_500);
    expect(named(run.end())).toEqual([]);
    expect(named(forgedOne(run.end(), 't2', (record) => ({ ...record, flags: [] })))).toEqual(['not_put_up']);
  });

  it('is put up for review: a suppression of what could have been a second scan', async () => {
    const hidden = forgedOne(await soundHistory(), 't6', (record) => ({ ...record, flags: [] }));
    expect(named(hidden)).toEqual(['not_put_up']);
    expect(checkHistory(hidden).violations[0]?.message).toContain('t6 was suppressed 1000 ms from the line');
  });

  it('is put up for review whatever the reason of the suppression is said to be', async () => {
    const unheardOf = 'same_hand' as 'same_content';
    const hidden = forgedOne(await soundHistory(), 't6', (record) => ({ ...record, reason: unheardOf, flags: [] }));
    expect(named(hidden)).toEqual(['not_put_up']);
  });

  it('is put up for review: an id that was used again', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0, { scan_uuids: ['A'] }), 't1', 0);
    await run.send(run.pull('s2', 50_000, { scan_uuids: ['A'] }), 't2', 50_000);
    expect(named(forgedOne(run.end(), 't2', (record) => ({ ...record, flags: [] })))).toEqual(['not_put_up']);
  });

  it('is put up for review: two ids of which only the arrivals can be compared', async () => {
    const run = new SmallRun();
    await run.send(run.pullWithoutTime('s1', 0, { scan_uuids: ['A'] }), 't1', 0);
    await run.send(run.pullWithoutTime('s2', 100, { scan_uuids: ['B'] }), 't2', 100);
    expect(named(run.end())).toEqual([]);
    expect(named(forgedOne(run.end(), 't2', (record) => ({ ...record, flags: [] })))).toEqual(['not_put_up']);
  });

  it('is put up for review: a serial that leaves a second time', async () => {
    const run = new SmallRun();
    const moved = { scan_type: 'dispense', quantity: '1', unit: 'EA', lot_number: 'A1207', serial_number: 'SN1' };
    await run.send(run.pull('s1', 0, { moved }), 't1', 0, { serial_number: 'SN1' });
    await run.send(run.pull('s2', 90_000, { moved }), 't2', 90_000, { serial_number: 'SN1' });
    expect(named(run.end())).toEqual([]);
    expect(named(forgedOne(run.end(), 't2', (record) => ({ ...record, flags: [] })))).toEqual(['not_put_up']);
  });

  it('is put up for review: what comes after later scans of its scanner', async () => {
    const run = new SmallRun();
    const before = run.pull('s1', 0);
    await run.send(run.pull('s2', 20_000, { content: 'B9' }), 't2', 20_000);
    await run.send(before, 't1', 20_100);
    expect(named(run.end())).toEqual([]);
    expect(named(forgedOne(run.end(), 't1', (record) => ({ ...record, flags: [] })))).toEqual(['not_put_up']);
  });
});

describe('a pick', () => {
  it('is committed once', async () => {
    const events = await soundHistory();
    const [first] = events.flatMap((event) => (event.kind === 'record' ? [event.record] : []));
    const claim_key = first?.claim_key ?? '';
    expect(named(forgedOne(events, 't8', (record) => ({ ...record, claim_key })))).toEqual(['broken_chain']);
  });

  it('is committed in its own facility', async () => {
    const change = (record: JournalRecord): JournalRecord => ({
      ...record,
      ...(record.entry && { entry: { ...record.entry, facility_uuid: facilityB } }),
    });
    expect(named(forgedOne(await soundHistory(), 't8', change))).toEqual(['broken_chain']);
  });
});

describe('what is in quarantine', () => {
  it('is released or discarded once, and only where it was rejected', async () => {
    const events = await soundHistory();
    const twice = forged(events, (records) => [...records, ...discarded(records), ...discarded(records)]);
    expect(named(twice)).toEqual(['broken_chain']);
    const never = forged(events, (records) => [
      ...records,
      ...discarded(records).map((record) => ({
        ...record,
        resolves: { quarantine_id: 'none', actor: 'J. Doe', reason: 'damaged label' },
      })),
    ]);
    expect(named(never)).toEqual(['broken_chain']);
  });

  it('is not what a scan came from whose record says so alone', async () => {
    const change = (record: JournalRecord): JournalRecord => ({ ...record, transport: 'quarantine' });
    expect(named(forgedOne(await soundHistory(), 't8', change))).toEqual(['broken_chain']);
  });

  it('is what was sent, whatever its record says was taken out of it', async () => {
    const events = forged(await soundHistory(), (records) =>
      records.map((record) => ({
        ...record,
        ...(record.rejection && { rejection: { ...record.rejection, redacted: true, raw_sha256: 'f'.repeat(64) } }),
      })),
    );
    expect(named(events)).toEqual(['evidence_lost', 'foreign_record', 'unaudited_transmission']);
  });

  it('says where it was sent from', async () => {
    for (const said of [{ scanner_id: 'SCN-99' }, { scan_uuid: 'Z' }]) {
      const events = forged(await soundHistory(), (records) =>
        records.map((record) => ({ ...record, ...(record.rejection && { rejection: { ...record.rejection, ...said } }) })),
      );
      expect(named(events)).toEqual(['record_differs']);
    }
  });

  it('is of the facility that it was sent from', async () => {
    const run = new SmallRun();
    const damaged = run.pull('s1', 0, { readable: false });
    await run.send(damaged, 't1', 0, { facility_uuid: undefined });
    expect(named(run.end())).toEqual(['record_differs']);
  });

  it('is lost where nothing says that it was ever there', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0), 't1', 0);
    const damaged = run.pull('s2', 5_000, { readable: false });
    expect(named(run.end())).toEqual(['evidence_lost']);
    run.sent(damaged, 't2', 5_000, {});
    expect(named(run.end())).toEqual(['evidence_lost']);
    run.events.push({ kind: 'answered', transmission: 't2', answered_at: 0, outcome: 'unavailable', is_heard: true });
    expect(named(run.end())).toEqual(['evidence_lost']);
  });

  it.each([
    ['is not there', () => []],
    ['is cut off', (event: QuarantinedEvent) => [{ ...event, sha256: sha256Hex('{') }]],
  ])('is lost where it %s', async (_, change) => {
    const events = withChanged(await soundHistory(), 'quarantined', () => true, change);
    expect(named(events)).toEqual(['evidence_lost']);
  });
});

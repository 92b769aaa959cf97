import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../../../src/ledger/journal-record.ts';
import { checkHistory } from '../../../../src/testing/checker/check-history.ts';
import type { HistoryEvent } from '../../../../src/testing/history.ts';
import { forged, named, SmallRun, soundHistory, withChanged } from './small-run.ts';

const isOf =
  (transmission: string) =>
  ({ scan }: JournalRecord): boolean =>
    scan?.actor === transmission;

describe('the audit', () => {
  it('misses the record of a suppression that was answered', async () => {
    const events = forged(await soundHistory(), (records) => records.filter((record) => !isOf('t6')(record)));
    expect(named(events)).toEqual(['unaudited_transmission']);
  });

  it('misses the record of a rejection that was answered', async () => {
    const events = (await soundHistory()).filter((event) => event.kind !== 'record' || event.record.outcome !== 'rejected');
    const chained = forged(events, (records) => records);
    expect(named(chained)).toEqual(['false_acknowledgement', 'unaudited_transmission']);
  });

  it('finds a second record of one transmission', async () => {
    const run = new SmallRun();
    const scan = run.pull('s1', 0);
    await run.send(scan, 't1', 0);
    await run.decide(run.wire(scan, 't1'), 100);
    expect(named(run.end())).toEqual(['repeated_record']);
  });

  it('finds a second record of what was rejected', async () => {
    const run = new SmallRun();
    const damaged = run.pull('s1', 0, { readable: false });
    await run.send(damaged, 't1', 0, { quantity: 'one' });
    await run.decide(run.wire(damaged, 't1', { quantity: 'one' }), 100);
    expect(named(run.end())).toEqual(['repeated_record']);
  });

  it('finds the record of what nobody sent, of a scan and of what is none', async () => {
    const run = new SmallRun();
    const scan = run.pull('s1', 0);
    await run.send(scan, 't1', 0);
    await run.decide(run.wire(scan, 'nobody'), 100);
    await run.decide(run.wire(scan, 'nobody', { quantity: 'one' }), 200);
    expect(named(run.end())).toEqual(['foreign_record']);
    expect(checkHistory(run.end()).found.foreign_record).toBe(2);
  });

  it('finds that another outcome was recorded than was answered', async () => {
    const events = withChanged(
      await soundHistory(),
      'answered',
      ({ transmission }) => transmission === 't2',
      (answer) => [{ ...answer, outcome: 'committed' }],
    );
    expect(named(events)).toEqual(['record_differs']);
  });

  it.each([
    ['scanner', { scanner_id: 'SCN-99' }],
    ['scan id', { scan_uuid: 'Z' }],
  ])('finds that another %s was recorded than had sent it', async (_, change) => {
    const events = forged(await soundHistory(), (records) =>
      records.map((record) => (isOf('t2')(record) && record.scan ? { ...record, scan: { ...record.scan, ...change } } : record)),
    );
    expect(named(events)).toEqual(['record_differs']);
  });
});

describe('the chain', () => {
  const record = (fits: (record: JournalRecord) => boolean) => (event: { readonly record: JournalRecord }) => fits(event.record);

  it('breaks where one character of a record is changed', async () => {
    const events = withChanged(await soundHistory(), 'record', record(isOf('t2')), (event) => [
      { ...event, record: { ...event.record, decided_at: event.record.decided_at + 1 } },
    ]);
    expect(named(events)).toEqual(['broken_chain']);
    expect(checkHistory(events).violations[0]?.message).toContain('do not give the hash of its head');
  });

  it('breaks where a record is missing', async () => {
    const events = withChanged(await soundHistory(), 'record', record(isOf('t2')), () => []);
    expect(named(events)).toEqual(['broken_chain', 'unaudited_transmission']);
  });

  it('breaks where a record stands twice', async () => {
    const events = withChanged(await soundHistory(), 'record', record(isOf('t2')), (event) => [event, event]);
    expect(named(events)).toEqual(['broken_chain', 'repeated_record']);
  });

  it('breaks where two records have changed places', async () => {
    const events = await soundHistory();
    const at = events.findIndex((event) => event.kind === 'record' && isOf('t3')(event.record));
    const swapped = events.toSpliced(at, 2, ...events.slice(at, at + 2).reverse());
    expect(named(swapped)).toEqual(['broken_chain', 'id_violated']);
  });

  it('breaks where the line that a suppression names is committed after it', async () => {
    const events = forged(await soundHistory(), ([first, second, ...others]) =>
      [second, first, ...others].filter((one) => one !== undefined),
    );
    expect(named(events)).toEqual(['broken_chain', 'false_acknowledgement']);
    expect(checkHistory(events).violations[0]?.message).toContain('for a line that no record before it committed');
  });

  it('breaks where a suppression names another pick than its line has', async () => {
    const events = forged(await soundHistory(), (records) =>
      records.map((one) => (isOf('t2')(one) ? { ...one, claim_key: 'scan:idem:0' } : one)),
    );
    expect(named(events)).toEqual(['broken_chain']);
  });

  it.each([
    ['seq', 9],
    ['line', 5],
    ['hash', '0'.repeat(64)],
  ])('breaks where the head says another %s', async (field, value) => {
    const events = withChanged(
      await soundHistory(),
      'head',
      () => true,
      (head) => [{ ...head, [field]: value }],
    );
    expect(named(events)).toEqual(['broken_chain']);
  });

  it('breaks where there is no head, or two', async () => {
    const events = await soundHistory();
    for (const heads of [0, 2]) {
      const other = withChanged(
        events,
        'head',
        () => true,
        (head) => Array.from({ length: heads }, () => head),
      );
      expect(named(other)).toEqual(['broken_chain']);
    }
  });
});

describe('the book', () => {
  it.each([
    ['number', { line: 7 }],
    ['time', { occurred_at: 1 }],
    ['transmission', { transmission: 't2' }],
  ])('breaks where a line has another %s than its record says', async (_, change) => {
    const events = withChanged(
      await soundHistory(),
      'line',
      () => true,
      (line) => [{ ...line, ...change }],
    );
    expect(named(events)).toEqual(['broken_chain']);
  });

  it('breaks where a line moves another quantity than its record says', async () => {
    const events = withChanged(
      await soundHistory(),
      'line',
      () => true,
      (line) => [{ ...line, delta: '-2' }],
    );
    expect(named(events)).toEqual(['broken_chain', 'wrong_balance', 'wrong_line']);
  });

  it('breaks where a line is missing', async () => {
    const events = withChanged(
      await soundHistory(),
      'line',
      ({ transmission }) => transmission === 't8',
      () => [],
    );
    expect(named(events)).toEqual(['broken_chain', 'false_acknowledgement', 'lost_scan', 'wrong_balance']);
  });

  it('breaks where a line stands twice', async () => {
    const events = withChanged(
      await soundHistory(),
      'line',
      () => true,
      (line) => [line, line],
    );
    expect(named(events)).toEqual(['broken_chain', 'phantom_overage']);
  });

  it('breaks where a committed record says no line', async () => {
    const events = forged(await soundHistory(), (records) =>
      records.map(({ entry, ...one }) => (isOf('t8')(one) || entry === undefined ? one : { ...one, entry })),
    );
    expect(named(events)).toEqual(['broken_chain', 'record_differs']);
  });
});

describe('what one scanner sent in order', () => {
  const ordered = async (first: number, second: number, scans: readonly [string, string]): Promise<HistoryEvent[]> => {
    const run = new SmallRun();
    const pulled = new Map([...new Set(scans)].map((name, index) => [name, run.pull(name, index * 5_000)]));
    for (const [index, name] of scans.entries()) {
      const scan = pulled.get(name);
      if (scan !== undefined) await run.send(scan, `t${index}`, index * 5_000, {}, { order: index === 0 ? first : second });
    }
    return run.end();
  };

  it('is to be decided in order', async () => {
    expect(named(await ordered(1, 2, ['s1', 's2']))).toEqual([]);
    expect(named(await ordered(2, 1, ['s1', 's2']))).toEqual(['out_of_order']);
  });

  it('may be of one scan, whose order does not matter', async () => {
    expect(named(await ordered(2, 1, ['s1', 's1']))).toEqual([]);
  });
});

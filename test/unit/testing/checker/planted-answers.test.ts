import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../../../src/ledger/journal-record.ts';
import { checkHistory } from '../../../../src/testing/checker/check-history.ts';
import type { AnsweredEvent } from '../../../../src/testing/history.ts';
import { forged, named, SmallRun, soundHistory, withChanged } from './small-run.ts';

const withoutJournal = { has_journal: false } as const;

async function answeredOtherwise(
  transmission: string,
  change: (answer: AnsweredEvent) => AnsweredEvent,
  run = {},
): Promise<ReturnType<typeof named>> {
  const events = await soundHistory(run);
  return named(
    withChanged(
      events,
      'answered',
      (answer) => answer.transmission === transmission,
      (answer) => [change(answer)],
    ),
  );
}

describe('an acknowledgement', () => {
  it.each(['t1', 't2', 't6'])('is false where its entry is no line: %s', async (transmission) => {
    const change = (answer: AnsweredEvent): AnsweredEvent => ({ ...answer, entry_id: 'no such entry' });
    expect(await answeredOtherwise(transmission, change)).toEqual(['false_acknowledgement', 'record_differs']);
  });

  it('is false where there is no entry, and none is kept', async () => {
    const change = ({ entry_id: _, ...answer }: AnsweredEvent): AnsweredEvent => answer;
    expect(await answeredOtherwise('t1', change, withoutJournal)).toEqual(['false_acknowledgement']);
  });

  it('is false where it says of a scan that the line of another is its own', async () => {
    const run = new SmallRun(withoutJournal);
    const first = await run.send(run.pull('s1', 0), 't1', 0);
    await run.send(run.pull('s2', 9_000), 't2', 9_000);
    const events = withChanged(
      run.end(),
      'answered',
      ({ transmission }) => transmission === 't2',
      (answer) => [{ ...answer, ...(first.entry_id !== undefined && { entry_id: first.entry_id }) }],
    );
    expect(named(events)).toEqual(['false_acknowledgement']);
    expect(checkHistory(events).violations[0]?.message).toContain('which is the line of s1.');
  });

  it('is false where another transmission of the same id was told another entry', async () => {
    const run = new SmallRun();
    const other = await run.send(run.pull('s0', 50_000), 't0', 50_000);
    const scan = run.pull('s1', 0, { scan_uuids: ['A'] });
    await run.send(scan, 't1', 0, {}, { scan_uuid: 'A' });
    await run.send(scan, 't2', 100, {}, { scan_uuid: 'A' });
    const events = withChanged(
      run.end(),
      'answered',
      ({ transmission }) => transmission === 't2',
      (answer) => [{ ...answer, ...(other.entry_id !== undefined && { entry_id: other.entry_id }) }],
    );
    expect(named(run.end())).toEqual([]);
    expect(named(events)).toEqual(['false_acknowledgement', 'record_differs']);
    expect(checkHistory(events).violations.at(-1)?.message).toContain('Of the id A');
  });

  it('is false for what is no scan', async () => {
    const change = (answer: AnsweredEvent): AnsweredEvent => ({ ...answer, outcome: 'suppressed' });
    expect(await answeredOtherwise('t7', change, withoutJournal)).toEqual(['false_acknowledgement']);
  });
});

describe('a suppression', () => {
  it('is false where the scan has its own line, and that of another was named', async () => {
    const run = new SmallRun(withoutJournal);
    const first = await run.send(run.pull('s1', 0), 't1', 0);
    const scan = run.pull('s2', 9_000);
    await run.send(scan, 't2', 9_000);
    await run.send(scan, 't3', 9_100);
    const events = withChanged(
      run.end(),
      'answered',
      ({ transmission }) => transmission === 't3',
      (answer) => [{ ...answer, ...(first.entry_id !== undefined && { entry_id: first.entry_id }) }],
    );
    expect(named(run.end())).toEqual([]);
    expect(named(events)).toEqual(['false_acknowledgement']);
    expect(checkHistory(events).violations[0]?.message).toContain('for the line of s1, though s2 has its own');
  });
});

describe('an answer', () => {
  it('is false where its record was written only after what was sent later', async () => {
    const late = (records: readonly JournalRecord[]): JournalRecord[] => {
      const [early, ...others] = records.toSorted((a, b) => Number(b.scan?.actor === 't2') - Number(a.scan?.actor === 't2'));
      return early === undefined ? others : [...others, { ...early, flags: ['out_of_order'] }];
    };
    const events = forged(await soundHistory(), late);
    expect(named(events)).toEqual(['false_acknowledgement']);
    expect(checkHistory(events).violations[0]?.message).toBe(
      't2 was answered before t8 was sent, and its record 8 follows record 7 of that.',
    );
  });
});

describe('a rejection', () => {
  it('is false for what can be read', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0), 't1', 0, { quantity: 'one' });
    expect(named(run.end())).toEqual(['false_acknowledgement', 'lost_scan', 'record_differs', 'wrong_balance']);
  });

  it('is false for what can be read where nobody heard of it, and what was sent again was committed', async () => {
    const run = new SmallRun();
    const scan = run.pull('s1', 0);
    const wire = run.wire(scan, 't1', { quantity: 'one' });
    run.sent(scan, 't1', 0, wire);
    await run.decide(wire, 0);
    await run.send(scan, 't2', 2_000);
    expect(named(run.end())).toEqual(['record_differs']);
  });

  it('is false where no record names what it says was kept', async () => {
    const change = (answer: AnsweredEvent): AnsweredEvent => ({ ...answer, quarantine_id: 'nothing' });
    expect(await answeredOtherwise('t7', change)).toEqual(['false_acknowledgement', 'record_differs']);
  });
});

describe('a conflict', () => {
  it('is false where no other scan has its id', async () => {
    const run = new SmallRun();
    const scan = run.pull('s1', 0, { scan_uuids: ['A'] });
    await run.send(scan, 't1', 0);
    const { outcome } = await run.send(scan, 't2', 100, { quantity: 2 });
    expect(outcome).toBe('conflict');
    expect(named(run.end())).toEqual(['false_conflict', 'record_differs']);
  });
});

describe('a conflict over an id that was used again', () => {
  it('is false where the two have the same content', async () => {
    const run = new SmallRun();
    await run.send(run.pull('s1', 0, { scan_uuids: ['A'] }), 't1', 0);
    await run.send(run.pull('s2', 50_000, { scan_uuids: ['A'] }), 't2', 50_000, { quantity: 2 });
    expect(named(run.end())).toEqual(['false_conflict', 'record_differs']);
  });

  it('is false where it names the line of a third', async () => {
    const run = new SmallRun(withoutJournal);
    const third = await run.send(run.pull('s0', 0, { content: 'C3' }), 't0', 0);
    await run.send(run.pull('s1', 5_000, { scan_uuids: ['A'] }), 't1', 5_000);
    await run.send(run.pull('s2', 50_000, { scan_uuids: ['A'], content: 'B9' }), 't2', 50_000);
    const events = withChanged(
      run.end(),
      'answered',
      ({ transmission }) => transmission === 't2',
      (answer) => [{ ...answer, ...(third.entry_id !== undefined && { entry_id: third.entry_id }) }],
    );
    expect(named(run.end())).toEqual([]);
    expect(named(events)).toEqual(['false_conflict']);
  });
});

describe('an id that was used again for another content', () => {
  it('explains no suppression', async () => {
    const run = new SmallRun(withoutJournal);
    const first = await run.send(run.pull('s1', 0, { scan_uuids: ['A'] }), 't1', 0);
    await run.send(run.pull('s2', 50_000, { scan_uuids: ['A'], content: 'B9' }), 't2', 50_000);
    const events = withChanged(
      run.end(),
      'answered',
      ({ transmission }) => transmission === 't2',
      (answer) => [{ ...answer, outcome: 'suppressed', ...(first.entry_id !== undefined && { entry_id: first.entry_id }) }],
    );
    expect(named(run.end())).toEqual([]);
    expect(named(events)).toEqual(['swallowed_scan']);
  });
});

describe('a history that tells of a problem', () => {
  it('is not sound, whatever its books say', async () => {
    const message = 'A worker ended by itself.';
    const { violations } = checkHistory([...(await soundHistory()), { kind: 'problem', message }]);
    expect(violations).toEqual([{ kind: 'problem', message }]);
  });
});

describe('a history that shows nothing', () => {
  it('is not sound', async () => {
    expect(named(new SmallRun().end())).toEqual(['nothing_shown']);
    expect(named((await soundHistory()).filter(({ kind }) => kind !== 'answered'))).toEqual(['nothing_shown']);
  });
});

describe('a history that contradicts itself', () => {
  it.each([
    ['a scan is pulled twice', 'scan'],
    ['a transmission is sent twice', 'sent'],
    ['a transmission is answered twice', 'answered'],
    ['it begins twice', 'run'],
  ] as const)('is not sound where %s', async (_, kind) => {
    const events = withChanged(
      await soundHistory(),
      kind,
      () => true,
      (event) => [event, event],
    );
    expect(named(events)).toEqual(['contradictory_history']);
  });

  it('is not sound where what was never sent is answered', async () => {
    const [run, ...events] = await soundHistory();
    if (run === undefined) throw new Error('There is no history.');
    const answer = { kind: 'answered', transmission: 'nobody', answered_at: 0, outcome: 'unavailable', is_heard: true } as const;
    expect(named([run, answer, ...events])).toEqual(['contradictory_history']);
  });

  it('is not sound where something is sent for what nobody pulled', async () => {
    const [run, ...events] = await soundHistory();
    if (run === undefined) throw new Error('There is no history.');
    const sent = { kind: 'sent', transmission: 't0', scan: 'nothing', worker: 'w1', sent_at: 0, sha256: '' } as const;
    expect(named([run, sent, ...events])).toEqual(['contradictory_history']);
  });

  it('is not sound where it says that there is no journal, and holds one', async () => {
    const events = withChanged(
      await soundHistory(),
      'run',
      () => true,
      (run) => [{ ...run, has_journal: false }],
    );
    expect(named(events)).toEqual(['contradictory_history']);
  });
});

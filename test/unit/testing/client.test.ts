import { describe, expect, it } from 'vitest';
import type { AnsweredEvent, HistoryEvent, SentEvent } from '../../../src/testing/history.ts';
import { type Answer, type Attempt, createDevices, type DeviceOptions } from '../../../src/testing/workload/client.ts';
import type { PlannedScan, Reading } from '../../../src/testing/workload/traffic.ts';
import { passingTime } from './passing-time.ts';

const startsAt = 1_772_712_000_000;
const committed: Answer = { outcome: 'committed', entry_id: 'e1' };

/** One scan with one listener, which sends at once, hears, and would send again after 100, 300, 300, … ms. */
function planned(scan: string, changes: Partial<Reading> = {}, others: readonly Reading[] = []): PlannedScan {
  const where = { facility_uuid: 'F1', scanner_id: 'SCN-01' };
  const reading: Reading = {
    name: scan,
    firstSendAt: startsAt,
    wire: { ...where, scan_type: 'dispense', ndc: '00093721410', captured_at: startsAt },
    clock: { offsetMs: -40, steps: [{ at: startsAt + 50, offsetMs: 1_000 }] },
    sendsSentAt: false,
    queue: null,
    paths: 1,
    missedAcks: 0,
    retryAfterMs: [100, 300],
    ...changes,
  };
  const truth = { pulled_at: startsAt, content: 'c', scan_uuids: [], readable: true, product: '00093721410', delta: '-1' };
  return {
    truth: { kind: 'scan', scan, ...where, ...truth, distinct_ids: 'ignore' },
    readings: [reading, ...others],
  };
}

/** Devices, what they sent and heard, and the time in which they do. */
function devices(send: DeviceOptions['send'], workers: DeviceOptions['workers'] = ['w1', 'w2']) {
  const time = passingTime(startsAt);
  const events: HistoryEvent[] = [];
  const attempts: (Attempt & { readonly afterMs: number })[] = [];
  const sent: DeviceOptions['send'] = (attempt) => {
    attempts.push({ ...attempt, afterMs: time.clock.nowMs() - startsAt });
    return send(attempt);
  };
  const transmit = createDevices({ seed: 1, workers, send: sent, ...time, history: (event) => events.push(event) });
  const times = () => attempts.map(({ name, afterMs }) => [name, afterMs]);
  return { transmit, time, events, attempts, times };
}

const later = <T>(time: { timers: DeviceOptions['timers'] }, ms: number, value: T): Promise<T> =>
  new Promise((resolve) => time.timers.after(ms, () => resolve(value)));

describe('the side of the device', () => {
  it('sends once what is heard at once', async () => {
    const { transmit, time, times } = devices(() => Promise.resolve(committed));
    const heard = transmit(planned('s1'));
    await time.passUntil(startsAt + 10_000);
    await heard;
    expect(times()).toEqual([['s1.0', 0]]);
  });

  it('waits until it is time to send', async () => {
    const { transmit, time, times } = devices(() => Promise.resolve(committed));
    void transmit(planned('s1', { firstSendAt: startsAt + 700 }));
    await time.passUntil(startsAt + 10_000);
    expect(times()).toEqual([['s1.0', 700]]);
  });

  it('sends again, each time under a name of its own, until an answer comes, and repeats the last of its delays', async () => {
    let asked = 0;
    const { transmit, time, times } = devices(() => Promise.resolve(++asked < 4 ? undefined : committed));
    const heard = transmit(planned('s1'));
    await time.passUntil(startsAt + 10_000);
    await heard;
    expect(times()).toEqual([
      ['s1.0', 0],
      ['s1.1', 100],
      ['s1.2', 400],
      ['s1.3', 700],
    ]);
  });

  it('misses as many answers as it is told to, and says which', async () => {
    const { transmit, time, events } = devices(() => Promise.resolve(committed));
    const heard = transmit(planned('s1', { missedAcks: 2 }));
    await time.passUntil(startsAt + 10_000);
    await heard;
    const answered = events.filter((event): event is AnsweredEvent => event.kind === 'answered');
    expect(answered.map(({ transmission, is_heard }) => [transmission, is_heard])).toEqual([
      ['s1.0', false],
      ['s1.1', false],
      ['s1.2', true],
    ]);
    expect(answered[2]).toEqual({
      kind: 'answered',
      transmission: 's1.2',
      answered_at: startsAt + 400,
      outcome: 'committed',
      entry_id: 'e1',
      is_heard: true,
    });
  });

  it('goes on after unavailable, although it has heard it', async () => {
    let asked = 0;
    const { transmit, time, times } = devices(() => Promise.resolve(++asked < 2 ? { outcome: 'unavailable' } : committed));
    const heard = transmit(planned('s1'));
    await time.passUntil(startsAt + 10_000);
    await heard;
    expect(times()).toEqual([
      ['s1.0', 0],
      ['s1.1', 100],
    ]);
  });

  it('sends again while an answer is late, and stops when it comes', async () => {
    const { transmit, time, times } = devices(() => later(time, 250, committed));
    const heard = transmit(planned('s1'));
    await time.passUntil(startsAt + 10_000);
    await heard;
    expect(times()).toEqual([
      ['s1.0', 0],
      ['s1.1', 100],
    ]);
  });

  it('has not heard before it has an answer', async () => {
    const { transmit, time } = devices(() => Promise.resolve(undefined));
    let isHeard = false;
    void transmit(planned('s1')).then(() => {
      isHeard = true;
    });
    await time.passUntil(startsAt + 60_000);
    expect(isHeard).toBe(false);
  });

  it('sends over two paths to two workers at once', async () => {
    const { transmit, time, attempts, times } = devices(() => Promise.resolve(undefined), ['w1', 'w2', 'w3']);
    void transmit(planned('s1', { paths: 2 }));
    await time.passUntil(startsAt + 150);
    expect(times()).toEqual([
      ['s1.0', 0],
      ['s1.1', 0],
      ['s1.2', 100],
    ]);
    expect(attempts[0]?.worker).not.toBe(attempts[1]?.worker);
  });

  it('has one worker to send to over two paths where there is no other', async () => {
    const { transmit, time, attempts } = devices(() => Promise.resolve(committed), ['w1']);
    void transmit(planned('s1', { paths: 2 }));
    await time.passUntil(startsAt);
    expect(attempts.map(({ worker }) => worker)).toEqual(['w1', 'w1']);
  });

  it('repeats every byte but its name and when it sends by its own clock', async () => {
    const { transmit, time, attempts } = devices(() => Promise.resolve(undefined));
    void transmit(planned('s1', { sendsSentAt: true }));
    await time.passUntil(startsAt + 150);
    const same = `"facility_uuid":"F1","scanner_id":"SCN-01","scan_type":"dispense","ndc":"00093721410","captured_at":1772712000000`;
    expect(attempts.map(({ item }) => item)).toEqual([
      `{${same},"actor":"s1.0","sent_at":1772711999960}`,
      `{${same},"actor":"s1.1","sent_at":1772712001100}`,
    ]);
    expect(attempts.map(({ value }) => value)).toEqual(attempts.map(({ item }) => JSON.parse(item)));
  });

  it('writes what it sends before it sends it, with the digest of its bytes', async () => {
    const { transmit, time, events } = devices(() => Promise.resolve(undefined), ['w1']);
    void transmit(planned('s1'));
    await time.passUntil(startsAt);
    // printf '{"facility_uuid":"F1",…,"actor":"s1.0"}' | sha256sum
    const sha256 = '746bfb854bb3e7923ad4c8a18f42c1a26b97a3838498ac6e53cae07f580bcddb';
    const sent: SentEvent = {
      kind: 'sent',
      transmission: 's1.0',
      scan: 's1',
      worker: 'w1',
      sent_at: startsAt,
      sha256,
      device_at: startsAt,
    };
    expect(events).toEqual([sent]);
  });

  it('keeps a queue waiting until what is in front was heard', async () => {
    const { transmit, time, times } = devices(({ name }) => Promise.resolve(name === 's1.0' ? undefined : committed));
    void transmit(planned('s1', { queue: 'q' }));
    void transmit(planned('s2', { queue: 'q', firstSendAt: startsAt + 10 }));
    void transmit(planned('s3', { firstSendAt: startsAt + 20 }));
    await time.passUntil(startsAt + 10_000);
    expect(times()).toEqual([
      ['s1.0', 0],
      ['s3.0', 20],
      ['s1.1', 100],
      ['s2.0', 100],
    ]);
  });

  it('sends of two listeners what each has to send, and has heard when both have', async () => {
    let asked = 0;
    const { transmit, time, times } = devices(() => Promise.resolve(++asked === 2 ? undefined : committed));
    const [second] = planned('s1b', { firstSendAt: startsAt + 3 }).readings;
    let isHeard = false;
    void transmit(planned('s1', {}, second === undefined ? [] : [second])).then(() => {
      isHeard = true;
    });
    await time.passUntil(startsAt + 50);
    expect(isHeard).toBe(false);
    await time.passUntil(startsAt + 110);
    expect(isHeard).toBe(true);
    expect(times()).toEqual([
      ['s1.0', 0],
      ['s1b.0', 3],
      ['s1b.1', 103],
    ]);
  });

  it('fails with what the run could not do, and sends no more', async () => {
    const { transmit, time, times } = devices(() => Promise.reject(new Error('the run is broken')));
    const heard = transmit(planned('s1'));
    const failed = expect(heard).rejects.toThrow('the run is broken');
    await time.passUntil(startsAt + 10_000);
    await failed;
    expect(times()).toEqual([['s1.0', 0]]);
  });
});

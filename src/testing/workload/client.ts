/**
 * The device's side of a traffic, on simulated time and on real.
 *
 * In: what a listener has to send. Out: transmissions, each with a name of its own, until one was answered; what was sent and what came
 * back, as events. A device goes on until it hears an answer other than `unavailable`; the owner of the run bounds the run. It sends
 * again so long after it sent before, whatever is still under way. It never looks at the truth, and never changes what it sends but for
 * the name and `sent_at`.
 */
import type { Clock, Timers } from '../../base/clock.ts';
import { sha256Hex } from '../../base/digest.ts';
import type { WireScan } from '../../scan/wire-schema.ts';
import type { AnsweredEvent, HistoryWriter } from '../history.ts';
import { deviceTime } from './device-clock.ts';
import { randomOf } from './random.ts';
import type { PlannedScan, Reading } from './traffic.ts';

/** One transmission on its way to a worker. */
export interface Attempt {
  /** Such as `s17.0`; in the field `actor` as well. */
  readonly name: string;
  readonly worker: string;
  /** The JSON text that is sent. */
  readonly item: string;
  readonly value: WireScan;
}

export type Answer = Omit<AnsweredEvent, 'kind' | 'transmission' | 'answered_at' | 'is_heard'>;

export interface DeviceOptions {
  readonly seed: number;
  readonly workers: readonly [string, ...string[]];
  /** Nothing, where no answer came. A rejection ends the reading. */
  readonly send: (attempt: Attempt) => Promise<Answer | undefined>;
  readonly timers: Timers;
  /** The true clock. */
  readonly clock: Clock;
  readonly history: HistoryWriter;
}

/** Sends what the listeners of a scan have to send, and resolves when each has heard. */
export type Devices = (scan: PlannedScan) => Promise<void>;

export function createDevices(options: DeviceOptions): Devices {
  const { timers, clock } = options;
  const queues = new Map<string, Promise<void>>();
  const transmit = async (reading: Reading, scan: string): Promise<void> => {
    await new Promise<void>((resolve) => timers.after(Math.max(0, reading.firstSendAt - clock.nowMs()), resolve));
    if (reading.queue === null) return delivery(options, reading, scan);
    const before = queues.get(reading.queue);
    const turn = before === undefined ? delivery(options, reading, scan) : before.then(() => delivery(options, reading, scan));
    queues.set(reading.queue, turn);
    return turn;
  };
  return async ({ truth, readings }) => {
    await Promise.all(readings.map((reading) => transmit(reading, truth.scan)));
  };
}

/** Resolves when the device has heard. */
function delivery(options: DeviceOptions, reading: Reading, scan: string): Promise<void> {
  const { seed, timers, workers } = options;
  return new Promise((resolve, reject) => {
    let sent = 0;
    let isOver = false;
    let cancel = (): void => {};
    const end = (settle: () => void): void => {
      isOver = true;
      cancel();
      settle();
    };
    const attempt = (index: number): void => {
      const random = randomOf(seed, `${reading.name}.${sent}`);
      const first = random.below(workers.length);
      const isTwice = index === 0 && reading.paths === 2;
      for (const at of isTwice ? [first, first + 1 + random.below(Math.max(1, workers.length - 1))] : [first]) {
        const name = `${reading.name}.${sent}`;
        sent += 1;
        const worker = workers[at % workers.length] ?? workers[0];
        transmission(options, reading, { name, worker, scan, isMissed: index < reading.missedAcks }).then(
          (isHeard) => isHeard && end(resolve),
          (cause: unknown) => end(() => reject(cause)),
        );
      }
      const waits = reading.retryAfterMs[Math.min(index, reading.retryAfterMs.length - 1)] ?? 1_000;
      cancel = timers.after(waits, () => {
        if (!isOver) attempt(index + 1);
      });
    };
    attempt(0);
  });
}

/** Whether the device has heard an answer with which it is content. */
async function transmission(
  { send, clock, history }: DeviceOptions,
  reading: Reading,
  { name, worker, scan, isMissed }: { name: string; worker: string; scan: string; isMissed: boolean },
): Promise<boolean> {
  const sentAt = clock.nowMs();
  const value: WireScan = { ...reading.wire, actor: name };
  if (reading.sendsSentAt) value.sent_at = deviceTime(reading.clock, sentAt);
  const item = JSON.stringify(value);
  const { captured_at } = value;
  const stamped = captured_at !== undefined && { captured_at: new Date(captured_at).getTime() };
  history({ kind: 'sent', transmission: name, scan, worker, sent_at: sentAt, sha256: sha256Hex(item), ...stamped });
  const answer = await send({ name, worker, item, value });
  if (answer === undefined) return false;
  history({ kind: 'answered', transmission: name, answered_at: clock.nowMs(), ...answer, is_heard: !isMissed });
  return !isMissed && answer.outcome !== 'unavailable';
}

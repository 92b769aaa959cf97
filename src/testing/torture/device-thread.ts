/**
 * The thread in which all devices of a run live, with a heap and an event loop of their own: what else a run does never makes a device late.
 * In: a plan, and afterwards probes that are to be sent. Out: the events of the history in order, many in one message, made lines of
 * here, and how far it is. What goes wrong here ends the thread, and its owner ends the run.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock, systemTimers } from '../../base/clock.ts';
import { lineOfEvent } from '../checker/write-history.ts';
import type { HistoryWriter } from '../history.ts';
import { createDevices } from '../workload/client.ts';
import type { DevicesPlan, FromDevices, ToDevices } from './device-message.ts';
import { playTraffic } from './device-traffic.ts';
import { httpSender } from './http-sender.ts';
import { probeScan } from './probe-scans.ts';
import type { AnswerOf } from './system.ts';

/** How long an event waits for others at most, ms, and how many characters of them are enough. */
const batchMs = 50;
const batchChars = 64 * 1024;

const port = parentPort;
if (port === null) throw new TypeError('This file runs in a worker thread.');
const say = (message: FromDevices): void => port.postMessage(message);

const plan = workerData as DevicesPlan;
const { answerOf } = (await import(plan.answers)) as { answerOf: AnswerOf };
const sender = httpSender(answerOf, plan.workers);
const counts = { pulled: 0, heard: 0, transmissions: 0 };
let lines = '';
let events = 0;
let eventsSaid = 0;

const flush = (): void => {
  if (events > eventsSaid)
    say({ kind: 'events', lines, events: events - eventsSaid, counts: { ...counts, unanswered: sender.unanswered() } });
  lines = '';
  eventsSaid = events;
};
const batches = setInterval(flush, batchMs);

const history: HistoryWriter = (event) => {
  lines += lineOfEvent(event);
  events += 1;
  if (event.kind === 'sent') counts.transmissions += 1;
  if (lines.length > batchChars) flush();
};

const [first, ...others] = plan.workers.map(({ name }) => name);
if (first === undefined) throw new RangeError('There is no worker to send to.');
const { seed } = plan;
const devices = createDevices({
  seed,
  workers: [first, ...others],
  send: sender.send,
  timers: systemTimers,
  clock: systemClock,
  history,
});

async function probe(number: number): Promise<void> {
  const scan = probeScan(number, systemClock.nowMs());
  history(scan.truth);
  await devices(scan);
  flush();
  say({ kind: 'probe heard', number });
}

function end(): void {
  clearInterval(batches);
  sender.close();
  flush();
  say({ kind: 'ended', events });
}

port.on('message', (asked: ToDevices) => {
  if (asked.kind === 'probe') void probe(asked.number);
  else end();
});

await playTraffic(plan, devices, history, {
  planned: () => say({ kind: 'planned' }),
  pulled: () => {
    counts.pulled += 1;
  },
  heard: () => {
    counts.heard += 1;
  },
  allPulled: () => say({ kind: 'all pulled' }),
});
flush();
say({ kind: 'all heard' });

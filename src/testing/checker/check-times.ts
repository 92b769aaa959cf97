/**
 * The time that a scan was given, against what its device said and when it was received: `design.md` §4, written down once more, so that a
 * time, a flag or a basis that nothing but the system under test vouches for excuses nothing.
 */
import type { RecordedScan } from '../../scan/recorded-scan.ts';
import type { Flag } from '../../scan/scan.ts';
import type { KnownTransmission } from './known-history.ts';

const dayMs = 86_400_000;
/** How far the clock of a device may be from the receipt, and is believed as it is. */
const ageMsMax = 31 * dayMs;
const aheadMsMax = 120_000;
const suspectAheadMs = 5_000;
const lateMs = 60_000;
/** How wrong the clock of a worker may be: more would make every device look wrong. */
const workerClockMsMax = 300_000;

interface Timed {
  readonly occurredAt: number;
  readonly basis: RecordedScan['time_basis'];
  readonly isSuspect: boolean;
}

/** What is wrong with it, without the full stop. */
export function faultInTime(
  { sent, scan, answer }: KnownTransmission,
  recorded: RecordedScan,
  flags: readonly Flag[],
): string | undefined {
  const deviceAt = sent.device_at ?? scan.truth.device_at;
  const { occurred_at, received_at, time_basis, captured_at } = recorded;
  if (!isReceivedWhenSent(received_at, sent.sent_at, answer?.answered_at)) {
    return `it was sent at ${sent.sent_at} and answered at ${answer?.answered_at ?? 'no time'}`;
  }
  // A count of 1970 can be of seconds or of milliseconds: it is recorded as no time, and never believed.
  const isKept = captured_at === deviceAt || (captured_at === undefined && isTooOld(deviceAt, received_at));
  if (!isKept) return `the device said ${deviceAt ?? 'no time'}, its record says ${captured_at ?? 'no time'}`;
  const allowed = timesAllowed(deviceAt, recorded);
  const [expected] = allowed;
  const isFlagged = flags.includes('clock_suspect');
  const isAllowed = allowed.some(
    ({ occurredAt, basis, isSuspect }) => occurredAt === occurred_at && basis === time_basis && isSuspect === isFlagged,
  );
  if (isAllowed || expected === undefined) return faultInLateness(received_at - occurred_at, flags.includes('late'));
  const flagged = (isSuspect: boolean): string => (isSuspect ? 'suspect' : 'not suspect');
  return `by ${time_basis} and ${flagged(isFlagged)}; it is of ${expected.occurredAt}, by ${expected.basis} and ${flagged(expected.isSuspect)}`;
}

function faultInLateness(ageMs: number, isFlagged: boolean): string | undefined {
  if (ageMs > lateMs === isFlagged) return undefined;
  return `that is ${ageMs} ms old, and it is ${isFlagged ? '' : 'not '}flagged as late`;
}

function isReceivedWhenSent(receivedAt: number, sentAt: number, answeredAt = Number.POSITIVE_INFINITY): boolean {
  return receivedAt >= sentAt - workerClockMsMax && receivedAt <= answeredAt + workerClockMsMax;
}

function isTooOld(deviceAt: number | undefined, receivedAt: number): boolean {
  return deviceAt !== undefined && deviceAt < receivedAt - ageMsMax;
}

function timesAllowed(deviceAt: number | undefined, { received_at, sent_at, captured_at }: RecordedScan): readonly Timed[] {
  const byReceipt = { occurredAt: received_at, basis: 'receipt' } as const;
  if (deviceAt === undefined) return [{ ...byReceipt, isSuspect: false }];
  const asSaid = { occurredAt: deviceAt, basis: 'device', isSuspect: deviceAt > received_at + suspectAheadMs } as const;
  const isOld = isTooOld(deviceAt, received_at);
  if (!isOld && deviceAt <= received_at + aheadMsMax) return [asSaid];
  const ageMs = (sent_at ?? Number.NaN) - (captured_at ?? Number.NaN);
  const disbelieved: Timed =
    ageMs >= 0 && ageMs <= ageMsMax
      ? { occurredAt: received_at - ageMs, basis: 'device', isSuspect: true }
      : { ...byReceipt, isSuspect: true };
  // For what an edge stamped there is no age limit.
  return isOld ? [disbelieved, asSaid] : [disbelieved];
}

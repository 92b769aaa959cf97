import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Where new identifiers come from: injected, so that a test or a simulation can make them repeatable. */
export interface IdSource {
  uuid(): string;
}

const uuidBytes = 16;

/** Random bytes for the next identifiers: asked of the system for each one, they would cost more than writing a line. */
const pool = Buffer.alloc(256 * uuidBytes);
let taken = pool.byteLength;

function randomBytes(): Buffer {
  if (taken === pool.byteLength) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += uuidBytes;
  return pool.subarray(taken - uuidBytes, taken);
}

let last = { msecs: 0, seq: 0 };

/** Counts within a millisecond, so that identifiers sort in the order in which they were made, also when the clock steps back. */
function nextMoment(): { msecs: number; seq: number } {
  const now = Date.now();
  last = now > last.msecs ? { msecs: now, seq: 0 } : { msecs: last.msecs, seq: last.seq + 1 };
  return last;
}

/** Version 7 (RFC 9562): begins with the time, so that what is written together lies together in an index. */
export const randomIds: IdSource = { uuid: () => v7({ random: randomBytes(), ...nextMoment() }) };

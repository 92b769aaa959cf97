import { randomFillSync } from 'node:crypto';

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

let last = { ms: 0, count: 0 };

/** Counts within a millisecond, so that identifiers sort in the order in which they were made, also when the clock steps back. */
function nextMoment(): { ms: number; count: number } {
  const now = Date.now();
  last = now > last.ms ? { ms: now, count: 0 } : { ms: last.ms, count: last.count + 1 };
  return last;
}

/**
 * Version 7 (RFC 9562): begins with the time, so that what is written together lies together in an index. 48 bits of milliseconds,
 * the version, 12 and then, after the variant, 14 bits of the count (section 6.2, method 1), and 48 random bits.
 */
function uuidV7(): string {
  const { ms, count } = nextMoment();
  const bytes = randomBytes();
  bytes.writeUIntBE(ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | ((count >>> 14) & 0xfff), 6);
  bytes.writeUInt16BE(0x8000 | (count & 0x3fff), 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export const randomIds: IdSource = { uuid: uuidV7 };

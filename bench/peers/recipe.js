// The literal recipe: `SET key 1 NX PX 3500`, the window index taken from the worker's clock, then an insert. No token, no constraint.
import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';

const windowSeconds = 3;
const ttlMs = 3_500;

export function openRecipe({ redisUrl, book }) {
  const redis = new Redis(redisUrl, { commandTimeout: 2_000 });
  redis.on('error', () => undefined);
  return {
    async decide(scan, movement) {
      const windowIndex = Math.floor(Date.now() / 1_000 / windowSeconds);
      const { facilityUuid, scannerId, lotNumber = '', quantity, scanType } = scan;
      const text = [facilityUuid, scannerId, movement.product, lotNumber, quantity, scanType, windowIndex].join('|');
      const key = `scan:idem:${createHash('sha256').update(text).digest('hex')}`;
      const claimed = await redis.set(key, '1', 'PX', ttlMs, 'NX');
      if (claimed === null) return { outcome: 'suppressed', entryId: await book.entryOf('claim_key', key) };
      return { outcome: 'committed', entryId: await book.insert(scan, movement, { claimKey: key }) };
    },
    close: () => redis.disconnect(),
  };
}

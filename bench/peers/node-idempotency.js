// @node-idempotency/core over Redis, with its own defaults: a request that is under way is told to come back.
import { Idempotency } from '@node-idempotency/core';
import { RedisStorageAdapter } from '@node-idempotency/storage-adapter-redis';
import { requestKeyOf } from './request-key.js';

export async function openNodeIdempotency({ redisUrl, book }) {
  const storage = new RedisStorageAdapter({ url: redisUrl, socket: { connectTimeout: 2_000 } });
  await storage.connect();
  const idempotency = new Idempotency(storage);
  return {
    async decide(scan, movement) {
      const requestKey = requestKeyOf(scan);
      const request = { method: 'POST', path: '/dispenses', headers: { 'idempotency-key': requestKey }, body: { requestKey } };
      const before = await idempotency.onRequest(request);
      if (before !== undefined) return { outcome: 'suppressed', entryId: before.body?.entryId };
      const entryId = await book.insert(scan, movement);
      await idempotency.onResponse(request, { body: { entryId } });
      return { outcome: 'committed', entryId };
    },
    close: () => storage.disconnect(),
  };
}

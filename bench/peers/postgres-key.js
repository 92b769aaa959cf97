// No Redis: a unique key in the table, and what conflicts with it is a duplicate.
import { requestKeyOf } from './request-key.js';

export function openPostgresKey({ book }) {
  return {
    async decide(scan, movement) {
      const requestKey = requestKeyOf(scan);
      const entryId = await book.insert(scan, movement, { requestKey });
      if (entryId !== undefined) return { outcome: 'committed', entryId };
      return { outcome: 'suppressed', entryId: await book.entryOf('request_key', requestKey) };
    },
    close: () => undefined,
  };
}

/** What happens to the servers of Redis and to the Sentinel. */
import { mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { waited } from '../servers/until.ts';
import type { FaultKind } from './fault.ts';
import type { RedisNode } from './redis-pair.ts';

/** Longer than the Sentinel waits until it promotes the replica. */
const promotionMs = 3_500;

export const redisFaults: readonly FaultKind[] = [
  {
    name: 'redis primary killed, replica promoted',
    place: 'redis',
    lastsMs: [promotionMs, 6_000],
    async inject({ redis }) {
      const primary = await redis.primary();
      await primary.server.kill();
      return { target: primary.name, heal: () => redis.restart(primary) };
    },
  },
  {
    name: 'redis primary killed, its last bytes lost',
    place: 'redis',
    lastsMs: [promotionMs, 6_000],
    async inject({ redis }) {
      const primary = await redis.primary();
      // The kernel would still deliver what a dying server had sent.
      const end = primary.link.begin({ kind: 'silent', direction: 'reply', ends: 'reset' });
      await waited(30);
      await primary.server.kill();
      primary.link.reset();
      end();
      return { target: primary.name, heal: () => redis.restart(primary) };
    },
  },
  {
    name: 'redis failover while replication is cut',
    place: 'redis',
    lastsMs: [promotionMs, 6_000],
    async inject({ redis }) {
      const primary = await redis.primary();
      const end = primary.link.begin({ kind: 'silent', direction: 'reply', ends: 'reset' }, { user: 'replica' });
      await waited(700);
      await primary.server.kill();
      primary.link.reset();
      end();
      return { target: primary.name, heal: () => redis.restart(primary) };
    },
  },
  {
    name: 'redis restarted without data',
    place: 'redis',
    lastsMs: [0, 100],
    async inject({ redis }) {
      const primary = await redis.primary();
      await primary.server.kill();
      return { target: primary.name, heal: () => redis.restart(primary) };
    },
  },
  {
    name: 'redis primary stopped and continued',
    place: 'redis',
    lastsMs: [200, 5_000],
    async inject({ redis }) {
      const primary = await redis.primary();
      primary.server.signal('SIGSTOP');
      return { target: primary.name, heal: () => primary.server.signal('SIGCONT') };
    },
  },
  {
    name: 'redis replica killed',
    place: 'redis',
    lastsMs: [500, 3_000],
    async inject({ redis }) {
      const replica = redis.other(await redis.primary());
      await replica.server.kill();
      return { target: replica.name, heal: () => redis.restart(replica) };
    },
  },
  {
    name: 'redis replica stopped and continued',
    place: 'redis',
    lastsMs: [500, 3_000],
    async inject({ redis }) {
      const replica = redis.other(await redis.primary());
      replica.server.signal('SIGSTOP');
      return { target: replica.name, heal: () => replica.server.signal('SIGCONT') };
    },
  },
  {
    name: 'redis failed over in order',
    place: 'redis',
    lastsMs: [2_000, 3_000],
    async inject({ redis }) {
      await redis.sentinel.operator.call('sentinel', 'failover', 'claims').catch(() => undefined);
      return { target: 'redis', heal: () => undefined };
    },
  },
  {
    name: 'sentinel killed',
    place: 'redis',
    lastsMs: [500, 4_000],
    async inject({ redis: { sentinel } }) {
      await sentinel.kill();
      return { target: 'sentinel', heal: () => sentinel.restart() };
    },
  },
  {
    name: 'sentinel stopped and continued',
    place: 'redis',
    lastsMs: [500, 4_000],
    async inject({ redis: { sentinel } }) {
      sentinel.signal('SIGSTOP');
      return { target: 'sentinel', heal: () => sentinel.signal('SIGCONT') };
    },
  },
  {
    name: 'redis flushed',
    place: 'redis',
    lastsMs: [0, 0],
    async inject({ redis }) {
      const primary = await redis.primary();
      await primary.server.operator.flushall();
      return { target: primary.name };
    },
  },
  {
    name: 'redis evicts claims',
    place: 'redis',
    lastsMs: [500, 3_000],
    async inject({ redis }) {
      const primary = await redis.primary();
      await configured(primary, { 'maxmemory-policy': 'allkeys-random', maxmemory: '1' });
      return { target: primary.name, heal: () => configured(primary, { maxmemory: '0', 'maxmemory-policy': 'noeviction' }) };
    },
  },
  {
    name: 'redis memory full',
    place: 'redis',
    lastsMs: [500, 3_000],
    async inject({ redis }) {
      const primary = await redis.primary();
      await configured(primary, { 'maxmemory-policy': 'noeviction', maxmemory: '1' });
      return { target: primary.name, heal: () => configured(primary, { maxmemory: '0' }) };
    },
  },
  {
    name: 'redis read-only for want of replicas',
    place: 'redis',
    lastsMs: [500, 3_000],
    async inject({ redis }) {
      const primary = await redis.primary();
      await configured(primary, { 'min-replicas-to-write': '5' });
      return { target: primary.name, heal: () => configured(primary, { 'min-replicas-to-write': '0' }) };
    },
  },
  {
    name: 'redis cannot write to its disk',
    place: 'redis',
    lastsMs: [500, 3_000],
    async inject({ redis }) {
      const primary = await redis.primary();
      const { name, server } = primary;
      // It stops taking writes when it cannot save what it has: the folder to save into is gone.
      const gone = mkdtempSync(join(server.folder, 'gone-'));
      await server.operator.config('SET', 'dir', gone, 'save', '3600 1');
      rmdirSync(gone);
      await server.operator.call('bgsave').catch(() => undefined);
      // As a replica it looks for the folder for seconds at a time, and may never hear that there is another one.
      const restarted = async (): Promise<void> => {
        await server.kill();
        await redis.restart(primary);
      };
      return { target: name, heal: () => server.operator.config('SET', 'dir', server.folder, 'save', '').catch(restarted) };
    },
  },
];

async function configured({ server }: RedisNode, settings: Readonly<Record<string, string>>): Promise<void> {
  await server.operator.config('SET', ...Object.entries(settings).flat());
}

/** What a torture run is played on: workers of the system under test, Redis with a replica and a Sentinel, PostgreSQL, and links. */
import type { Lifetime } from '../servers/lifetime.ts';
import { type PostgresServer, startPostgres } from '../servers/postgres-server.ts';
import { type RedisPair, startRedisPair } from './redis-pair.ts';
import type { System } from './system.ts';
import { WorkerSlot } from './worker-slot.ts';

export interface Ground {
  readonly postgres: PostgresServer;
  readonly database: string;
  readonly redis: RedisPair;
  readonly workers: readonly [WorkerSlot, ...WorkerSlot[]];
}

export interface GroundOptions {
  readonly system: System;
  readonly workers: number;
  /** How many scans the disk of PostgreSQL is for. */
  readonly scans: number;
  /** As in `postgresql.conf`. */
  readonly postgresSettings?: Readonly<Record<string, string>>;
}

const database = 'ledger';
const emptyBytes = 384 * 1024 * 1024;
const scanBytes = 16 * 1024;

export async function startGround(lifetime: Lifetime, options: GroundOptions): Promise<Ground> {
  const { system, postgresSettings = {} } = options;
  const connections = String(20 + options.workers * 12);
  const [postgres, redis] = await Promise.all([
    startPostgres(lifetime, {
      settings: { max_connections: connections, max_wal_size: '128MB', ...postgresSettings },
      diskBytes: emptyBytes + options.scans * scanBytes,
    }),
    startRedisPair(lifetime),
  ]);
  await postgres.createDatabase(database);
  await system.prepare(postgres, database);
  // Also where commits are not waited for, what is to be there from the beginning outlives a crash.
  await postgres.query(database, 'CHECKPOINT');
  const [first, ...others] = Array.from(
    { length: options.workers },
    (_, index) => new WorkerSlot(lifetime, system, `w${index + 1}`, postgres.port),
  );
  if (first === undefined) throw new RangeError('A run needs a worker at least.');
  const workers: Ground['workers'] = [first, ...others];
  await Promise.all(workers.map((worker) => worker.open({ redis: redis.url, sentinelPort: redis.sentinel.port }, database)));
  return { postgres, database, redis, workers };
}

/** How it looks now, for a person who wonders why a fault could not be healed. Never fails, and never waits for long. */
export async function groundText({ postgres, redis, workers }: Ground): Promise<string> {
  const running = workers.map(({ name, process }) => `${name} ${process === undefined ? 'is down' : 'runs'}`).join(', ');
  return `The ground: ${running}; PostgreSQL ${postgres.isRunning ? 'runs' : 'is down'}; Redis: ${await redis.text()}.`;
}

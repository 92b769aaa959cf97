/** Servers of Redis that belong together: a master and its replica, the Sentinel over them, a cluster. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { freePort } from './free-port.ts';
import type { Lifetime } from './lifetime.ts';
import { operatorOf, type RedisServer, startedRedis, startRedis, untilInfo } from './redis-server.ts';
import { until } from './until.ts';

/** A replica that has a copy of everything, and goes on copying. */
export async function startReplicaOf(lifetime: Lifetime, master: RedisServer): Promise<RedisServer> {
  const replica = await startRedis(lifetime, { replicaof: `127.0.0.1 ${master.port}` });
  await untilInfo(replica, 'replication', 'master_link_status:up');
  // Until the replica has acknowledged something for the first time, the master sends it nothing new.
  await master.operator.set('copied', 'yes');
  await master.operator.call('wait', 1, 20_000);
  return replica;
}

export interface Sentinel {
  readonly port: number;
  readonly operator: Redis;
  signal(signal: NodeJS.Signals): void;
  /** Kills it, and waits until it has gone. */
  kill(): Promise<void>;
  /** Starts it again, after it has gone, with what it knew. */
  restart(): Promise<void>;
}

/**
 * A Sentinel that watches one master under the name `claims`, and decides alone, half a second after it has died.
 *
 * @param passwords that of the master as `auth-pass`, its own as `requirepass`.
 */
export async function startSentinelOf(
  lifetime: Lifetime,
  master: Pick<RedisServer, 'port'>,
  passwords: { readonly 'auth-pass'?: string; readonly requirepass?: string } = {},
): Promise<Sentinel> {
  const { 'auth-pass': ofMaster, requirepass } = passwords;
  const port = await freePort();
  const folder = lifetime.folder();
  const path = join(folder, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor claims 127.0.0.1 ${master.port} 1`,
    'sentinel down-after-milliseconds claims 500',
    'sentinel failover-timeout claims 2000',
    ...(ofMaster === undefined ? [] : [`sentinel auth-pass claims ${ofMaster}`]),
    ...(requirepass === undefined ? [] : [`requirepass ${requirepass}`]),
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  let process = await startedRedis(lifetime, [path, '--sentinel']);
  return {
    port,
    operator: operatorOf(lifetime, port, requirepass),
    signal: (name) => process.kill(name),
    async kill() {
      process.kill('SIGKILL');
      await process.ended;
    },
    async restart() {
      process = await startedRedis(lifetime, [path, '--sentinel']);
    },
  };
}

/** Resolves when a Sentinel has heard of a replica that it could promote. */
export async function untilReplicaIsKnown({ operator }: Sentinel): Promise<void> {
  await until(
    async () => String(await operator.call('sentinel', 'replicas', 'claims')).includes('127.0.0.1') || undefined,
    20_000,
  );
}

export interface RedisCluster {
  readonly nodes: readonly RedisServer[];
  /** `redis+cluster://127.0.0.1:<port>,…` */
  readonly url: string;
  /** Node ids, in the order of `nodes`. */
  readonly ids: readonly string[];
}

const slots = 16_384;

/** Three masters without replicas, each with a third of the slots. */
export async function startCluster(lifetime: Lifetime): Promise<RedisCluster> {
  const nodes = await Promise.all(
    [0, 1, 2].map(async () =>
      startRedis(lifetime, { 'cluster-enabled': 'yes', 'cluster-port': `${await freePort()}`, 'cluster-node-timeout': '5000' }),
    ),
  );
  const [first] = nodes;
  if (first === undefined) throw new Error('There is no node.');
  const third = Math.ceil(slots / 3);
  for (const [index, { operator }] of nodes.entries()) {
    await operator.call('cluster', 'addslotsrange', index * third, Math.min((index + 1) * third, slots) - 1);
    await operator.call('cluster', 'set-config-epoch', index + 1);
  }
  for (const { operator, port } of nodes.slice(1)) {
    await first.operator.call('cluster', 'meet', '127.0.0.1', port, await busPortOf(operator));
  }
  await Promise.all(nodes.map(({ operator }) => untilServing(operator)));
  const ids = await Promise.all(nodes.map(async ({ operator }) => String(await operator.call('cluster', 'myid'))));
  return { nodes, url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`, ids };
}

async function busPortOf(operator: Redis): Promise<number> {
  const [, port] = (await operator.config('GET', 'cluster-port')) as [string, string];
  return Number(port);
}

async function untilServing(operator: Redis): Promise<void> {
  await until(async () => {
    const info = String(await operator.call('cluster', 'info'));
    return (/cluster_state:ok/.test(info) && /cluster_known_nodes:3/.test(info)) || undefined;
  }, 20_000);
}

/**
 * Two servers of Redis, one of them a replica of the other, and the Sentinel over them. Everybody reaches each of them through a link of its
 * own: workers, the Sentinel, and the one that copies from it. Which of them is the primary changes while a run goes on.
 */
import { FaultyLink } from '../servers/faulty-link.ts';
import type { Lifetime } from '../servers/lifetime.ts';
import { type RedisServer, startRedis, untilInfo } from '../servers/redis-server.ts';
import { type Sentinel, startSentinelOf, untilReplicaIsKnown } from '../servers/redis-topologies.ts';
import { until } from '../servers/until.ts';

export interface RedisNode {
  readonly name: string;
  readonly server: RedisServer;
  readonly link: FaultyLink;
}

export class RedisPair {
  readonly nodes: readonly [RedisNode, RedisNode];
  readonly sentinel: Sentinel;
  /** The one that was the primary when it was last seen. */
  #last: RedisNode;

  constructor(nodes: readonly [RedisNode, RedisNode], sentinel: Sentinel) {
    this.nodes = nodes;
    this.sentinel = sentinel;
    this.#last = nodes[0];
  }

  get url(): string {
    return `redis+sentinel://127.0.0.1:${this.sentinel.port}/claims`;
  }

  get links(): readonly FaultyLink[] {
    return this.nodes.map(({ link }) => link);
  }

  /** The one that the Sentinel names; where it says nothing, the one that it named before. */
  async primary(): Promise<RedisNode> {
    const asked = await answered(this.sentinel.operator.call('sentinel', 'get-master-addr-by-name', 'claims'));
    const port = Array.isArray(asked) ? Number(asked[1]) : 0;
    this.#last = this.nodes.find(({ link }) => link.port === port) ?? this.#last;
    return this.#last;
  }

  other(node: RedisNode): RedisNode {
    return this.nodes[0] === node ? this.nodes[1] : this.nodes[0];
  }

  /** Starts one that has gone as what it now should be: a replica, unless it is still the primary. */
  async restart(node: RedisNode): Promise<void> {
    const primary = await this.primary();
    await node.server.restart(primary === node ? {} : { replicaof: `127.0.0.1 ${primary.link.port}` });
  }

  /** What each of them says that it is. */
  async text(): Promise<string> {
    const primary = await this.primary();
    const said = await Promise.all(
      this.nodes.map(async (node) => {
        const role = /role:(\w+)/.exec((await infoOf(node)) ?? '')?.[1];
        return `${node.name} ${role === undefined ? 'is silent' : `is ${role}`}`;
      }),
    );
    return `${said.join(', ')}, the Sentinel last named ${primary.name}`;
  }

  /** Resolves when there is a primary and a replica that copies from it. */
  async untilWhole(withinMs: number): Promise<void> {
    await until(async () => {
      const primary = await this.primary();
      const replica = this.other(primary);
      const [above, below] = await Promise.all([primary, replica].map(infoOf));
      return (/role:master/.test(above ?? '') && /master_link_status:up/.test(below ?? '')) || undefined;
    }, withinMs);
  }
}

export async function startRedisPair(lifetime: Lifetime): Promise<RedisPair> {
  const [first, second] = await Promise.all(['redis-a', 'redis-b'].map((name) => startNode(lifetime, name)));
  if (first === undefined || second === undefined) throw new Error('There are not two servers.');
  await second.server.operator.replicaof('127.0.0.1', first.link.port);
  await untilInfo(second.server, 'replication', 'master_link_status:up');
  const sentinel = await startSentinelOf(lifetime, { port: first.link.port });
  await untilReplicaIsKnown(sentinel);
  return new RedisPair([first, second], sentinel);
}

async function startNode(lifetime: Lifetime, name: string): Promise<RedisNode> {
  const link = new FaultyLink(name, 0);
  await link.listen();
  lifetime.onEnd(() => link.close());
  // Others are told the address of the link, not that of the server.
  const announced = { 'replica-announce-ip': '127.0.0.1', 'replica-announce-port': `${link.port}` };
  const server = await startRedis(lifetime, { ...announced, 'enable-protected-configs': 'local', 'repl-timeout': '5' });
  link.target = server.port;
  return { name, server, link };
}

async function infoOf({ server }: RedisNode): Promise<string | undefined> {
  return answered(server.operator.info('replication'));
}

/** Nothing where there is no answer within a short while: the server may be stopped. */
async function answered<T>(asked: Promise<T>): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 300, undefined));
  return Promise.race([asked.catch(() => undefined), late]);
}

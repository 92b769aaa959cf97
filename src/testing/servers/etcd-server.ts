/** A cluster of three real nodes of etcd, from the system's package, on free loopback ports and in folders of its own. */
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import type { Lifetime } from './lifetime.ts';
import { programOf } from './program.ts';
import { type Started, start } from './started-process.ts';
import { until } from './until.ts';

export interface EtcdNode {
  readonly url: string;
  signal(signal: NodeJS.Signals): void;
  /** Kills it, and waits until it has gone. */
  kill(): Promise<void>;
}

export interface EtcdCluster {
  readonly nodes: readonly EtcdNode[];
  readonly urls: readonly string[];
  /** The node that leads now, and the others. */
  roles(): Promise<{ readonly leader: EtcdNode; readonly followers: readonly EtcdNode[] }>;
  /** Has every node running and taking part again. */
  heal(): Promise<void>;
}

/**
 * @param electionMs after how long a leader that says nothing counts as gone. Short where a test waits for it; where none does, so long that
 * a busy machine changes no leader.
 */
export async function startEtcd(lifetime: Lifetime, electionMs = 2_000): Promise<EtcdCluster> {
  const timing = ['--heartbeat-interval', `${electionMs / 10}`, '--election-timeout', `${electionMs}`];
  const places = await Promise.all(
    ['n1', 'n2', 'n3'].map(async (name) => ({ name, client: await freePort(), peer: await freePort() })),
  );
  const cluster = places.map(({ name, peer }) => `${name}=http://127.0.0.1:${peer}`).join(',');
  const folder = lifetime.folder();
  const nodes = places.map(({ name, client, peer }) => {
    const [url, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
    const given = {
      name,
      'data-dir': join(folder, name),
      'listen-client-urls': url,
      'advertise-client-urls': url,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'initial-cluster': cluster,
      'log-level': 'error',
    };
    const words = Object.entries(given).flatMap(([option, value]) => [`--${option}`, value]);
    return new Node(lifetime, url, [...words, ...timing]);
  });
  for (const node of nodes) node.launch();
  await Promise.all(nodes.map((node) => node.untilHealthy()));
  const heal = async (): Promise<void> => {
    for (const node of nodes) node.wake();
    await Promise.all(nodes.map((node) => node.untilHealthy()));
  };
  return { nodes, urls: nodes.map(({ url }) => url), roles: () => rolesOf(nodes), heal };
}

class Node implements EtcdNode {
  readonly url: string;
  readonly #lifetime: Lifetime;
  readonly #args: readonly string[];
  #process: Started | undefined;
  #endedWith: { readonly process: Started; readonly stderr: string } | undefined;

  constructor(lifetime: Lifetime, url: string, args: readonly string[]) {
    this.#lifetime = lifetime;
    this.url = url;
    this.#args = args;
  }

  launch(): void {
    const launched = start(this.#lifetime, programOf('etcd', 'etcd-server'), this.#args);
    this.#process = launched;
    void launched.ended.then(({ stderr }) => {
      this.#endedWith = { process: launched, stderr };
    });
  }

  /** Runs again, whether it was stopped or has gone. */
  wake(): void {
    if (this.#endedWith?.process === this.#process) this.launch();
    else this.signal('SIGCONT');
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#process?.ended;
  }

  /** Resolves when it takes part in a cluster that has a leader. @throws when it ends instead, with what it said. */
  async untilHealthy(): Promise<void> {
    await until(async () => {
      const ended = this.#endedWith;
      if (ended !== undefined && ended.process === this.#process) throw new Error(`etcd ended: ${ended.stderr.slice(-500)}`);
      return (await this.ask('/health', 'GET'))?.['health'] === 'true' || undefined;
    }, 30_000);
  }

  /** Nothing where it does not answer. */
  async ask(path: string, method: 'GET' | 'POST' = 'POST'): Promise<Record<string, unknown> | undefined> {
    const asked = { method, ...(method === 'POST' && { body: '{}' }), signal: AbortSignal.timeout(2_000) };
    try {
      return (await (await fetch(`${this.url}${path}`, asked)).json()) as Record<string, unknown>;
    } catch {
      return undefined;
    }
  }
}

function rolesOf(nodes: readonly Node[]): Promise<{ leader: Node; followers: Node[] }> {
  return until(async () => {
    for (const node of nodes) {
      const status = await node.ask('/v3/maintenance/status');
      const header = status?.['header'] as { member_id?: string } | undefined;
      if (header?.member_id === undefined || header.member_id !== status?.['leader']) continue;
      return { leader: node, followers: nodes.filter((other) => other !== node) };
    }
    return undefined;
  }, 20_000);
}

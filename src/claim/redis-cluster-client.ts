/**
 * The connections to the masters of a cluster, one each.
 *
 * Commands of one turn go out together for each master. The client follows redirections only of commands that are sent alone, so
 * whatever comes back redirected from a pipeline is sent once more alone: a redirection says that it was not run.
 */
import { Cluster, Command, type Redis } from 'ioredis';
import { within } from '../base/deadline.ts';
import { errorCodeOf, type RedisClient } from './redis-client.ts';
import { type ConnectionSettings, connectionOptions, connectMsMax } from './redis-connection.ts';
import type { RedisAddress } from './redis-url.ts';

/** How often one command is sent after its owner, while slots are moving. */
const redirectionsMax = 4;
/** How often the client asks which master serves which keys, ms; it also asks whenever it is redirected. */
const topologyMs = 5_000;

export class RedisClusterClient implements RedisClient {
  readonly #cluster: Cluster;
  readonly #thrownAway = new WeakSet<object>();
  /** Resolves when it can be used for the first time. */
  readonly ready: Promise<void>;
  readonly #ended: Promise<void>;
  #closing = false;
  #lastError = 'there is no connection yet';

  constructor(address: Extract<RedisAddress, { kind: 'cluster' }>, settings: ConnectionSettings) {
    const { enableOfflineQueue: _, retryStrategy, ...redisOptions } = connectionOptions(address, settings);
    const cluster = new Cluster([...address.nodes], {
      redisOptions,
      // A command waits for a connection to its master that is just being made; when its deadline comes first, both are thrown away.
      enableOfflineQueue: true,
      enableAutoPipelining: true,
      clusterRetryStrategy: retryStrategy,
      maxRedirections: redirectionsMax,
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      slotsRefreshTimeout: connectMsMax,
      slotsRefreshInterval: topologyMs,
    });
    this.#cluster = cluster;
    this.ready = new Promise((resolve) => {
      cluster.once('ready', resolve);
    });
    cluster.on('ready', () => {
      this.#lastError = 'the connection was lost';
    });
    this.#ended = new Promise((resolve) => {
      cluster.on('end', () => (this.#closing ? resolve() : this.#connectAgain()));
    });
    const remember = (error: Error): void => {
      this.#lastError = error.message;
    };
    cluster.on('error', remember);
    cluster.on('node error', remember);
    cluster.on('+node', hearAsking);
  }

  async send(_key: string, [name = '', ...args]: readonly string[]): Promise<unknown> {
    if (this.#cluster.status !== 'ready') throw new Error(this.#lastError);
    try {
      return await this.#cluster.call(name, args);
    } catch (error) {
      const code = errorCodeOf(error);
      if (code !== 'MOVED' && code !== 'ASK') throw error;
      return this.#cluster.sendCommand(new Command(name, [...args], { replyEncoding: 'utf8' }));
    }
  }

  /** How to send a command to each server that holds keys, whatever the key. */
  servers(): readonly ((command: readonly string[]) => Promise<unknown>)[] {
    if (this.#cluster.status !== 'ready') return [() => Promise.reject(new Error(this.#lastError))];
    return this.#cluster.nodes('master').map(
      (node) =>
        ([name = '', ...args]) =>
          node.call(name, args),
    );
  }

  /** The connection to the master of this key alone: the others answer. */
  renew(key: string): void {
    const owner = this.#cluster.slots[new Command('get', [key]).getSlot()]?.[0];
    const node = this.#cluster.nodes('all').find(({ options }) => `${options.host}:${options.port}` === owner);
    if (node === undefined || this.#thrownAway.has(node)) return;
    this.#thrownAway.add(node);
    node.disconnect();
  }

  async close(): Promise<void> {
    this.#closing = true;
    const { status } = this.#cluster;
    this.#cluster.disconnect();
    // Between two attempts to connect there is nothing that could end.
    if (status !== 'end' && status !== 'reconnecting') await within(connectMsMax, this.#ended, undefined);
  }

  #connectAgain(): void {
    this.#cluster.connect().catch((error: Error) => {
      this.#lastError = error.message;
    });
  }
}

/**
 * Before it follows a slot that is being moved, the client says ASKING, and listens to no reply to that. Where the connection is lost
 * just then, the promise of that reply is rejected, and a rejection that nobody has heard of ends the process.
 */
function hearAsking(node: Redis): void {
  const ask = node.asking.bind(node);
  const asking = async (): Promise<'OK' | undefined> => ask().catch(() => undefined);
  Object.assign(node, { asking });
}

/**
 * One connection to the one server that takes writes: at a fixed address, or where the Sentinels say it is.
 *
 * States: connecting → ready → (lost or thrown away) → connecting. Commands are sent only while it is ready; else they fail at once.
 */
import { Redis, type RedisOptions } from 'ioredis';
import { within } from '../base/deadline.ts';
import type { RedisClient } from './redis-client.ts';
import { type ConnectionSettings, connectionOptions, connectMsMax } from './redis-connection.ts';
import type { RedisAddress } from './redis-url.ts';

export class RedisSingleClient implements RedisClient {
  readonly #redis: Redis;
  /** Resolves when it can be used for the first time. */
  readonly ready: Promise<void>;
  readonly #ended: Promise<void>;
  #thrownAway: unknown;
  #closing = false;
  #lastError = 'there is no connection yet';

  constructor(address: Exclude<RedisAddress, { kind: 'cluster' }>, settings: ConnectionSettings) {
    const redis = new Redis({ ...connectionOptions(address, settings), ...placeOf(address, settings) });
    this.#redis = redis;
    this.ready = new Promise((resolve) => {
      redis.once('ready', resolve);
    });
    redis.on('ready', () => {
      this.#lastError = 'the connection was lost';
    });
    this.#ended = new Promise((resolve) => {
      redis.on('end', () => (this.#closing ? resolve() : this.#connectAgain()));
    });
    redis.on('error', (error: Error) => {
      this.#lastError = error.message;
    });
  }

  async send(_key: string, [name = '', ...args]: readonly string[]): Promise<unknown> {
    if (this.#redis.status !== 'ready' || this.#redis.stream === this.#thrownAway) throw new Error(this.#lastError);
    return this.#redis.call(name, args);
  }

  /** How to send a command to each server that holds keys: here one. */
  servers(): readonly ((command: readonly string[]) => Promise<unknown>)[] {
    return [(command) => this.send('', command)];
  }

  renew(): void {
    if (this.#redis.status !== 'ready' || this.#redis.stream === this.#thrownAway) return;
    this.#thrownAway = this.#redis.stream;
    this.#lastError = 'the connection was thrown away';
    this.#redis.disconnect(true);
  }

  async close(): Promise<void> {
    this.#closing = true;
    const { status } = this.#redis;
    this.#redis.disconnect();
    // Between two attempts to connect there is nothing that could end.
    if (status !== 'end' && status !== 'reconnecting') await within(connectMsMax, this.#ended, undefined);
  }

  /** Where the client gave up by itself, as it does when it is disconnected while it asks the Sentinels. */
  #connectAgain(): void {
    this.#redis.connect().catch((error: Error) => {
      this.#lastError = error.message;
    });
  }
}

function placeOf(
  address: Exclude<RedisAddress, { kind: 'cluster' }>,
  { tls = {} }: ConnectionSettings,
): Pick<RedisOptions, 'host' | 'port' | 'db' | 'sentinels' | 'name'> {
  if (address.kind === 'single') return { ...address.server, db: address.db };
  const { sentinelUsername, sentinelPassword } = address;
  return {
    sentinels: [...address.sentinels],
    name: address.master,
    sentinelCommandTimeout: connectMsMax,
    sentinelRetryStrategy: () => 100,
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(address.tls && { enableTLSForSentinelMode: true, sentinelTLS: tls }),
  } as Pick<RedisOptions, 'sentinels' | 'name'>;
}

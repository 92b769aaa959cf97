/** How a connection to Redis behaves, whichever server it leads to. */
import type { ConnectionOptions } from 'node:tls';
import type { CommonRedisOptions } from 'ioredis';
import type { RedisAddress } from './redis-url.ts';

export interface ConnectionSettings {
  /** How long a call may take, ms. */
  readonly deadlineMs: number;
  /** For an address with TLS: authorities, client certificate and the like. */
  readonly tls?: ConnectionOptions;
}

/** How long a TCP or TLS connection may take to be made, and a Sentinel to answer, ms. */
export const connectMsMax = 1_000;
/** The longest pause between two attempts to connect, ms. Claims are unavailable meanwhile, at no cost of time. */
const reconnectMsMax = 1_000;

/** The pause before attempt number `attempt`, from one: 20 ms, doubled each time. It also spaces out connections thrown away. */
export function reconnectMs(attempt: number): number {
  return Math.min(20 * 2 ** Math.min(attempt - 1, 10), reconnectMsMax);
}

/**
 * The client never resends, never keeps a command for later, and does not take a connection for ready before the server has
 * answered on it and has loaded its data; so that a server that hangs costs one deadline, and not one for each batch.
 *
 * `commandTimeout` is there for the handshake alone. It is longer than our deadline, so that it can never give out a part of the
 * replies of a pipeline whose other replies are lost. RESP 2 has no pushed messages that could come between replies.
 */
export function connectionOptions(address: RedisAddress, { deadlineMs, tls = {} }: ConnectionSettings) {
  const { username, password } = address;
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(address.tls && { tls }),
    protocol: 2,
    connectionName: 'scangate',
    disableClientInfo: true,
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    enableReadyCheck: true,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    maxLoadingRetryTime: 500,
    connectTimeout: connectMsMax,
    commandTimeout: 2 * deadlineMs,
    disconnectTimeout: 1,
    retryStrategy: reconnectMs,
  } satisfies CommonRedisOptions & { tls?: ConnectionOptions; disconnectTimeout: number };
}

/**
 * What the claims need of a client of Redis: three methods that every client has, or is given in a few lines. Single server,
 * Sentinel and Cluster are the client's matter; deadlines and the meaning of errors are ours (`redis-calls.ts`).
 */
export interface RedisClient {
  /**
   * Sends one command, in words, to the server that holds `key`, on the connection that earlier commands for this key took.
   * Commands that are sent in one turn of the event loop should travel together. Never sends a command twice, unless the server
   * said that it has not run it.
   *
   * @returns the reply: text, an integer, or null.
   * @throws an error whose message is the server's, beginning with its code (`READONLY …`); or of any other form, when it is not
   * known whether the command was run.
   */
  send(key: string, command: readonly string[]): Promise<unknown>;

  /**
   * Throws away the connection that commands for `key` take, with everything that is under way on it, and opens another one
   * in the background. No reply that is still to come may ever answer a later command.
   */
  renew(key: string): void;

  close(): Promise<void>;
}

/** The code that a server's error begins with; nothing for an error of the client or of the network. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error ? /^[A-Z][A-Z0-9]+(?= |$)/.exec(error.message)?.[0] : undefined;
}

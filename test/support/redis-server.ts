/**
 * Real servers of Redis, from the system's package, on free loopback ports and in folders of their own. What a test file starts is
 * stopped by its own pid when the file ends.
 */
import { type AddressInfo, createServer } from 'node:net';
import { Redis } from 'ioredis';
import { afterAll } from 'vitest';
import { type Started, start, temporaryFolder, until } from './server.ts';

export interface RedisServer {
  readonly port: number;
  /** `redis://127.0.0.1:<port>` */
  readonly url: string;
  readonly folder: string;
  /** Sends commands as an operator does, beside everything that is tested. */
  readonly operator: Redis;
  signal(signal: NodeJS.Signals): void;
  /** Kills it, and waits until it has gone. */
  kill(): Promise<void>;
  /** Starts it again, after it has gone, with the same port and folder. */
  restart(): Promise<void>;
}

const operators = new Set<Redis>();

afterAll(() => {
  for (const operator of operators) operator.disconnect();
  operators.clear();
});

/** A port that nobody listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

/** A server that takes commands. @param settings as in redis.conf, without the dashes. */
export async function startRedis(settings: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
  const folder = temporaryFolder();
  const port = await freePort();
  const standing = { bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', 'repl-diskless-sync-delay': '0' };
  const words = Object.entries({ port: `${port}`, ...standing, ...settings });
  const args = words.flatMap(([name, value]) => [`--${name}`, value]);
  let process = await startedRedis(args);
  const operator = operatorOf(port, settings['requirepass']);
  const kill = async (): Promise<void> => {
    process.kill('SIGKILL');
    await process.ended;
  };
  const restart = async (): Promise<void> => {
    process = await startedRedis(args);
  };
  const signal = (name: NodeJS.Signals): void => process.kill(name);
  return { port, url: `redis://127.0.0.1:${port}`, folder, operator, signal, kill, restart };
}

/** Resolves when the server says so in its replication, clients or other information. */
export async function untilInfo({ operator }: RedisServer, section: string, text: string | RegExp): Promise<void> {
  await until(async () => new RegExp(text).test(await operator.info(section).catch(() => '')) || undefined, 20_000);
}

/** How often a command was run since the server was started, or its statistics were reset. */
export async function callsOf({ operator }: RedisServer, command: string): Promise<number> {
  const stats = await operator.info('commandstats');
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
}

/** A process of Redis that takes commands. @throws when it ends instead, with what it said. */
export async function startedRedis(args: readonly string[]): Promise<Started> {
  const process = start('redis-server', args);
  let ended = false;
  const end = (): void => {
    ended = true;
  };
  process.ended.then(end, end);
  await until(() => {
    if (ended) throw new Error(`redis-server ended: ${process.stdoutLines.slice(-5).join(' ')}`);
    return process.stdoutLines.some((line) => /Ready to accept connections|\+monitor master/.test(line)) || undefined;
  }, 20_000);
  return process;
}

export function operatorOf(port: number, password?: string): Redis {
  const operator = new Redis({ port, host: '127.0.0.1', ...(password !== undefined && { password }), disconnectTimeout: 1 });
  operator.on('error', () => undefined);
  operators.add(operator);
  return operator;
}

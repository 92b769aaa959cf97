/** Real servers of Redis, from the system's package, on free loopback ports and in folders of their own. */
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';
import type { Lifetime } from './lifetime.ts';
import { programOf } from './program.ts';
import { type Started, start } from './started-process.ts';
import { until } from './until.ts';

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
  /** Starts it again, after it has gone, with the same port and folder. @param changes of its settings, for this time. */
  restart(changes?: Readonly<Record<string, string>>): Promise<void>;
}

/** A server that takes commands. @param settings as in redis.conf, without the dashes. */
export async function startRedis(lifetime: Lifetime, settings: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
  const folder = lifetime.folder();
  const port = await freePort();
  const standing = { bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', 'repl-diskless-sync-delay': '0' };
  const started = (changes: Readonly<Record<string, string>> = {}): Promise<Started> => {
    const words = Object.entries({ port: `${port}`, ...standing, ...settings, ...changes });
    const args = words.flatMap(([name, value]) => [`--${name}`, value]);
    return startedRedis(lifetime, args);
  };
  let process = await started();
  const operator = operatorOf(lifetime, port, settings['requirepass']);
  const kill = async (): Promise<void> => {
    process.kill('SIGKILL');
    await process.ended;
  };
  const restart = async (changes?: Readonly<Record<string, string>>): Promise<void> => {
    process = await started(changes);
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
export async function startedRedis(lifetime: Lifetime, args: readonly string[]): Promise<Started> {
  const process = start(lifetime, programOf('redis-server', 'redis-server'), args);
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

export function operatorOf(lifetime: Lifetime, port: number, password?: string): Redis {
  const operator = new Redis({ port, host: '127.0.0.1', ...(password !== undefined && { password }), disconnectTimeout: 1 });
  operator.on('error', () => undefined);
  lifetime.onEnd(() => operator.disconnect());
  return operator;
}

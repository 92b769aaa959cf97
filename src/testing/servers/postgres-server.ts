/**
 * A PostgreSQL server of our own: a data directory in a temporary folder, a free port of the loopback interface. It runs as a user that is
 * not root, because PostgreSQL refuses root.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { freePort } from './free-port.ts';
import type { Lifetime } from './lifetime.ts';
import { endingWithUs, postgresProgram } from './program.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { until } from './until.ts';

export interface PostgresServer {
  readonly port: number;
  readonly folder: string;
  /** Where its data is, when it was asked for and could be mounted. */
  readonly disk: SmallDisk | undefined;
  /** Address of a database, for a role. */
  url(database: string, role?: string): string;
  createDatabase(name: string): Promise<void>;
  /** Statements of the superuser, one after the other; the rows of the last. */
  query(database: string, ...statements: string[]): Promise<Record<string, unknown>[]>;
  /** How many lines of its log, up to now, hold this text. */
  loggedCount(text: string): Promise<number>;
  /** How many lines of its log hold this text since it was first started, also of servers that have crashed since. */
  everLoggedCount(text: string): number;
  /** Whether it was started, and neither was stopped nor has ended by itself. */
  readonly isRunning: boolean;
  start(): Promise<void>;
  /** Sends a signal to every process of it: `SIGSTOP` is a machine that hangs, `SIGCONT` lets it go on. */
  signal(signal: NodeJS.Signals): void;
  /** `SIGKILL` is a crash, of the whole server. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** A hot standby of this server, under this name. Not started yet. */
  makeStandby(name: string): Promise<PostgresServer>;
}

/** How a program is started that must not be root. */
interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

export interface PostgresOptions {
  /** As in `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Size of a disk of its own, where this process may mount one. */
  readonly diskBytes?: number;
  /** A folder made by `newDataFolder`, of which the server gets a copy: that takes a tenth of the time of making one. */
  readonly template?: string;
}

/** A server that accepts connections. */
export async function startPostgres(lifetime: Lifetime, options: PostgresOptions = {}): Promise<PostgresServer> {
  const { settings = {}, diskBytes, template } = options;
  const folder = ownFolder(lifetime);
  const { uid, gid } = serverIdentity();
  const isMountable = diskBytes !== undefined && uid !== undefined && gid !== undefined;
  const disk = isMountable ? mountSmallDisk(lifetime, folder, diskBytes, { uid, gid }) : undefined;
  if (template === undefined) initialise(folder);
  else execFileSync('cp', ['-a', `${template}/.`, folder], { ...serverIdentity(), stdio: ['ignore', 'ignore', 'pipe'] });
  const server = new Server(lifetime, folder, await freePort(), settings, disk);
  await server.start();
  return server;
}

/** The data of a server that was never started. */
export function newDataFolder(lifetime: Lifetime): string {
  const folder = ownFolder(lifetime);
  initialise(folder);
  return folder;
}

function initialise(folder: string): void {
  run('initdb', ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']);
}

class Server implements PostgresServer {
  readonly folder: string;
  readonly port: number;
  readonly disk: SmallDisk | undefined;
  readonly #lifetime: Lifetime;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #superusers = new Map<string, pg.Client>();
  readonly #log: string[] = [];
  readonly #earlierLog: string[] = [];
  #process: ChildProcess | undefined;
  #forget: () => void = () => undefined;
  #marks = 0;

  constructor(lifetime: Lifetime, folder: string, port: number, settings: Readonly<Record<string, string>>, disk?: SmallDisk) {
    this.disk = disk;
    this.#lifetime = lifetime;
    this.folder = folder;
    this.port = port;
    this.#settings = settings;
  }

  url(database: string, role = 'postgres'): string {
    return `postgres://${role}@127.0.0.1:${this.port}/${database}`;
  }

  async createDatabase(name: string): Promise<void> {
    await this.query('postgres', `CREATE DATABASE ${name}`);
  }

  async query(database: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
    const client = await this.#superuserIn(database);
    try {
      let rows: Record<string, unknown>[] = [];
      for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
      return rows;
    } finally {
      await client.query('ROLLBACK');
      await client.query('DISCARD ALL');
    }
  }

  /** One connection a database, until the server is stopped: a new one for each question would take longer than the question. */
  async #superuserIn(database: string): Promise<pg.Client> {
    const open = this.#superusers.get(database);
    if (open !== undefined) return open;
    const client = new pg.Client({ connectionString: this.url(database) });
    client.on('error', () => undefined);
    await client.connect();
    this.#superusers.set(database, client);
    return client;
  }

  async loggedCount(text: string): Promise<number> {
    this.#marks += 1;
    const mark = `mark ${this.#marks}.`;
    await this.query('postgres', `DO $$ BEGIN RAISE LOG '${mark}'; END $$`);
    await until(() => this.#log.some((line) => line.endsWith(mark)) || undefined);
    return this.#log.filter((line) => line.includes(text)).length;
  }

  everLoggedCount(text: string): number {
    return [...this.#earlierLog, ...this.#log].filter((line) => line.includes(text)).length;
  }

  get isRunning(): boolean {
    const process = this.#process;
    return process !== undefined && process.exitCode === null && process.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    const process = this.#process;
    if (process === undefined || !this.isRunning) return;
    // A server that was stopped starts no further process meanwhile.
    if (signal === 'SIGSTOP') process.kill(signal);
    for (const child of childrenOf(process)) signalled(child, signal);
    if (signal !== 'SIGSTOP') process.kill(signal);
  }

  async start(): Promise<void> {
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '60', ...this.#settings };
    const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const args = ['-D', this.folder, '-p', String(this.port), ...given];
    const started = spawn(...endingWithUs(postgresProgram('postgres'), args), {
      ...serverIdentity(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = started;
    this.#forget();
    this.#forget = this.#lifetime.onEnd(() => this.stop('SIGQUIT'));
    this.#earlierLog.push(...this.#log.splice(0));
    if (started.stderr !== null) createInterface(started.stderr).on('line', (line) => this.#log.push(line));
    await Promise.race([ended(started, this.#log), until(() => this.#log.some(saysReady) || undefined, 60_000)]);
  }

  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    this.#superusers.clear();
    const stopping = this.#process;
    this.#process = undefined;
    this.#forget();
    if (stopping === undefined || stopping.exitCode !== null || stopping.signalCode !== null) return;
    const exited = once(stopping, 'exit');
    const children = signal === 'SIGKILL' ? childrenOf(stopping) : [];
    stopping.kill(signal);
    for (const child of children) signalled(child, 'SIGKILL');
    await exited;
    // The next server refuses to start while a process of this one still has its memory.
    await until(() => (children.some((child) => signalled(child, 0)) ? undefined : true));
  }

  async makeStandby(name: string): Promise<PostgresServer> {
    const folder = ownFolder(this.#lifetime);
    const connection = `host=127.0.0.1 port=${this.port} user=postgres application_name=${name}`;
    run('pg_basebackup', ['-D', folder, '-R', '-c', 'fast', '--no-sync', '-X', 'stream', '-d', connection]);
    return new Server(this.#lifetime, folder, await freePort(), { ...this.#settings, hot_standby: 'on' });
  }
}

const saysReady = (line: string): boolean => /database system is ready to accept (?:read-only )?connections/.test(line);

/** @throws when the server ends, with what it said. */
async function ended(server: ChildProcess, log: readonly string[]): Promise<never> {
  const [code] = await once(server, 'exit');
  throw new Error(`PostgreSQL ended with ${String(code)}: ${log.join('\n')}`);
}

function childrenOf(parent: ChildProcess): number[] {
  const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(parent.pid)], { encoding: 'utf8' });
  return listed.trim().split(/\s+/).map(Number);
}

/** Whether the process was there to be signalled. */
function signalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function run(program: string, args: readonly string[]): void {
  execFileSync(postgresProgram(program), args, { ...serverIdentity(), stdio: ['ignore', 'ignore', 'pipe'] });
}

function serverIdentity(): Identity {
  if (process.getuid?.() !== 0) return {};
  const numberOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: numberOf('-u'), gid: numberOf('-g') };
}

function ownFolder(lifetime: Lifetime): string {
  const folder = lifetime.folder('scangate-postgres-');
  const { uid, gid } = serverIdentity();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

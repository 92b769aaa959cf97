/**
 * Real processes of the command line: servers on free loopback ports, and commands that run to their end. Whatever a test file
 * starts is stopped by its own pid when the file ends, and every folder that it was given is removed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export const projectFolder = join(import.meta.dirname, '../..');
const mainPath = join(projectFolder, 'dist/cli/main.js');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly pid: number;
  readonly stdoutLines: readonly string[];
  readonly stderr: string;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
  /** Leaves its stdout unread until it has ended, as a log reader that hangs. */
  pauseReadingStdout(): void;
  /** Closes our end of its stdout, as a log reader that has died. */
  stopReadingStdout(): void;
}

export interface ServerProcess extends Started {
  readonly url: string;
  readonly port: number;
  readonly data: string;
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<Ended>;
}

export interface ServerOptions {
  /** The data directory; a new one when left out. */
  readonly data?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const children = new Set<ChildProcess>();
const folders: string[] = [];

afterAll(async () => {
  await Promise.all([...children].map(killed));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder of this test file alone. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'scangate-test-'));
  folders.push(folder);
  return folder;
}

/** A server that listens. @throws when it ends instead, with what it said. */
export async function startServer({
  data = join(temporaryFolder(), 'data'),
  args = [],
  env = {},
}: ServerOptions = {}): Promise<ServerProcess> {
  const started = start(process.execPath, [mainPath, 'serve', '--port', '0', '--data', data, ...args], env);
  const url = await listeningUrl(started);
  return Object.assign(started, {
    url,
    port: Number(new URL(url).port),
    data,
    stop() {
      started.kill('SIGTERM');
      return started.ended;
    },
  });
}

/** A command of scangate, to its end. */
export function scangate(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return start(process.execPath, [mainPath, ...args], env).ended;
}

export function start(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, { cwd: projectFolder, env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  const output = new Output(child);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      children.delete(child);
      resolve({ code, signal, stdout: output.stdout, stderr: output.stderr });
    });
  });
  return Object.assign(output, {
    pid: child.pid ?? 0,
    ended,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    pauseReadingStdout: () => {
      child.stdout.pause();
      child.once('exit', () => child.stdout.resume());
    },
    stopReadingStdout: () => void child.stdout.destroy(),
  });
}

/** The address in the line that says that a server listens. */
export async function listeningUrl(started: Started): Promise<string> {
  let end: Ended | undefined;
  void started.ended.then((ended) => {
    end = ended;
  });
  const line = await until(() => {
    if (end !== undefined) throw new Error(`The server ended with ${end.code ?? end.signal}: ${end.stderr}${end.stdout}`);
    return started.stdoutLines.find((text) => text.includes('"event":"listening"'));
  }, 30_000);
  return (JSON.parse(line) as { url: string }).url;
}

/** Asks again and again until there is an answer. @throws after the deadline. */
export async function until<T>(ask: () => T | undefined | Promise<T | undefined>, withinMs = 10_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`Nothing came within ${withinMs} ms of: ${ask.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** What a process has written so far. */
class Output {
  readonly stdoutLines: string[] = [];
  readonly #stdout: string[] = [];
  readonly #stderr: string[] = [];
  #rest = '';

  constructor({ stdout, stderr }: ChildProcess) {
    stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    stderr?.setEncoding('utf8').on('data', (text: string) => this.#stderr.push(text));
  }

  get stdout(): string {
    return this.#stdout.join('');
  }

  get stderr(): string {
    return this.#stderr.join('');
  }

  #read(text: string): void {
    this.#stdout.push(text);
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    this.stdoutLines.push(...lines);
  }
}

function killed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve());
    child.kill('SIGKILL');
  });
}

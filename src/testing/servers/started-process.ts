/** A process of a program, what it has written so far, and how it ended. Killed by its own pid when its lifetime ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { packageFolder } from '../../base/package-folder.ts';
import type { Lifetime } from './lifetime.ts';
import { endingWithUs } from './program.ts';

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

export type Environment = Readonly<Record<string, string>>;

/**
 * @param env beside `PATH` and `HOME`, which are all that it gets of ours.
 * @param linesKept of what it writes, where it writes for hours.
 */
export function start(
  lifetime: Lifetime,
  command: string,
  args: readonly string[],
  env: Environment = {},
  linesKept = Number.POSITIVE_INFINITY,
): Started {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(...endingWithUs(command, args), {
    cwd: packageFolder,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const forget = lifetime.onEnd(() => killed(child));
  const output = new Output(child, linesKept);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      forget();
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

/** What a process has written so far. */
class Output {
  readonly stdoutLines: string[] = [];
  readonly #stdout: string[] = [];
  readonly #stderr: string[] = [];
  readonly #linesKept: number;
  #rest = '';

  constructor({ stdout, stderr }: ChildProcess, linesKept: number) {
    this.#linesKept = linesKept;
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
    if (this.stdoutLines.length <= 2 * this.#linesKept) return;
    this.stdoutLines.splice(0, this.stdoutLines.length - this.#linesKept);
    this.#stdout.splice(0, this.#stdout.length, this.stdoutLines.join('\n'));
  }
}

function killed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve());
    child.kill('SIGKILL');
  });
}

/** Workers of ScanGate itself, as processes of the built command line: each on a free loopback port, with a data directory of its own. */
import { join } from 'node:path';
import { packageFolder } from '../../base/package-folder.ts';
import type { Lifetime } from './lifetime.ts';
import { type Ended, type Environment, type Started, start } from './started-process.ts';
import { until } from './until.ts';

export const mainPath = join(packageFolder, 'dist/bin/scangate.js');

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
  readonly env?: Environment;
  /** Options of Node.js itself. */
  readonly execArgs?: readonly string[];
  /** Of what it writes, where it writes for hours. */
  readonly linesKept?: number;
}

/** A server that listens. @throws when it ends instead, with what it said. */
export async function startServer(lifetime: Lifetime, options: ServerOptions = {}): Promise<ServerProcess> {
  const { data = join(lifetime.folder(), 'data'), args = [], env = {}, execArgs = [], linesKept } = options;
  const words = [...execArgs, mainPath, 'serve', '--port', '0', '--data', data, ...args];
  const started = start(lifetime, process.execPath, words, env, linesKept);
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

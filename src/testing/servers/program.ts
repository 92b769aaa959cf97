/** Programs of the system's packages that real servers are started from. What is missing is said in one sentence, and is never passed over. */
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ScanGateError } from '../../base/errors.ts';

const debianFolder = '/usr/lib/postgresql';
const setpriv = '/usr/bin/setpriv';

/** @param debian the package that has it. @throws ScanGateError `SG_PROGRAM_MISSING`. */
export function programOf(name: string, debian: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const path = folders.map((folder) => join(folder, name)).find(isRunnable);
  if (path === undefined) throw missing(name, debian);
  return path;
}

/** Of the newest version that Debian has put there. @throws ScanGateError `SG_PROGRAM_MISSING`. */
export function postgresProgram(name: string): string {
  const newestFirst = versions().sort((a, b) => Number(b) - Number(a));
  const path = newestFirst.map((version) => join(debianFolder, version, 'bin', name)).find(isRunnable);
  if (path === undefined) throw missing(name, 'postgresql');
  return path;
}

/**
 * What is started with this ends when the thread that started it ends, even by a SIGKILL that nobody can answer: the kernel sees to it, asked by
 * `setpriv` of util-linux, which then becomes the program. Where there is none, the program is started as it is.
 */
export function endingWithUs(command: string, args: readonly string[]): [command: string, args: string[]] {
  return isRunnable(setpriv) ? [setpriv, ['--pdeathsig', 'KILL', command, ...args]] : [command, [...args]];
}

function versions(): string[] {
  try {
    return readdirSync(debianFolder);
  } catch {
    return [];
  }
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function missing(name: string, debian: string): ScanGateError {
  return new ScanGateError(
    'SG_PROGRAM_MISSING',
    `There is no ${name} on this machine: install it with "apt-get install ${debian}".`,
  );
}

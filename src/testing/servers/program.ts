/** Programs of the system's packages that real servers are started from. What is missing is said in one sentence, and is never passed over. */
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ScanGateError } from '../../base/errors.ts';

const debianFolder = '/usr/lib/postgresql';

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

/**
 * A disk so small that it can be filled: in memory, mounted on a folder, which takes root. What is on it does not outlive the machine, but
 * every process; a file system that is full is full in the same way.
 */
import { execFile, execFileSync } from 'node:child_process';
import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Lifetime } from './lifetime.ts';

/** What `fallocate` leaves, at most. */
const leftBytesMax = 64 * 1024;

export class SmallDisk {
  readonly #ballast: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#ballast = join(folder, 'ballast');
  }

  /** Takes all that is free. */
  async fill(): Promise<void> {
    const { bavail, bsize } = statfsSync(this.#folder);
    const bytes = bavail * bsize - leftBytesMax / 2;
    if (bytes > 0) await promisify(execFile)('fallocate', ['-l', String(bytes), this.#ballast]).catch(() => undefined);
  }

  free(): void {
    rmSync(this.#ballast, { force: true });
  }
}

/** Nothing where this process may not mount. @param folder empty. */
export function mountSmallDisk(
  lifetime: Lifetime,
  folder: string,
  bytes: number,
  owner: { uid: number; gid: number },
): SmallDisk | undefined {
  const options = `size=${bytes},uid=${owner.uid},gid=${owner.gid},mode=0700`;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'scangate-torture', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  lifetime.afterEnd(() => execFileSync('umount', [folder], { stdio: 'ignore' }));
  return new SmallDisk(folder);
}

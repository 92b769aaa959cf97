/**
 * How long what a test or a run has started may live: processes, connections, folders. When it ends, each is stopped by whoever
 * started it, by its own pid, and then every folder that was given is removed. Nothing else is touched.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Stop = () => unknown;

export class Lifetime {
  readonly #stops = new Set<Stop>();
  readonly #folders: string[] = [];
  readonly #cleanings: (() => void)[] = [];
  #isOver = false;

  /** A new folder that nobody else uses. @param name what it begins with, so that a person who finds it knows whose it is. */
  folder(name = 'scangate-test-'): string {
    if (this.#isOver) throw new Error('It is over: nothing is started any more.');
    const folder = mkdtempSync(join(tmpdir(), name));
    this.#folders.push(folder);
    return folder;
  }

  /** @returns forgets it again, for what has stopped by itself. */
  onEnd(stop: Stop): () => void {
    if (this.#isOver) void Promise.resolve(stop()).catch(() => undefined);
    else this.#stops.add(stop);
    return () => void this.#stops.delete(stop);
  }

  /** Runs when everything has stopped, before the folders are removed. */
  afterEnd(clean: () => void): void {
    this.#cleanings.push(clean);
  }

  /** Ends, for good: whatever is started later, by somebody who has not noticed, is stopped at once. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.end();
  }

  /** Stops everything at once, then removes the folders. What is started later lives until the next end. */
  async end(): Promise<void> {
    const stops = [...this.#stops].reverse();
    this.#stops.clear();
    const ends = await Promise.allSettled(stops.map(async (stop) => stop()));
    for (const clean of this.#cleanings.splice(0)) clean();
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}

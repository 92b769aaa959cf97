/** What workers say of themselves while a run goes on and at its end: their memory, and how their claims do. */
import type { WorkerSlot } from './worker-slot.ts';

const askMsMax = 2_000;

/** A number of a worker's metrics; nothing where it does not answer. */
export async function metricOf({ url }: Pick<WorkerSlot, 'url'>, name: string): Promise<number | undefined> {
  try {
    const response = await fetch(new URL('/metrics', url), { signal: AbortSignal.timeout(askMsMax) });
    const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(await response.text())?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}

/** Notes the most memory that any worker had. */
export class MemoryWatch {
  mostBytes = 0;
  readonly #workers: readonly WorkerSlot[];
  readonly #timer: NodeJS.Timeout;

  constructor(workers: readonly WorkerSlot[]) {
    this.#workers = workers;
    this.#timer = setInterval(() => void this.#look(), 5_000);
  }

  /** Looks for the last time. */
  async end(): Promise<void> {
    this.stop();
    await this.#look();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const all = await Promise.all(this.#workers.map((worker) => metricOf(worker, 'process_resident_memory_bytes')));
    this.mostBytes = Math.max(this.mostBytes, ...all.map((bytes) => bytes ?? 0));
  }
}

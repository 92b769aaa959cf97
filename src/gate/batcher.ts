/**
 * Natural batching: while one batch is on its way, the next is what has arrived meanwhile. Order is kept, and one batch is in
 * flight, so the scans of one scanner are decided in the order in which they came.
 *
 * States: idle (nothing waits) → running (a batch is on its way, others may wait) → idle.
 */
export interface BatchLimits {
  /** How many items one batch may hold. */
  readonly batchItemsMax: number;
  /** How many items may wait or be on their way. */
  readonly queueItemsMax: number;
  /** How many bytes the waiting items and those on their way may hold together. */
  readonly queueBytesMax: number;
}

interface Waiting<I, O> {
  readonly item: I;
  readonly bytes: number;
  readonly isWanted: () => boolean;
  readonly resolve: (answer: O) => void;
  readonly reject: (error: unknown) => void;
}

export class Batcher<I, O> {
  readonly #run: (items: readonly I[]) => Promise<readonly O[]>;
  readonly #limits: BatchLimits;
  #queue: Waiting<I, O>[] = [];
  #bytes = 0;
  #items = 0;
  #running: Promise<void> | undefined;

  constructor(run: (items: readonly I[]) => Promise<readonly O[]>, limits: BatchLimits) {
    this.#run = run;
    this.#limits = limits;
  }

  /** Items that wait or are on their way. */
  get depth(): number {
    return this.#items;
  }

  /**
   * Nothing when the queue is full: then the item was not taken.
   *
   * @param isWanted whether anybody still waits for its answer. An item that nobody waits for when its turn comes is not begun, and has no
   * answer: after an outage, what was given up long ago would otherwise keep what was just sent waiting until that is given up as well.
   */
  add(item: I, bytes: number, isWanted: () => boolean = always): Promise<O> | undefined {
    const { queueItemsMax, queueBytesMax } = this.#limits;
    if (this.#items >= queueItemsMax || (this.#items > 0 && this.#bytes + bytes > queueBytesMax)) return undefined;
    this.#items += 1;
    this.#bytes += bytes;
    const answer = new Promise<O>((resolve, reject) => this.#queue.push({ item, bytes, isWanted, resolve, reject }));
    this.#running ??= this.#runAll();
    return answer;
  }

  /** Resolves when nothing waits and nothing is on its way. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #runAll(): Promise<void> {
    await Promise.resolve();
    while (this.#queue.length > 0) {
      this.#dropUnwanted();
      if (this.#queue.length > 0) await this.#runOne(this.#queue.splice(0, this.#limits.batchItemsMax));
    }
    this.#running = undefined;
  }

  async #runOne(batch: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const answers = await this.#run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as O);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#left(batch);
    }
  }

  #dropUnwanted(): void {
    const unwanted = new Set(this.#queue.filter(({ isWanted }) => !isWanted()));
    if (unwanted.size === 0) return;
    this.#queue = this.#queue.filter((waiting) => !unwanted.has(waiting));
    this.#left([...unwanted]);
  }

  #left(items: readonly Waiting<I, O>[]): void {
    this.#items -= items.length;
    for (const { bytes } of items) this.#bytes -= bytes;
  }
}

function always(): boolean {
  return true;
}

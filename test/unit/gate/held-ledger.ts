import type { Checkpoint, Decision, Transmission } from '../../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../../src/ledger/memory-ledger.ts';

interface Held {
  readonly batch: readonly Transmission[];
  readonly checkpoint: Checkpoint | undefined;
  readonly resolve: (decisions: readonly Decision[] | Promise<readonly Decision[]>) => void;
  readonly reject: (error: Error) => void;
}

/** A ledger that writes, and answers, only when it is told to. */
export class HeldLedger extends MemoryLedger {
  readonly batchSizes: number[] = [];
  readonly #held: Held[] = [];
  #called: (() => void) | undefined;

  override append(batch: readonly Transmission[], checkpoint?: Checkpoint): Promise<readonly Decision[]> {
    this.batchSizes.push(batch.length);
    return new Promise((resolve, reject) => {
      this.#held.push({ batch, checkpoint, resolve, reject });
      this.#called?.();
    });
  }

  /** The oldest batch that waits is written, and answered. */
  async answer(): Promise<void> {
    const { batch, checkpoint, resolve } = await this.#oldest();
    resolve(super.append(batch, checkpoint));
  }

  /** The oldest batch that waits is written, and its answer gets lost. */
  async loseAnswer(error: Error): Promise<void> {
    const { batch, checkpoint, reject } = await this.#oldest();
    await super.append(batch, checkpoint);
    reject(error);
  }

  /** The oldest batch that waits is not written. */
  async fail(error: Error): Promise<void> {
    (await this.#oldest()).reject(error);
  }

  /** Resolves when a batch waits for its answer. */
  async called(): Promise<void> {
    while (this.#held.length === 0) {
      await new Promise<void>((resolve) => {
        this.#called = resolve;
      });
    }
  }

  async #oldest(): Promise<Held> {
    await this.called();
    return this.#held.shift() as Held;
  }
}

import type { Clock } from '../base/clock.ts';
import type { ClaimReply, ClaimRequest, ClaimStore } from './claim-store.ts';

interface Held {
  readonly occurredAt: number;
  readonly token: string;
  readonly entryId?: string;
  readonly expiresAt: number;
}

/** Claims of one process, for tests and for the library. {@inheritDoc ClaimStore} The store's clock is the one it is given. */
export class MemoryClaimStore implements ClaimStore {
  readonly keyedBy = 'content';
  readonly #held = new Map<string, Held>();
  readonly #clock: Clock;
  #sweepAtSize = 1_024;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async claim(request: ClaimRequest): Promise<ClaimReply> {
    const held = this.#live(request.key);
    if (held === undefined) {
      this.#hold(request);
      return { kind: 'first' };
    }
    if (held.token === request.token) return { kind: 'own' };
    const { occurredAt, token, entryId } = held;
    return entryId === undefined ? { kind: 'pending', occurredAt, token } : { kind: 'committed', occurredAt, token, entryId };
  }

  async settle(key: string, token: string, entryId: string): Promise<'settled' | 'stale'> {
    const held = this.#live(key);
    if (held?.token !== token) return 'stale';
    this.#held.set(key, { ...held, entryId });
    return 'settled';
  }

  async moveOn(request: ClaimRequest, heldBy: string): Promise<'moved' | 'stale'> {
    if (this.#live(request.key)?.token !== heldBy) return 'stale';
    this.#hold(request);
    return 'moved';
  }

  async close(): Promise<void> {
    this.#held.clear();
  }

  #live(key: string): Held | undefined {
    const held = this.#held.get(key);
    return held !== undefined && held.expiresAt > this.#clock.nowMs() ? held : undefined;
  }

  #hold({ key, occurredAt, token, ttlMs }: ClaimRequest): void {
    this.#held.set(key, { occurredAt, token, expiresAt: this.#clock.nowMs() + ttlMs });
    if (this.#held.size >= this.#sweepAtSize) this.#sweep();
  }

  /** Forgets what has expired, each time that the claims have doubled. */
  #sweep(): void {
    for (const key of this.#held.keys()) if (this.#live(key) === undefined) this.#held.delete(key);
    this.#sweepAtSize = Math.max(1_024, this.#held.size * 2);
  }
}

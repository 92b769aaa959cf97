/** A ledger as a site has one: rows in the order in which they were written, and nothing of ours in it. */
import type { Commit, CommitEnd, CommitLease, Lookup } from '../../src/gate/guard.ts';

export interface OwnRow {
  readonly reference: string;
  readonly pick: string;
  readonly fence: number;
}

export class OwnLedger {
  readonly rows: OwnRow[] = [];
  readonly picksLookedUp: string[] = [];
  readonly #isUnique: boolean;

  /** @param unique whether it refuses a second row of one pick by itself. */
  constructor({ unique = false }: { readonly unique?: boolean } = {}) {
    this.#isUnique = unique;
  }

  write({ pick, fence }: Pick<CommitLease, 'pick' | 'fence'>): CommitEnd {
    const there = this.#isUnique ? this.rows.find((row) => row.pick === pick) : undefined;
    if (there !== undefined) return { kind: 'duplicate', reference: there.reference };
    const reference = `row ${this.rows.length + 1}`;
    this.rows.push({ reference, pick, fence });
    return { kind: 'committed', reference };
  }

  readonly commit: Commit = async (lease) => this.write(lease);

  readonly lookup: Lookup = async (pick) => {
    this.picksLookedUp.push(pick);
    return this.rows.find((row) => row.pick === pick)?.reference;
  };
}

/** A promise, and what resolves it. */
export interface Later<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

export function later<T>(): Later<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

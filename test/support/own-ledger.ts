/** A ledger as a site has one: rows in the order in which they were written, and nothing of ours in it. */
import type { Commit, CommitEnd, CommitLease, Lookup } from '../../src/gate/guard-contract.ts';

export interface OwnRow {
  readonly reference: string;
  readonly pick: string;
  readonly fence: number;
  readonly occurredAt: number;
}

export class OwnLedger {
  readonly rows: OwnRow[] = [];
  readonly #asked: string[] = [];
  readonly #isUnique: boolean;

  /** @param unique whether it refuses a second row of one pick by itself. */
  constructor({ unique = false }: { readonly unique?: boolean } = {}) {
    this.#isUnique = unique;
  }

  /** The picks that were looked up, without the two neighbours that are asked for with each. */
  get picksLookedUp(): readonly string[] {
    return this.#asked.filter((_, index) => index % 3 === 0);
  }

  write({ pick, fence, occurredAt }: Pick<CommitLease, 'pick' | 'fence' | 'occurredAt'>): CommitEnd {
    const there = this.#isUnique ? this.rows.find((row) => row.pick === pick) : undefined;
    if (there !== undefined) return { kind: 'duplicate', reference: there.reference, occurredAt: there.occurredAt };
    const reference = `row ${this.rows.length + 1}`;
    this.rows.push({ reference, pick, fence, occurredAt });
    return { kind: 'committed', reference };
  }

  readonly commit: Commit = async (lease) => this.write(lease);

  readonly lookup: Lookup = async (pick) => {
    this.#asked.push(pick);
    const row = this.rows.find((one) => one.pick === pick);
    return row && { reference: row.reference, occurredAt: row.occurredAt };
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

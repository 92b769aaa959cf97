/**
 * The claims of a store, looked at from outside and brought back after a loss. Never used to decide on a scan.
 *
 * What can go wrong: the store does not answer. Then these throw, because half of the claims is not an answer.
 */
export interface FoundClaim {
  readonly key: string;
  readonly value: string;
  /** How long it lives on, ms; -1 when it never ends. */
  readonly remainingMs: number;
}

export interface ClaimInspector {
  /** Every claim that is there from the beginning to the end of the search; one that comes or goes meanwhile may be missed. */
  claims(): AsyncIterable<FoundClaim>;
  /** Those of the keys that exist. */
  held(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Writes claims that are not there, in order. Says for how many nobody held the key. Safe to repeat, and beside who claims. */
  restore(claims: readonly FoundClaim[]): Promise<number>;
  close(): Promise<void>;
}

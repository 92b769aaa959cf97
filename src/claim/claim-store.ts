/**
 * The claim port: the atomic, expiring right to commit one content identity first.
 *
 * A claim elects, the ledger confirms (R4). Whatever a store answers, or fails to answer, a wrong suppression or a second
 * line is the ledger's to prevent; a claim only says who goes first and whom to expect a duplicate of. Claims are never
 * deleted: they expire.
 */
export interface ClaimRequest {
  /** `scan:idem:` and the content identity; or the claim key, for a store that is keyed by it. */
  readonly key: string;
  /** Time of the scan, epoch ms by `occurredAtOf`. */
  readonly occurredAt: number;
  /** Secret of this attempt. A later write that does not show it changes nothing. */
  readonly token: string;
  /** W + guard, measured by the store's own clock from the moment of the claim. */
  readonly ttlMs: number;
}

export type ClaimReply =
  /**
   * The claim is ours: nobody held the key. Where the store asked: how many `replicas` have it, and whether it is `onDisk`; the
   * replicas that are told beside `onDisk` have it on theirs.
   */
  | { readonly kind: 'first'; readonly replicas?: number; readonly onDisk?: boolean }
  /** The claim is ours already: an earlier attempt with this token was applied and its reply lost. */
  | { readonly kind: 'own'; readonly replicas?: number; readonly onDisk?: boolean }
  /** Somebody is between claim and commit, or died there. */
  | { readonly kind: 'pending'; readonly occurredAt: number; readonly token: string }
  /** Somebody says that they have committed. */
  | { readonly kind: 'committed'; readonly occurredAt: number; readonly token: string; readonly entryId: string }
  /**
   * Somebody holds the key who tells neither when nor who, as workers of the recipe do. Nobody can settle it or move it on for
   * them, and it suppresses nothing: the ledger decides.
   */
  | { readonly kind: 'held' }
  /** Not a decision: an error, a timeout, a store that cannot write. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface ClaimStore {
  /**
   * What a scan is claimed by. `content`: by its content identity, so that neighbours within the window meet, wherever the window
   * begins. `pick`: by its claim key with the window index, as the recipe does.
   */
  readonly keyedBy: 'content' | 'pick';

  /**
   * Takes the key for this token if nobody holds it; else says who does. One atomic step. Safe to repeat with the same
   * token. A crash after it leaves a pending claim that expires by itself. Never throws: `unavailable` is an answer.
   */
  claim(request: ClaimRequest): Promise<ClaimReply>;

  /**
   * Marks the claim committed if this token still holds it. Atomic compare-and-set. `stale`: it does not, and nothing
   * changed. A crash before it costs a ledger look-up later and nothing else.
   */
  settle(key: string, token: string, entryId: string): Promise<'settled' | 'stale' | 'unavailable'>;

  /**
   * Moves a claim that is not within the window of the newcomer on to it, if `heldBy` still holds it. Atomic
   * compare-and-set. `stale`: somebody else was faster, and nothing changed.
   */
  moveOn(request: ClaimRequest, heldBy: string): Promise<'moved' | 'stale' | 'unavailable'>;

  close(): Promise<void>;
}

/**
 * What a claim holds in Redis or etcd, as text.
 *
 * `p|<occurred_at>|<token>`: pending, somebody is between claim and commit. `c|<occurred_at>|<token>|<entry>`: committed, by
 * word of the same token. `occurred_at` is epoch ms in decimal digits; a token holds no `|`; an entry id is all that follows.
 */

export interface HeldClaim {
  readonly occurredAt: number;
  readonly token: string;
  /** The entry that its holder says it has committed; nothing while it is pending. */
  readonly entryId?: string;
}

export function pendingValue(occurredAt: number, token: string): string {
  return `p|${occurredAt}|${token}`;
}

export function committedValue(occurredAt: number, token: string, entryId: string): string {
  return `c|${occurredAt}|${token}|${entryId}`;
}

const form = /^(?:p\|(-?\d{1,16})\|([^|]+)|c\|(-?\d{1,16})\|([^|]+)\|(.+))$/s;

/** Nothing where the value is not of this form: then somebody else wrote it, and what it means is not known. */
export function parseClaimValue(value: string): HeldClaim | undefined {
  const [, pendingAt, pendingToken, committedAt, committedToken, entryId] = form.exec(value) ?? [];
  if (pendingToken !== undefined) return { occurredAt: Number(pendingAt), token: pendingToken };
  if (committedToken === undefined || entryId === undefined) return undefined;
  return { occurredAt: Number(committedAt), token: committedToken, entryId };
}

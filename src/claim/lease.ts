/**
 * A lease: the right to commit until an instant, as it travels in the token of a claim.
 *
 * `<fence>.<end>.<nonce>`: the fencing token and the end in decimal digits, then what makes the token a secret of one attempt. So
 * every claim store carries leases, and whoever takes a claim over shows, with the old token, which lease it saw run out.
 */

export interface Lease {
  /** Fencing token: of two leases of one claim, the one that was given later has the greater number. */
  readonly fence: number;
  /** Epoch ms by the clock of the worker that took it; 0 when it was given up before its time. */
  readonly endsAt: number;
}

export function leaseToken({ fence, endsAt }: Lease, nonce: string): string {
  return `${fence}.${endsAt}.${nonce}`;
}

/** Nothing where the token is not of this form: then its holder has no lease that could run out. */
export function parseLeaseToken(token: string): Lease | undefined {
  const [, fence, endsAt] = /^(\d{1,16})\.(\d{1,16})\../.exec(token) ?? [];
  return fence === undefined || endsAt === undefined ? undefined : { fence: Number(fence), endsAt: Number(endsAt) };
}

/**
 * The fencing token of the next lease: greater than that of the holder it follows, and at least the time. So numbers go up also
 * after a claim was forgotten, as far as the clocks of the workers agree.
 */
export function nextFence(nowMs: number, held: Lease | undefined): number {
  return Math.max(nowMs, (held?.fence ?? 0) + 1);
}

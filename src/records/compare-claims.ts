/**
 * Claims against the ledger. A claim is never evidence, so nothing here is a loss of a scan: it says what a retransmission would meet.
 *
 * A committed claim was settled after its line was committed, so its line has to be there whenever the claim is looked at. A line of the
 * last W + guard should still have its claim; without it the ledger decides alone, and right.
 *
 * A claim whose token carries a lease is of a guard of the library: what it committed is in a ledger of somebody's own, of which nothing
 * can be said here.
 */
import type { ClaimInspector, FoundClaim } from '../claim/claim-inspector.ts';
import { parseClaimValue } from '../claim/claim-value.ts';
import { parseLeaseToken } from '../claim/lease.ts';
import { claimedKey } from '../identity/identify.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import type { LedgerLine } from '../ledger/ledger-line.ts';
import type { RemainingMs } from './recent-lines.ts';

export interface ClaimDifference {
  readonly kind: 'entry_missing' | 'entry_of_another' | 'pending_too_long' | 'never_ends' | 'claim_missing';
  readonly key: string;
  readonly entry_id: string | null;
  readonly message: string;
}

export interface ClaimComparison {
  readonly claims: number;
  readonly pending: number;
  /** Values that are not of ours, as of workers of the recipe. */
  readonly foreign: number;
  /** Of guards of the library, pending or committed. */
  readonly guarded: number;
  readonly recent_lines: number;
  readonly differences: readonly ClaimDifference[];
}

export interface ClaimCheck {
  readonly reader: Pick<LedgerReader, 'line'>;
  readonly inspector: ClaimInspector;
  readonly recent: AsyncIterable<LedgerLine>;
  readonly remaining: RemainingMs;
  readonly keyedBy: 'content' | 'pick';
  /** A pending claim that lives on for less than this is older than W. */
  readonly guardMs: number;
  readonly nowMs: () => number;
}

export async function compareClaims(check: ClaimCheck): Promise<ClaimComparison> {
  const differences: ClaimDifference[] = [];
  const counts = { claims: 0, pending: 0, foreign: 0, guarded: 0 };
  const overdue: FoundClaim[] = [];
  for await (const claim of check.inspector.claims()) {
    counts.claims += 1;
    const held = parseClaimValue(claim.value);
    if (claim.remainingMs === -1) differences.push(neverEnds(claim));
    if (held === undefined) counts.foreign += 1;
    else if (parseLeaseToken(held.token) !== undefined) counts.guarded += 1;
    else if (held.entryId !== undefined)
      differences.push(...committedFault(claim.key, held.entryId, await check.reader.line(held.entryId)));
    else {
      counts.pending += 1;
      if (claim.remainingMs >= 0 && claim.remainingMs < check.guardMs) overdue.push(claim);
    }
  }
  const recent: LedgerLine[] = [];
  for await (const line of check.recent) recent.push(line);
  const recentKeys = new Set(recent.map((line) => claimKeyOf(line, check.keyedBy)));
  // One whose line is there is only not settled yet.
  differences.push(...overdue.filter(({ key }) => !recentKeys.has(key)).map(pendingTooLong));
  differences.push(...(await linesWithoutClaim(check, recent)));
  return { ...counts, recent_lines: recent.length, differences };
}

export function claimKeyOf({ identity, claim_key }: LedgerLine, keyedBy: 'content' | 'pick'): string {
  return claimedKey({ content: identity, claimKey: claim_key }, keyedBy);
}

function committedFault(key: string, entryId: string, line: LedgerLine | undefined): ClaimDifference[] {
  if (line === undefined) {
    const message = `The claim says that ${entryId} is committed, and the ledger has no such entry.`;
    return [{ kind: 'entry_missing', key, entry_id: entryId, message }];
  }
  if (key === claimKeyOf(line, 'content') || key === line.claim_key) return [];
  const message = `The claim names ${entryId}, which is line ${line.line} of ${line.facility_uuid} and of another content.`;
  return [{ kind: 'entry_of_another', key, entry_id: entryId, message }];
}

function neverEnds({ key }: FoundClaim): ClaimDifference {
  return { kind: 'never_ends', key, entry_id: null, message: 'The claim has no time to live. ScanGate writes none without.' };
}

function pendingTooLong({ key }: FoundClaim): ClaimDifference {
  const message =
    'The claim has been pending for longer than W, and the ledger has no line for it: its worker died or was refused.';
  return { kind: 'pending_too_long', key, entry_id: null, message };
}

/** The clock is read after the answer: a claim that had to be there then, was not. */
async function linesWithoutClaim(check: ClaimCheck, recent: readonly LedgerLine[]): Promise<ClaimDifference[]> {
  const held = await check.inspector.held(recent.map((line) => claimKeyOf(line, check.keyedBy)));
  const now = check.nowMs();
  return recent.flatMap((line) => {
    const key = claimKeyOf(line, check.keyedBy);
    if (held.has(key) || check.remaining(line, now) <= 0) return [];
    const message = `Line ${line.line} of ${line.facility_uuid} is of the last W + guard, and has no claim.`;
    return [{ kind: 'claim_missing' as const, key, entry_id: line.entry_id, message }];
  });
}

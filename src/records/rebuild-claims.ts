/**
 * Brings back claims after a loss of Redis: a committed claim for each line of the last W + guard, for the rest of its time.
 *
 * Nobody's claim is overwritten. The newest line of a content comes first, as a claim would have moved on to it.
 */

import type { IdSource } from '../base/ids.ts';
import type { ClaimInspector, FoundClaim } from '../claim/claim-inspector.ts';
import { committedValue } from '../claim/claim-value.ts';
import type { LedgerLine } from '../ledger/ledger-line.ts';
import { claimKeyOf } from './compare-claims.ts';
import type { RemainingMs } from './recent-lines.ts';

export interface Rebuild {
  readonly inspector: ClaimInspector;
  readonly recent: AsyncIterable<LedgerLine>;
  readonly remaining: RemainingMs;
  readonly keyedBy: 'content' | 'pick';
  readonly nowMs: () => number;
  readonly ids: IdSource;
}

export interface RebuiltClaims {
  /** Lines of the last W + guard. */
  readonly lines: number;
  readonly written: number;
  /** Keys that somebody holds. */
  readonly held: number;
  /** Claims whose time ended while they were gathered. */
  readonly ended: number;
}

const claimsAtOnce = 1_000;

export async function rebuildClaims(rebuild: Rebuild): Promise<RebuiltClaims> {
  const counts = { lines: 0, written: 0, held: 0, ended: 0 };
  let batch: LedgerLine[] = [];
  const flush = async (): Promise<void> => {
    const now = rebuild.nowMs();
    const claims = batch.map((line) => claimOf(line, rebuild, now)).filter(({ remainingMs }) => remainingMs > 0);
    const written = await rebuild.inspector.restore(claims);
    counts.written += written;
    counts.held += claims.length - written;
    counts.ended += batch.length - claims.length;
    batch = [];
  };
  for await (const line of rebuild.recent) {
    counts.lines += 1;
    batch.push(line);
    if (batch.length >= claimsAtOnce) await flush();
  }
  await flush();
  return counts;
}

function claimOf(line: LedgerLine, { keyedBy, ids, remaining }: Rebuild, now: number): FoundClaim {
  const value = committedValue(line.occurred_at, ids.uuid(), line.entry_id);
  return { key: claimKeyOf(line, keyedBy), value, remainingMs: remaining(line, now) };
}

/**
 * Claims by the recipe's own keys, for fleets in which other workers still run the recipe: `SET scan:idem:<digest> 1 NX PX 3500`,
 * where whoever creates the key commits, and all others suppress.
 *
 * In both directions exactly one attempt on a key is first. Our own value says more than `1`, which the recipe does not look at:
 * our attempts know themselves again, and settle. A key that holds `1`, or any value that is not of ours, is `held`.
 *
 * What it cannot mend, because the recipe's workers trust the claim alone:
 *
 * - Window edge. The window index is in the key, so a scan at 2.9 s and its retransmission at 3.1 s have two keys, and both are first.
 * - Claim, then crash. A worker that dies between its claim and its commit leaves a key that makes recipe workers suppress what nobody
 *   has committed. Ours do not: a held key suppresses nothing.
 * - Failover, flush, eviction. A claim that is forgotten is granted again.
 * - Lost reply. A recipe worker that sends its SET again loses to itself.
 *
 * The ledger closes the first and the third, and the rest as far as our workers go, wherever the lines of all workers are bound by
 * its constraints (R3). Recipe workers that write to a book of their own are not: there both books can hold one scan, when ours
 * decides a pick whose key they hold. Let them write through the gate, or to the same database.
 */
import type { ClaimReply } from './claim-store.ts';
import { RedisClaimStore } from './redis-claim-store.ts';

/** {@inheritDoc ClaimStore} */
export class RecipeClaimStore extends RedisClaimStore {
  override readonly keyedBy = 'pick';

  protected override foreign(value: unknown): ClaimReply {
    return typeof value === 'string' ? { kind: 'held' } : super.foreign(value);
  }
}

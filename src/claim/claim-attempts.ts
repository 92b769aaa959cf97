import { messageOf } from '../base/message-of.ts';
import type { ClaimReply, ClaimRequest, ClaimStore } from './claim-store.ts';

/** A store that throws is a store that cannot answer. */
export function asUnavailable(error: unknown): ClaimReply & { readonly kind: 'unavailable' } {
  return { kind: 'unavailable', reason: messageOf(error) };
}

/** A reply that was lost is asked for again with the same token, which tells whether the claim is ours. Never throws. */
export async function claimTwice(store: ClaimStore, request: ClaimRequest): Promise<ClaimReply> {
  const once = () => store.claim(request).catch(asUnavailable);
  const first = await once();
  return first.kind === 'unavailable' ? once() : first;
}

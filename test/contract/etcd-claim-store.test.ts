import { beforeAll, describe, test } from 'vitest';
import type { ClaimStore } from '../../src/claim/claim-store.ts';
import { EtcdClaimStore } from '../../src/claim/etcd-claim-store.ts';
import { type ClaimStorePair, claimStoreContract } from '../../src/testing/claim-store-contract.ts';
import { type EtcdCluster, startEtcd } from '../support/etcd-server.ts';
import { waited } from '../support/waited.ts';

let cluster: EtcdCluster;

beforeAll(async () => {
  cluster = await startEtcd();
});

/** The clock of etcd counts in seconds, so that of the suite goes so many times more slowly here. */
const slowness = 5;
const deadlineMs = 5_000;
let opened = 0;

/** The same store under keys of its own and by the slow clock: pairs do not meet, and all cases run at once. */
function slowed(store: ClaimStore, place: string): ClaimStore {
  return {
    keyedBy: store.keyedBy,
    claim: (request) => store.claim({ ...request, key: place + request.key, ttlMs: request.ttlMs * slowness }),
    settle: (key, token, entryId) => store.settle(place + key, token, entryId),
    moveOn: (request, heldBy) => store.moveOn({ ...request, key: place + request.key, ttlMs: request.ttlMs * slowness }, heldBy),
    close: () => store.close(),
  };
}

/** Two workers, each with the nodes in another order. */
async function openPair(): Promise<ClaimStorePair> {
  opened += 1;
  const place = `pair-${opened}/`;
  const first = slowed(new EtcdClaimStore(cluster.urls, { deadlineMs }), place);
  const second = slowed(new EtcdClaimStore(cluster.urls.toReversed(), { deadlineMs }), place);
  // Half of the short time has to be within a lease; from there on it has to be over, however late the server notices.
  const later = (ms: number): Promise<void> => waited(ms * slowness + (ms > 600 ? 2 * deadlineMs + 500 : 0));
  const close = async (): Promise<void> => {
    await Promise.all([first.close(), second.close()]);
  };
  return { first, second, later, close };
}

describe('the etcd claim store', () => {
  for (const { name, run } of claimStoreContract(openPair)) test.concurrent(name, run);
});

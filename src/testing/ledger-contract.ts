/**
 * What every ledger promises. The same suite for each: `for (const { name, run } of ledgerContract(openPair)) test(name, run)`.
 *
 * In: a factory that opens two ledgers over the same empty books. Out: cases that reject with an `AssertionError` where the
 * promise is not kept. No test runner is needed, and none is imported.
 */
import { type ContractCase, casesOf } from './contract-case.ts';
import { batches } from './ledger-batches.ts';
import { expectations } from './ledger-expectations.ts';
import { paging } from './ledger-paging.ts';
import type { LedgerPair } from './ledger-pair.ts';
import { quarantine } from './ledger-quarantine.ts';
import { races } from './ledger-races.ts';
import { reading } from './ledger-reading.ts';
import { rejections } from './ledger-rejections.ts';
import { reviewFlags } from './ledger-review-flags.ts';
import { sameContent } from './ledger-same-content.ts';
import { sameId } from './ledger-same-id.ts';

export function ledgerContract(openPair: () => Promise<LedgerPair>): ContractCase[] {
  const promised = {
    ...sameId,
    ...sameContent,
    ...reviewFlags,
    ...expectations,
    ...batches,
    ...rejections,
    ...quarantine,
    ...reading,
    ...paging,
    ...races,
  };
  return casesOf(openPair, promised);
}

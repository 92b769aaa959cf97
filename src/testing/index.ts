export { type ClaimStorePair, claimStoreContract } from './claim-store-contract.ts';
export type { ContractCase } from './contract-case.ts';
export { ledgerContract } from './ledger-contract.ts';
export type { LedgerPair } from './ledger-pair.ts';
export {
  facilityA,
  facilityB,
  noon,
  rejectionAt,
  type Sending,
  scanAt,
  transmission,
  type WireChanges,
  wireScan,
} from './wire-scans.ts';

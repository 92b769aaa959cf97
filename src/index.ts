/** The public API of the library. Adapters are under `scangate/sqlite`, contract suites under `scangate/testing`. */
export { type Clock, systemClock } from './base/clock.ts';
export { type ErrorCode, errorCodes, ScanGateError } from './base/errors.ts';
export { type IdSource, randomIds } from './base/ids.ts';
export type { ClaimReply, ClaimRequest, ClaimStore } from './claim/claim-store.ts';
export { MemoryClaimStore } from './claim/memory-claim-store.ts';
export type { ProductDirectory } from './directory/product-directory.ts';
export { type Admission, type Arrival, admit, type ScannerPolicy } from './gate/arrival.ts';
export { ClaimOnce, type ClaimOnceOptions } from './gate/claim-once.ts';
export { defaultGateLimits, Gate, type GateLimits, type GateObserver, type GateOptions } from './gate/gate.ts';
export { createGuard, type Guard, type GuardOptions } from './gate/guard.ts';
export {
  type Commit,
  type CommitEnd,
  type CommitLease,
  type GuardAnswer,
  type GuardCode,
  guardCodes,
  type LedgerEntry,
  type Lookup,
} from './gate/guard-contract.ts';
export { PreFilter, type PreFilterAnswer, type PreFilterSize } from './gate/pre-filter.ts';
export type { Unavailable, Verdict } from './gate/verdict.ts';
export { identify, identityText, type ScanIdentity } from './identity/identify.ts';
export { defaultScannerClass, type ScannerClass } from './identity/scanner-class.ts';
export { gapMs, type Span, samePhysicalScan, windowEndsAt } from './identity/window.ts';
export type { EntryRef, Transport } from './ledger/entry-ref.ts';
export type { JournalRecord } from './ledger/journal-record.ts';
export type { Checkpoint, Decision, Ledger, LedgerReader, Page, PageQuery, Transmission } from './ledger/ledger.ts';
export type { LedgerLine } from './ledger/ledger-line.ts';
export { MemoryBooks, MemoryLedger } from './ledger/memory-ledger.ts';
export type { DeaSchedule } from './scan/dea-schedule.ts';
export { type DecodeContext, decodeBarcode } from './scan/decode/decode.ts';
export type { ScannerProfile } from './scan/decode/profile.ts';
export type { DecodeFault, Reading, ReadingFlag, ReadingPart } from './scan/decode/reading.ts';
export type { Listing } from './scan/listing.ts';
export { parseScan, type Refused, type ScanContext } from './scan/parse-scan.ts';
export type { Rejection } from './scan/rejection.ts';
export { type Flag, flags, type Origin, type Scan } from './scan/scan.ts';
export type { WireScan } from './scan/wire-schema.ts';

export { checkHistory, HistoryChecker } from './checker/check-history.ts';
export type { Counts, Judgement, SwallowedScans, Violation, ViolationKind } from './checker/judgement.ts';
export { checkHistoryFile, readHistory } from './checker/read-history.ts';
export { type HistoryFile, openHistoryFile } from './checker/write-history.ts';
export { type ClaimStorePair, claimStoreContract } from './claim-store-contract.ts';
export type { ContractCase } from './contract-case.ts';
export type {
  AnsweredEvent,
  FaultEvent,
  HeadEvent,
  HistoryEvent,
  HistoryWriter,
  LineEvent,
  ProblemEvent,
  QuarantinedEvent,
  RecordEvent,
  RunEvent,
  ScanEvent,
  SentEvent,
} from './history.ts';
export { ledgerContract } from './ledger-contract.ts';
export type { LedgerPair } from './ledger-pair.ts';
export type { Lifetime } from './servers/lifetime.ts';
export type { PostgresServer } from './servers/postgres-server.ts';
export { listeningUrl } from './servers/scangate-server.ts';
export { type Started, start } from './servers/started-process.ts';
export { faultKinds } from './simulator/faults.ts';
export { type Simulation, type SimulationOptions, type SystemName, simulate } from './simulator/simulate.ts';
export { BrokenOff } from './torture/broken-off.ts';
export { type TortureOptions, type TortureReport, torture } from './torture/run.ts';
export { scanGateSystem } from './torture/scangate-system.ts';
export type { AnswerOf, System, WorkerProcess, WorkerSettings } from './torture/system.ts';
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
export { type Answer, type Attempt, createDevices, type DeviceOptions, type Devices } from './workload/client.ts';
export type { ClockStep, DeviceClock } from './workload/device-clock.ts';
export { defaultMix, type Mix, quietMix } from './workload/mix.ts';
export { type Random, randomOf } from './workload/random.ts';
export {
  type PlannedScan,
  type Reading,
  type ReadingWire,
  type Traffic,
  type TrafficOptions,
  trafficOf,
} from './workload/traffic.ts';

/**
 * The ledgers that sites have, as far as what a guard promises differs by them (docs/reference/library.md, "What holds"): each with only
 * those faults of which the table says that one row is what remains.
 */
import type { Mix } from '../workload/mix.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import type { RowRules } from './own-rows.ts';
import { type SystemPlan, timed } from './simulated-system.ts';

/** One content is not scanned again. */
const apart: Partial<Mix> = { ...timed, redispenses: 0 };

/** Contents are scanned again and again, and half of the answers missed. */
const again: Partial<Mix> = { ...timed, redispenses: 600, missedAcks: 400 };

/** After these the store can have forgotten a claim. */
export const forgetting: readonly FaultKind[] = [
  'redis flush',
  'redis eviction',
  'redis failover',
  'redis restart',
  'redis clock jump',
];
/** After these a commit can be under way whose lease is over. */
const overrunning: readonly FaultKind[] = ['pause', 'worker clock jump', 'ledger silent'];
const dying: readonly FaultKind[] = ['crash', 'crash at a call', 'ledger connection lost', 'commit unanswered', 'ledger slow'];
const ofRedis: readonly FaultKind[] = faultKinds.filter((kind) => kind.startsWith('redis'));

/** Two scans less than a window apart, each with its own row: their claims were forgotten or had moved on, and both were in commit. */
const windows: SystemPlan['notPromised'] = new Set(['window_violated']);
const nothing: SystemPlan['notPromised'] = new Set();

/** How many scans of one content. */
type InARow = Pick<SystemPlan, 'closeScansMax' | 'farMs'>;
const any: InARow = {};
/** Of three in a row, the one between can be taken for the one before and for the one after it, and be in commit for both at once. */
const pairs: InARow = { closeScansMax: 2 };
/** No third one, for which the claim moves on while nobody has heard of the two. */
const two: InARow = { closeScansMax: 2, farMs: Number.POSITIVE_INFINITY };
/** Without a look-up nobody can tell any more that one scan was taken for another, once the claim that knew is forgotten or has moved on. */
const one: InARow = { closeScansMax: 1 };
/** The same where the claim of a later scan, which says nothing of an earlier one, is kept for longer than any device goes on. */
const alone: InARow = { closeScansMax: 1, farMs: Number.POSITIVE_INFINITY };

export interface GuardedLedger {
  readonly name: string;
  readonly rules: RowRules;
  readonly hasLookup: boolean;
  readonly leasesMs: readonly [number, ...number[]];
  /** How long each of the messages of a commit takes, ms on the average. */
  readonly commitHopsMs: readonly [number, ...number[]];
  readonly keepMs?: number;
  readonly mix: Partial<Mix>;
  readonly inARow: InARow;
  readonly impossible: readonly FaultKind[];
  readonly notPromised: SystemPlan['notPromised'];
}

const minuteMs = 60_000;
/** Longer than any device goes on: no claim ends before all is over. */
const dayMs = 24 * 60 * minuteMs;

export const guardedLedgers: readonly [GuardedLedger, ...GuardedLedger[]] = [
  {
    name: 'unique pick and lookup',
    rules: { refusesSecondRow: true },
    hasLookup: true,
    leasesMs: [50, 1_000, 10_000],
    commitHopsMs: [0.5, 0.5, 300],
    mix: again,
    inARow: pairs,
    impossible: [],
    notPromised: windows,
  },
  {
    name: 'unique pick and lookup, three in a row',
    rules: { refusesSecondRow: true },
    hasLookup: true,
    leasesMs: [10_000],
    commitHopsMs: [0.5],
    mix: again,
    inARow: any,
    impossible: overrunning,
    notPromised: windows,
  },
  {
    name: 'unique pick and lookup, nothing is forgotten',
    rules: { refusesSecondRow: true },
    hasLookup: true,
    leasesMs: [50, 1_000, 10_000],
    commitHopsMs: [0.5, 300, 1_000],
    // Also not because a commit takes longer than its claim is kept.
    keepMs: dayMs,
    mix: { ...timed, redispenses: 400, missedAcks: 400, doubleListeners: 200 },
    inARow: two,
    impossible: forgetting,
    notPromised: nothing,
  },
  {
    name: 'unique pick',
    rules: { refusesSecondRow: true },
    hasLookup: false,
    leasesMs: [50, 1_000, 10_000],
    commitHopsMs: [0.5, 0.5, 300],
    mix: apart,
    inARow: one,
    impossible: [],
    notPromised: nothing,
  },
  {
    name: 'unique pick, contents again',
    rules: { refusesSecondRow: true },
    hasLookup: false,
    leasesMs: [50, 1_000, 10_000],
    commitHopsMs: [0.5, 0.5, 300],
    keepMs: 10 * minuteMs,
    mix: timed,
    inARow: one,
    impossible: forgetting,
    notPromised: nothing,
  },
  {
    name: 'lookup, nothing after the lease',
    rules: { heedsLease: true },
    hasLookup: true,
    leasesMs: [1_000, 3_000],
    commitHopsMs: [0.5, 100, 300],
    keepMs: dayMs,
    mix: { ...timed, redispenses: 400, missedAcks: 400, doubleListeners: 200 },
    inARow: two,
    impossible: [...forgetting, 'worker clock jump'],
    notPromised: nothing,
  },
  {
    name: 'looks where it may exist',
    rules: { heedsLease: true, looksWhereItMayExist: true },
    hasLookup: false,
    leasesMs: [1_000, 3_000],
    commitHopsMs: [0.5, 100, 300],
    mix: { ...apart, skewedClocks: 700 },
    inARow: one,
    impossible: [...forgetting, 'worker clock jump'],
    notPromised: nothing,
  },
  {
    name: 'looks where it may exist, contents again',
    rules: { heedsLease: true, looksWhereItMayExist: true },
    hasLookup: false,
    leasesMs: [1_000, 3_000],
    commitHopsMs: [0.5, 100, 300],
    keepMs: 10 * minuteMs,
    mix: timed,
    inARow: one,
    impossible: [...forgetting, 'worker clock jump'],
    notPromised: nothing,
  },
  {
    name: 'neither',
    rules: {},
    hasLookup: false,
    leasesMs: [60_000],
    commitHopsMs: [0.5],
    keepMs: dayMs,
    mix: apart,
    inARow: alone,
    impossible: [...forgetting, ...overrunning, ...dying, ...ofRedis],
    notPromised: nothing,
  },
];

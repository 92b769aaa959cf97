/** The safety measures, and the compiled code without each of them: what a simulation that is worth its name has to notice. */

import type { Mix } from '../../src/testing/workload/mix.ts';
import type { Change } from '../support/changed-package.ts';

export interface Mutant extends Change {
  /** What is taken away. */
  readonly name: string;
  readonly system: 'gate' | 'guard';
  /** Within so many seeds it is caught. */
  readonly seeds: number;
  /** In which traffic: as the command has it when left out. */
  readonly scans?: number;
  readonly mix?: Partial<Mix>;
}

const tokens: readonly Mutant[] = [
  {
    name: 'settling compares the token',
    system: 'guard',
    file: 'claim/redis-scripts.js',
    snippet: `if token ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], 'c|'`,
    instead: `redis.call('SET', KEYS[1], 'c|'`,
    seeds: 2_000,
  },
  {
    name: 'moving on compares the token',
    system: 'guard',
    file: 'claim/redis-scripts.js',
    snippet: `if token ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2]`,
    instead: `redis.call('SET', KEYS[1], ARGV[2]`,
    seeds: 2_000,
  },
  {
    name: 'a lease is left alone until it is over',
    system: 'guard',
    file: 'gate/lease-election.js',
    snippet: 'if (retryAfterMs > 0)',
    instead: 'if (false)',
    seeds: 1_000,
  },
  {
    name: 'pending is not committed',
    system: 'guard',
    file: 'claim/redis-claim-store.js',
    snippet: `entryId === undefined ? { kind: 'pending', ...pending } : { kind: 'committed', ...pending, entryId }`,
    instead: `{ kind: 'committed', ...pending, entryId: entryId ?? pending.token }`,
    seeds: 500,
  },
  {
    name: 'the ledger of the site is looked up before a commit',
    system: 'guard',
    file: 'gate/guard.js',
    snippet: 'lookup && (await this.#lookUp(guarded, election, lookup))',
    instead: 'undefined',
    seeds: 1_000,
  },
  {
    name: 'a connection that has not answered is thrown away',
    system: 'guard',
    file: 'claim/redis-calls.js',
    snippet: `if (reply === late) {
                this.#renew(key);`,
    instead: 'if (reply === late) {',
    seeds: 500,
  },
];

/** What a guard promises of leases, and of what it says of them. */
const leases: readonly Mutant[] = [
  {
    name: 'the clocks of two workers can be apart',
    file: 'gate/lease-election.js',
    snippet: 'lease.endsAt + this.#times.clockSkewMs',
    instead: 'lease.endsAt',
    seeds: 1_000,
  },
  {
    name: 'a lease of which nobody knows whether it was given is not had',
    file: 'gate/lease-election.js',
    snippet: "if ((await this.#moveOn(attempt, reply.token)) === 'moved')",
    instead: "if ((await this.#moveOn(attempt, reply.token)) !== 'stale')",
    seeds: 1_500,
  },
  {
    name: 'a lease that was taken over has a greater token',
    file: 'claim/lease.js',
    snippet: 'Math.max(nowMs, (held?.fence ?? 0) + 1)',
    instead: 'nowMs',
    seeds: 200,
  },
  {
    name: 'a lease under which nothing was written is given up',
    file: 'gate/lease-election.js',
    snippet: 'await this.#moveOn({ ...elected, token }, elected.token);',
    instead: '',
    seeds: 200,
  },
  {
    name: 'a lease under which something may be written is not given up',
    file: 'gate/guard.js',
    snippet: "if (!ended.ok)\n            return unavailable('SG_COMMIT_UNKNOWN'",
    instead:
      "if (!ended.ok)\n            await this.#election.giveUp(elected);\n        if (!ended.ok)\n            return unavailable('SG_COMMIT_UNKNOWN'",
    seeds: 100,
  },
  {
    name: 'no commit is begun when its lease is over',
    file: 'gate/guard.js',
    snippet: 'if (this.#clock.nowMs() >= leaseEndsAt)',
    instead: 'if (false)',
    seeds: 400,
  },
  {
    name: 'who takes a lease over is told that the pick may exist',
    file: 'gate/lease-election.js',
    snippet: 'held.occurredAt, held, true)',
    instead: 'held.occurredAt, held)',
    seeds: 200,
  },
  {
    name: 'what was found in the ledger does not move the window',
    file: 'gate/lease-election.js',
    snippet: 'if (occurredAt !== elected.occurredAt)',
    instead: 'if (false)',
    seeds: 500,
    scans: 40,
  },
  {
    name: 'every claim ends by itself',
    file: 'claim/redis-claim-store.js',
    snippet: ", 'PX', String(ttlMs)]);\n        if (!asked.ok)",
    instead: ']);\n        if (!asked.ok)',
    seeds: 20,
  },
  {
    name: 'the claim of a scan that is ahead is kept longer',
    file: 'gate/lease-election.js',
    snippet: 'candidate.ttlMs + Math.max(0, occurredAt - nowMs, candidate.occurredAt - nowMs)',
    instead: 'candidate.ttlMs',
    seeds: 1_000,
  },
].map((mutant) => ({ ...mutant, system: 'guard' as const }));

const ledger: readonly Mutant[] = [
  {
    name: 'a duplicate is acknowledged by the ledger, not by a claim alone',
    system: 'gate',
    file: 'gate/gate.js',
    snippet: 'const appending = this.#ledger.append(claimed?.expecting ?? batch, checkpoint);',
    instead: `const told = claimed?.expecting.map(({ expectedEntryId: id, identity, scan }) => id && {
      outcome: 'suppressed', of: { id, facility_uuid: scan.facilityUuid, line: 1 }, claimKey: identity.claimKey, gapMs: 0,
      windowMs: 3000, arbiter: 'claim', reason: 'same_content', flags: [] });
    const appending = told?.every(Boolean) ? Promise.resolve(told) : this.#ledger.append(claimed?.expecting ?? batch, checkpoint);`,
    seeds: 500,
  },
  {
    name: 'a content is looked up within the window (R2)',
    system: 'gate',
    file: 'ledger/decide.js',
    snippet: 'lines.filter((line) => samePhysicalScan(line, span))',
    instead: '[]',
    seeds: 500,
  },
  {
    name: 'a scan id is looked up (R1)',
    system: 'gate',
    file: 'ledger/decide.js',
    snippet: 'if (known === undefined)',
    instead: 'if (true)',
    seeds: 500,
  },
  {
    name: 'the outcome of a scan id is remembered',
    system: 'gate',
    file: 'ledger/plan-batch.js',
    snippet: `if (reason === 'same_content')`,
    instead: 'if (false)',
    seeds: 2_000,
  },
  {
    name: 'the window is half-open',
    system: 'gate',
    file: 'identity/window.js',
    snippet: 'a.occurredAt < windowEndsAt(b) && b.occurredAt < windowEndsAt(a)',
    instead: 'a.occurredAt <= windowEndsAt(b) && b.occurredAt <= windowEndsAt(a)',
    seeds: 500,
  },
  {
    name: 'the time of a scan is that of its trigger',
    system: 'gate',
    file: 'scan/occurred-at.js',
    snippet: 'if (isPlausible(capturedAt, receivedAt, rules)) {',
    instead: 'if (false) {',
    seeds: 500,
  },
  {
    name: 'one batch is on its way at a time',
    system: 'gate',
    file: 'gate/batcher.js',
    snippet: 'await this.#runOne(',
    instead: 'void this.#runOne(',
    seeds: 100,
    mix: { pipelined: 1_000, twoPaths: 1_000 },
  },
];

/** Every dimension that makes two scans different is in the identity, and what differs under one id contradicts. */
const identities: readonly Mutant[] = [
  ...[
    { name: 'the unit tells two scans apart', snippet: `if (scan.unit !== 'EA')`, instead: 'if (false)' },
    {
      name: 'the direction tells two scans apart',
      snippet: 'if (scan.direction !== undefined)',
      instead: 'if (false)',
      scans: 40,
    },
    { name: 'the serial tells two scans apart', snippet: 'if (scan.serialNumber !== undefined)', instead: 'if (false)' },
    {
      name: 'a lot is compared as it is written',
      snippet: `scan.lotNumber ?? ''`,
      instead: `scan.lotNumber?.toUpperCase() ?? ''`,
    },
    {
      name: 'the scanner tells two scans apart',
      snippet: '        scan.scannerId,',
      instead: `        '',`,
      mix: { sharedContents: 1_000 },
    },
  ].map((mutant) => ({
    system: 'gate' as const,
    file: 'identity/identify.js',
    seeds: 200,
    mix: { nearTwins: 700 },
    ...mutant,
  })),
  {
    name: 'another content under a known id is a conflict (R1)',
    system: 'gate',
    file: 'ledger/decide.js',
    snippet: 'if (known.fingerprint === identity.fingerprint)',
    instead: 'if (true)',
    seeds: 100,
    mix: { reusedIds: 1_000 },
  },
];

/** What is kept as evidence, and what a person is asked (R6, R7). */
const evidence: readonly Mutant[] = [
  {
    name: 'what is no scan is kept byte for byte (R6)',
    file: 'ledger/plan-batch.js',
    snippet: 'journalSeq, bytes: raw.bytes }',
    instead: 'journalSeq, bytes: raw.bytes.subarray(0, 10) }',
  },
  {
    name: 'a scan that is out of its sequence is flagged (R7)',
    file: 'ledger/decide.js',
    snippet: "? ['out_of_order'] : []",
    instead: '? [] : []',
  },
  {
    name: 'a serial that leaves a second time is flagged (R7)',
    file: 'ledger/decide.js',
    snippet: "last?.startsWith('-') === true ? ['serial_already_out'] : []",
    instead: '[]',
  },
].map((mutant) => ({ ...mutant, system: 'gate' as const, seeds: 50 }));

/** What the simulated ledger does as the one in PostgreSQL does it: here it is shown that the measure is needed. */
const database: readonly Mutant[] = [
  {
    name: 'facilities are locked in sorted order',
    system: 'gate',
    file: 'testing/simulator/simulated-ledger.js',
    snippet: '[...new Set(names)].sort()',
    instead: '[...new Set(names)]',
    seeds: 500,
    scans: 40,
    mix: { pipelined: 1_000, twoPaths: 1_000 },
  },
  {
    name: 'nothing is answered before the standby has it',
    system: 'gate',
    file: 'testing/simulator/simulated-ledger.js',
    snippet: 'await this.#scheduler.sleep(committed.safeAt - this.#scheduler.now);',
    instead: '',
    seeds: 2_000,
  },
];

export const mutants: readonly Mutant[] = [...tokens, ...leases, ...ledger, ...identities, ...evidence, ...database];

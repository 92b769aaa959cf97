/** Real workers on a real Redis that are killed or stopped between their claim and the word that it is committed. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createGuard, type Guard } from '../../src/gate/guard.ts';
import type { Commit, GuardAnswer, Lookup } from '../../src/gate/guard-contract.ts';
import { parseScan } from '../../src/scan/parse-scan.ts';
import type { Scan } from '../../src/scan/scan.ts';
import { wireScan } from '../../src/testing/wire-scans.ts';
import { storeAt } from '../support/redis-scene.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type Started, start, temporaryFolder, until } from '../support/server.ts';

const leaseMs = 700;

let server: RedisServer;
let guard: Guard;
let ledger: string;
let wire: object;
let scan: Scan;

beforeAll(async () => {
  server = await startRedis();
  guard = createGuard({ claims: await storeAt(server.url, { deadlineMs: 5_000 }), leaseMs, clockSkewMs: 0 });
});

beforeEach(async () => {
  await server.operator.flushall();
  ledger = join(temporaryFolder(), 'ledger.ndjson');
  writeFileSync(ledger, '');
  const capturedAt = Date.now();
  wire = { ...wireScan(0), captured_at: capturedAt };
  const parsed = parseScan(wire, { receivedAt: capturedAt });
  if (!parsed.ok) throw new TypeError(parsed.error.rejection.message);
  scan = parsed.value;
});

const rows = (): { pick: string; fence: number; occurredAt: number }[] =>
  readFileSync(ledger, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { pick: string; fence: number; occurredAt: number });

const commit: Commit = async ({ pick, fence, occurredAt }) => {
  appendFileSync(ledger, `${JSON.stringify({ pick, fence, occurredAt })}\n`);
  return { kind: 'committed', reference: pick };
};

const lookup: Lookup = async (pick) => {
  const row = rows().find((one) => one.pick === pick);
  return row && { reference: row.pick, occurredAt: row.occurredAt };
};

/** A worker that has claimed the scan, and has not written it yet. */
async function claimedBy(constraint: 'none' | 'none, and hangs' | 'unique' | 'fence'): Promise<Started> {
  const args = ['test/fault/guard-worker.js', server.url, String(leaseMs), ledger, constraint, JSON.stringify(wire)];
  const worker = start(process.execPath, args);
  await until(() => worker.stdoutLines.includes('claimed') || undefined, 20_000);
  return worker;
}

/** The scan, sent to another worker until it is decided; and the answers on the way. */
async function sentUntilDecided(): Promise<{ readonly answer: GuardAnswer; readonly codes: readonly string[] }> {
  const codes = new Set<string>();
  const answer = await until(async () => {
    const given = await guard(scan, commit, { lookup });
    if (given.outcome !== 'unavailable') return given;
    codes.add(given.code);
    return undefined;
  }, 20_000);
  return { answer, codes: [...codes] };
}

/** The worker writes now, and its answer. */
async function answerOf(worker: Started): Promise<GuardAnswer> {
  worker.kill('SIGUSR2');
  await worker.ended;
  return JSON.parse(worker.stdoutLines.at(-1) ?? '') as GuardAnswer;
}

describe('a worker that is killed', () => {
  test('after its claim and before its commit has the scan committed by the next, once its lease has run out', async () => {
    const worker = await claimedBy('none');
    worker.kill('SIGKILL');
    await worker.ended;
    const { answer, codes } = await sentUntilDecided();
    expect(codes).toEqual(['SG_CLAIM_HELD']);
    expect(answer).toMatchObject({ outcome: 'committed', claim: 'settled' });
    expect(await guard(scan, commit, { lookup })).toMatchObject({ outcome: 'suppressed', arbiter: 'claim' });
    expect(rows()).toHaveLength(1);
  });

  test('after it has written has its row found by the look-up', async () => {
    const worker = await claimedBy('none, and hangs');
    worker.kill('SIGUSR2');
    await until(() => worker.stdoutLines.includes('written') || undefined, 20_000);
    worker.kill('SIGKILL');
    await worker.ended;
    const { answer } = await sentUntilDecided();
    expect(answer).toMatchObject({ outcome: 'suppressed', arbiter: 'ledger', gapMs: 0 });
    expect(rows()).toHaveLength(1);
  });
});

describe('a worker that is stopped for longer than its lease, and goes on', () => {
  async function overtaken(constraint: 'none' | 'unique' | 'fence'): Promise<GuardAnswer> {
    const worker = await claimedBy(constraint);
    worker.kill('SIGSTOP');
    expect((await sentUntilDecided()).answer).toMatchObject({ outcome: 'committed', claim: 'settled' });
    worker.kill('SIGCONT');
    return answerOf(worker);
  }

  test('is told by a ledger with a unique pick that the row is there already', async () => {
    expect(await overtaken('unique')).toMatchObject({ outcome: 'suppressed', arbiter: 'ledger' });
    expect(rows()).toHaveLength(1);
  });

  test('is refused by a ledger that compares the fencing token', async () => {
    expect(await overtaken('fence')).toMatchObject({ outcome: 'unavailable', code: 'SG_COMMIT_REFUSED' });
    expect(rows()).toHaveLength(1);
  });

  test('writes a second row where nothing refuses it, and is told that its claim was lost', async () => {
    expect(await overtaken('none')).toMatchObject({ outcome: 'committed', claim: 'lost' });
    const fences = rows().map(({ fence }) => fence);
    expect(fences).toHaveLength(2);
    expect(fences[0]).toBeGreaterThan(fences[1] ?? Number.NaN);
  });
});

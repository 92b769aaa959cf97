/** What only real servers show: a ledger that says "committed" before it is on disk loses scans when its server crashes, and the run finds it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waited } from '../../src/testing/servers/until.ts';
import type { FaultKind } from '../../src/testing/torture/fault.ts';
import { torture } from '../../src/testing/torture/run.ts';
import { scanGateSystem } from '../../src/testing/torture/scangate-system.ts';
import { temporaryFolder } from '../support/server.ts';

/** Nothing of the last second was written: how much a crash loses by itself depends on how much else the machine has to do. */
const crash: FaultKind = {
  name: 'postgres crashed, its disk busy',
  place: 'postgres',
  lastsMs: [0, 500],
  async inject({ postgres, database }) {
    const writers = await postgres.query(database, "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'");
    expect(writers).toHaveLength(1);
    process.kill(Number(writers[0]?.['pid']), 'SIGSTOP');
    await waited(1_000);
    await postgres.stop('SIGKILL');
    return { target: 'postgres', heal: () => postgres.start() };
  },
};

test('acknowledged scans that a crash of an unsafe PostgreSQL has lost are found', async () => {
  const { judgement, faults, passedOver } = await torture({
    seed: 1,
    scans: 240,
    scansPerS: 40,
    mix: { offline: 0 },
    workers: 2,
    retryMsMax: 1_000,
    faultsPerMinute: 15,
    kinds: [crash],
    system: scanGateSystem({ env: { SCANGATE_ALLOW_UNSAFE_LEDGER: 'true' } }),
    command: 'none: the ledger is unsafe on purpose',
    postgresSettings: { synchronous_commit: 'off' },
    history: join(temporaryFolder(), 'run.jsonl'),
    print: () => undefined,
  });
  expect(passedOver).toEqual([]);
  // Two are planned; a server that is slow to start again leaves no time for the second.
  expect(faults.get(crash.name)).toBeGreaterThanOrEqual(1);
  const told = judgement.violations.filter(({ kind }) => kind === 'false_acknowledgement').map(({ message }) => message);
  expect(told).toContainEqual(expect.stringMatching(/^\S+ was committed, and its entry \S+ is no line\.$/));
  expect(judgement.isSound).toBe(false);
});

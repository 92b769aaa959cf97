/** What only real servers show: a ledger that says "committed" before it is on disk loses scans when its server crashes, and the run finds it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { faultKinds } from '../../src/testing/torture/faults.ts';
import { torture } from '../../src/testing/torture/run.ts';
import { scanGateSystem } from '../../src/testing/torture/scangate-system.ts';

const crashes = faultKinds.filter(({ name }) => name === 'postgres crashed');

const folder = mkdtempSync(join(tmpdir(), 'scangate-torture-'));

afterAll(() => rmSync(folder, { recursive: true }));

test('acknowledged scans that a crash of an unsafe PostgreSQL has lost are found', async () => {
  expect(crashes).toHaveLength(1);
  const { judgement, faults } = await torture({
    seed: 1,
    scans: 640,
    scansPerS: 40,
    faultsPerMinute: 10,
    kinds: crashes,
    system: scanGateSystem({ env: { SCANGATE_ALLOW_UNSAFE_LEDGER: 'true' } }),
    command: 'none: the ledger is unsafe on purpose',
    // What is committed is on disk ten seconds later at the earliest, unless something else has to be.
    postgresSettings: { synchronous_commit: 'off', wal_writer_delay: '10s', wal_writer_flush_after: '0' },
    history: join(folder, 'run.jsonl'),
    print: () => undefined,
  });
  expect(faults.get('postgres crashed')).toBeGreaterThanOrEqual(2);
  expect(judgement.falseAcknowledgements).toBeGreaterThan(0);
  expect(judgement.isSound).toBe(false);
});

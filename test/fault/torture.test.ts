/** A short torture of a real fleet: four workers, Redis with a replica and a Sentinel, PostgreSQL, and faults all the time. */
import { expect, test } from 'vitest';
import { torture } from '../../src/testing/torture/run.ts';
import { scanGateSystem } from '../../src/testing/torture/scangate-system.ts';

const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

test('thousands of scans of a fleet that fails in many ways are each one line, and nothing is wrong with the workers afterwards', async () => {
  const command = `scangate simulate --torture --scans 2000 --scans-per-second 75 --faults-per-minute 40 --seed ${seed}`;
  const said: string[] = [];
  const report = await torture({
    seed,
    scans: 2_000,
    scansPerS: 75,
    faultsPerMinute: 40,
    system: scanGateSystem(),
    command,
    print: (line) => void said.push(line),
  });
  const { judgement, problems, faults } = report;
  process.stdout.write(`TEST_SEED=${seed}: ${[...faults.keys()].join('; ')}\n`);
  expect({ command, said: judgement.isSound ? [] : said, violations: judgement.violations, problems }).toEqual({
    command,
    said: [],
    violations: [],
    problems: [],
  });
  expect(judgement.counts.scans).toBeGreaterThanOrEqual(2_000);
  expect(judgement.counts.lines).toBeGreaterThan(1_600);
  expect(faults.size).toBeGreaterThanOrEqual(10);
}, 540_000);

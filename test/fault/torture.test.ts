/** A short torture of a real fleet: four workers, Redis with a replica and a Sentinel, PostgreSQL, and faults all the time. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkHistoryFile } from '../../src/testing/checker/read-history.ts';
import { scangate, temporaryFolder } from '../support/server.ts';

const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

test('thousands of scans of a fleet that fails in many ways are each one line, and nothing is wrong with the workers afterwards', async () => {
  const history = join(temporaryFolder(), 'run.jsonl');
  const amounts = ['--scans', '2000', '--scans-per-second', '75', '--faults-per-minute', '40', '--seed', String(seed)];
  const { code, stdout, stderr } = await scangate(['simulate', '--torture', ...amounts, '--history', history]);
  process.stdout.write(`TEST_SEED=${seed}\n`);
  expect({ amounts, code, stderr, said: code === 0 ? '' : stdout }).toEqual({ amounts, code: 0, stderr: '', said: '' });
  const { violations, counts } = await checkHistoryFile(history);
  expect(violations).toEqual([]);
  expect(counts.scans).toBeGreaterThanOrEqual(2_000);
  expect(counts.lines).toBeGreaterThan(1_600);
  expect(Object.keys(counts.faults).length).toBeGreaterThanOrEqual(10);
}, 540_000);

/** The last line of `npm test`: it never says that nothing failed where something did. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'scangate-count-'));
const path = join(folder, 'report.json');

afterAll(() => rmSync(folder, { recursive: true }));

const reported = (passed: number, failed: number, total: number): string =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, numTotalTests: total, testResults: [] });

it.each([
  ['all passed', reported(3, 0, 3), '0', '0', '3 passed, 0 failed', 0],
  ['one failed', reported(2, 1, 3), '0', '1', '2 passed, 1 failed', 1],
  ['one was skipped', reported(2, 0, 3), '0', '0', '2 passed, 1 failed', 1],
  ['a check failed', reported(3, 0, 3), '1', '0', '3 passed, 1 failed', 1],
  ['an error came after all tests had passed', reported(3, 0, 3), '0', '1', '3 passed, 1 failed', 1],
  ['there were no tests', reported(0, 0, 0), '0', '0', '0 passed, 1 failed', 1],
  ['Vitest was killed before it had reported', '', '0', '137', '0 passed, 1 failed', 1],
])('where %s', (_, report, checksFailed, vitestStatus, line, status) => {
  writeFileSync(path, report);
  const ended = spawnSync(execPath, ['scripts/count-tests.js', path, checksFailed, vitestStatus], { encoding: 'utf8' });
  expect(ended.stdout.trimEnd().split('\n').at(-1)).toBe(line);
  expect(ended.status).toBe(status);
});

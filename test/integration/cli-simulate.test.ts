import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';
import { openHistoryFile } from '../../src/testing/checker/write-history.ts';
import type { HistoryEvent } from '../../src/testing/history.ts';
import { mainPath } from '../../src/testing/servers/scangate-server.ts';
import { scangate } from '../support/server.ts';
import { soundHistory } from '../unit/testing/checker/small-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'scangate-simulate-'));
const path = join(folder, 'run.ndjson');

afterAll(() => rmSync(folder, { recursive: true }));

function write(events: readonly HistoryEvent[]): void {
  const file = openHistoryFile(path);
  for (const event of events) file.write(event);
  file.close();
}

test('a sound history is judged as sound', async () => {
  write(await soundHistory());
  const ended = await scangate(['simulate', '--check', path]);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).toContain('No rule was broken.');
});

test('a history without one of its lines is not, and says so as text and as JSON', async () => {
  write((await soundHistory()).filter((event) => event.kind !== 'line' || event.transmission !== 't8'));
  const told = await scangate(['simulate', '--check', path]);
  expect(told.code).toBe(1);
  expect(told.stdout).toContain('lost_scan: s6 was answered committed, and has no line.');
  const { stdout } = await scangate(['simulate', '--check', path, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ isSound: false, lost: 1, phantom: 0 });
});

test('what is no whole history, or holds no scan, is refused with one sentence', async () => {
  const told = async (): Promise<string> => (await scangate(['simulate', '--check', path])).stderr;
  writeFileSync(path, '{"kind":"run"');
  expect(await told()).toMatch(/^scangate: .*run\.ndjson, line 1 is not JSON.* \(SG_HISTORY_INVALID\)\n$/);
  write((await soundHistory()).slice(0, 1));
  expect(await told()).toMatch(/^scangate: .*run\.ndjson holds no scan: nothing was checked\. \(SG_HISTORY_INVALID\)\n$/);
  const nothing = await scangate(['simulate']);
  expect(nothing).toMatchObject({ code: 1, stdout: '' });
  expect(nothing.stderr).toContain('(SG_CONFIG_INVALID)');
});

test.each([
  [['--check', path, '--seeds', '2'], '--seeds does nothing with --check: leave one of them out.'],
  [['--torture', '--seeds', '2'], '--seeds does nothing with --torture: leave one of them out.'],
  [['--torture', '--fail-fast'], '--fail-fast does nothing with --torture: leave one of them out.'],
  [['--seeds', '2', '--json'], '--json does nothing with --seeds: leave one of them out.'],
  [['--seeds', '2', '--scans-per-second', '5'], '--scans-per-second does nothing with --seeds: leave one of them out.'],
  [['--seeds', '2', '--seed', '2147483647'], 'The last of the seeds would be greater than 2147483647: give fewer.'],
])('an option that would be passed over is refused (%j)', async (args, sentence) => {
  const stderr = `scangate: ${sentence} (SG_CONFIG_INVALID)\n`;
  expect(await scangate(['simulate', ...args])).toMatchObject({ code: 1, stdout: '', stderr });
});

test('the history of a seed can be judged alone, whole and shrunk', async () => {
  const whole = await scangate(['simulate', '--seeds', '1', '--history', path]);
  expect(whole).toMatchObject({ code: 0, stderr: '' });
  expect((await scangate(['simulate', '--check', path])).stdout).toContain('No rule was broken.');
  const shrunk = await scangate(['simulate', '--system', 'recipe', '--seed', '3', '--seeds', '1', '--shrink', '--history', path]);
  expect(shrunk).toMatchObject({ code: 1, stderr: '' });
  const judged = await scangate(['simulate', '--check', path, '--json']);
  expect(JSON.parse(judged.stdout)).toMatchObject({ isSound: false, phantom: 1, counts: { scans: 1 } });
});

test('a history that cannot be written is known before anything is run', async () => {
  const told = await scangate(['simulate', '--seeds', '1', '--history', join(folder, 'none', 'run.jsonl')]);
  expect(told).toMatchObject({ code: 1, stdout: '' });
  expect(told.stderr).toMatch(/^scangate: The history cannot be written to .*ENOENT.* \(SG_HISTORY_INVALID\)\n$/);
});

test('stopped in the middle, it says the figures so far and how many seeds they are', async () => {
  const process = spawn(execPath, [mainPath, 'simulate', '--seeds', '1000000', '--history', path]);
  const told = text(process.stdout);
  // The file is made once a signal is waited for, and has not been written to before the end.
  await vi.waitUntil(() => existsSync(path) && statSync(path).size === 0, { timeout: 20_000 });
  process.kill('SIGINT');
  expect(await once(process, 'exit')).toEqual([1, null]);
  expect(await told).toMatch(
    /\nNo rule was broken in those that were run\.\n\d+ of 1000000 seeds were run: it was stopped by SIGINT\.\n$/,
  );
});

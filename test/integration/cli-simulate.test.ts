import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openHistoryFile } from '../../src/testing/checker/write-history.ts';
import type { HistoryEvent } from '../../src/testing/history.ts';
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

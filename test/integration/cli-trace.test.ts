import { beforeAll, expect, test } from 'vitest';
import { type Ended, scangate, temporaryFolder } from '../support/server.ts';
import { type Story, startStory } from '../support/server-story.ts';

let story: Story;

beforeAll(async () => {
  story = await startStory();
});

function trace(...args: readonly string[]): Promise<Ended> {
  return scangate(['trace', ...args, '--data', story.server.data]);
}

/** The cells of a table, row by row, without its lines. */
function rows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('│'));
  return lines.map((line) =>
    line
      .split('│')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test('a pick is told as a table of its transmissions, by claim key, scan id, entry id, or facility and line', async () => {
  const { claimKey, first } = story;
  for (const name of [claimKey, 'trigger-1', 'trigger-2', first.id, 'site-1/1']) {
    const { code, stdout, stderr } = await trace(name);
    expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: '' });
    const [key, what, entry] = stdout.split('\n');
    expect(key).toBe(claimKey);
    expect(what).toBe('dispense 1 EA 00093721410 lot A1207 by SCN-04');
    expect(entry).toBe(`entry ${first.id}, line 1 of site-1; 4 transmission(s)`);
    const received = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
    expect(rows(stdout)).toEqual([
      ['seq', 'outcome', 'occurred (UTC)', 'received (UTC)', 'gap ms', 'scan id', 'why', 'flags'],
      ['1', 'committed', '2025-11-03T21:45:39.000Z', received, '', 'trigger-1', 'by ledger', 'late'],
      [
        '2',
        'suppressed',
        '2025-11-03T21:45:39.700Z',
        received,
        '700',
        'trigger-2',
        'same content, by ledger',
        'late possible_under_count',
      ],
      ['3', 'suppressed', '2025-11-03T21:45:39.000Z', received, '0', 'trigger-1', 'same scan id, by ledger', 'late'],
      ['4', 'conflict', '2025-11-03T21:45:39.000Z', received, '', 'trigger-1', 'differs: quantity', 'late'],
    ]);
  }
});

test('with --json a pick is its journal records, one a line', async () => {
  const { code, stdout } = await trace('site-1/1', '--json');
  expect(code).toBe(0);
  const records = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const { first, claimKey } = story;
  expect(records.map(({ seq, outcome, claim_key, entry, of }) => [seq, outcome, claim_key, entry, of])).toEqual([
    [1, 'committed', claimKey, first, undefined],
    [2, 'suppressed', claimKey, undefined, first],
    [3, 'suppressed', claimKey, undefined, first],
    [4, 'conflict', claimKey, undefined, first],
  ]);
});

test('what was refused is told by the scan id that it had', async () => {
  const { code, stdout } = await trace('trigger-4');
  expect([code, stdout.split('\n')[0]]).toEqual([0, 'Rejected, 1 transmission(s)']);
  expect(rows(stdout)[1]?.slice(0, 2)).toEqual(['6', 'rejected']);
  expect(rows(stdout)[1]?.[6]).toBe('SG_QUANTITY_INVALID');
});

test('a name that the ledger does not know is one sentence and exit code 1', async () => {
  for (const name of ['nothing', 'site-1/3', 'trigger%']) {
    expect(await trace(name)).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `scangate: The ledger knows no claim key, scan id, entry id or facility/line "${name}". (SG_NOT_FOUND)\n`,
    });
  }
});

test('a directory without a ledger is one sentence with its path', async () => {
  const folder = temporaryFolder();
  for (const command of ['trace', 'explain', 'verify']) {
    const { code, stderr } = await scangate([command, ...(command === 'verify' ? [] : ['x']), '--data', folder]);
    expect({ command, code, stderr }).toEqual({
      command,
      code: 1,
      stderr: `scangate: There is no ledger at ${folder}/ledger.sqlite. Give its directory with --data. (SG_DATA_PATH)\n`,
    });
  }
});

test('the story is the same after the server was killed', async () => {
  const running = await trace('trigger-1');
  story.server.kill('SIGKILL');
  await story.server.ended;
  expect(await trace('trigger-1')).toEqual(running);
  expect(running.code).toBe(0);
});

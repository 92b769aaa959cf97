import { beforeAll, expect, test } from 'vitest';
import { type Ended, scangate } from '../support/server.ts';
import { type Story, startStory } from '../support/server-story.ts';

let story: Story;

beforeAll(async () => {
  story = await startStory();
});

function explain(name: string): Promise<Ended> {
  return scangate(['explain', name, '--data', story.server.data]);
}

const late = 'Flag late: The scan was made more than 60 s before it arrived.';
const windowOfFirst =
  'The window of that line ended at 2025-11-03T21:45:42.000Z: from then on the same content under a new scan id is a new scan.';

test('a scan that was suppressed by content is explained by what, how many milliseconds apart, and until when', async () => {
  const { code, stdout, stderr } = await explain('trigger-2');
  const line = `line 1 (entry ${story.first.id}, 2025-11-03T21:45:39.000Z)`;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.trimEnd().split('\n  ')).toEqual([
    'Record 2 of site-1: suppressed.',
    `It has the same content as ${line}, less than 3000 ms apart (rule R2).`,
    `It duplicates ${line}, and occurred 700 ms after it; decided by the ledger.`,
    windowOfFirst,
    late,
    'Flag possible_under_count: Suppressed, and it could have been a second scan: to be reviewed.',
  ]);
});

test('each transmission under a scan id is explained: the commit, the retransmission, the conflict', async () => {
  const { code, stdout } = await explain('trigger-1');
  const line = `line 1 (entry ${story.first.id}, 2025-11-03T21:45:39.000Z)`;
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n\n')).toEqual([
    [
      'Record 1 of site-1: committed.',
      'It is line 1, and stands for the same content from 2025-11-03T21:45:39.000Z until 2025-11-03T21:45:42.000Z (3000 ms, the end not included).',
      late,
    ].join('\n  '),
    [
      'Record 3 of site-1: suppressed.',
      'Its scan id trigger-1 had been decided before: a retransmission, however late (rule R1).',
      `It duplicates ${line}, and occurred 0 ms after it; decided by the ledger.`,
      windowOfFirst,
      late,
    ].join('\n  '),
    [
      'Record 4 of site-1: conflict.',
      `Its scan id trigger-1 was used before for ${line}, with other content: quantity.`,
      late,
    ].join('\n  '),
  ]);
});

test('a claim key, an entry or a line is explained with everything that belongs to its pick', async () => {
  for (const name of [story.claimKey, story.first.id, 'site-1/1']) {
    const { stdout } = await explain(name);
    expect([...stdout.matchAll(/^Record (\d+) of site-1: (\w+)\.$/gm)].map(([, seq, outcome]) => `${seq} ${outcome}`)).toEqual([
      '1 committed',
      '2 suppressed',
      '3 suppressed',
      '4 conflict',
    ]);
  }
  expect((await explain(story.second.id)).stdout.split('\n')[0]).toBe('Record 5 of site-1: committed.');
});

test('what was refused is explained by its reason and where it is kept', async () => {
  const { code, stdout } = await explain('trigger-4');
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n  ')).toEqual([
    'Record 6 of site-1: rejected.',
    'quantity is "many", which is not a decimal number such as 1 or 0.5. (SG_QUANTITY_INVALID)',
    `What was received is kept in quarantine as ${story.quarantineId}.`,
  ]);
});

test('a name that the ledger does not know is one sentence and exit code 1', async () => {
  expect(await explain('nothing')).toEqual({
    code: 1,
    signal: null,
    stdout: '',
    stderr: 'scangate: The ledger knows no claim key, scan id, entry id or facility/line "nothing". (SG_NOT_FOUND)\n',
  });
});

test('the explanation is the same after the server was killed', async () => {
  const running = await explain('trigger-2');
  story.server.kill('SIGKILL');
  await story.server.ended;
  expect(await explain('trigger-2')).toEqual(running);
  expect(running.code).toBe(0);
});

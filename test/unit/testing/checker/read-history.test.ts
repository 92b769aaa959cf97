import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkHistory } from '../../../../src/testing/checker/check-history.ts';
import { checkHistoryFile, readHistory } from '../../../../src/testing/checker/read-history.ts';
import { openHistoryFile } from '../../../../src/testing/checker/write-history.ts';
import type { HistoryEvent } from '../../../../src/testing/history.ts';
import { soundHistory } from './small-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'scangate-history-'));
const path = join(folder, 'run.ndjson');
let events: HistoryEvent[] = [];

beforeAll(async () => {
  events = await soundHistory();
});

afterAll(() => rmSync(folder, { recursive: true }));

function written(): string[] {
  const file = openHistoryFile(path);
  for (const event of events) file.write(event);
  file.close();
  return readFileSync(path, 'utf8').split('\n').slice(0, -1);
}

async function fault(lines: readonly string[]): Promise<string> {
  writeFileSync(path, lines.join('\n'));
  return checkHistoryFile(path).then(
    () => 'none',
    (error: Error & { readonly code?: string }) => `${error.code}: ${error.message.replaceAll(path, 'run.ndjson')}`,
  );
}

describe('a history in a file', () => {
  it('is read as it was written, and judged the same', async () => {
    written();
    const read: HistoryEvent[] = [];
    for await (const event of readHistory(path)) read.push(event);
    expect(read).toEqual(events);
    expect(await checkHistoryFile(path)).toEqual(checkHistory(events));
  });

  it('is not taken for whole where it was cut off between two lines', async () => {
    const lines = written();
    expect(await fault(lines.slice(0, -1))).toBe(
      `SG_HISTORY_INVALID: run.ndjson is cut off after ${events.length} events: it does not say where it ends.`,
    );
    expect(await fault([...lines.slice(0, -2), ...lines.slice(-1)])).toBe(
      `SG_HISTORY_INVALID: run.ndjson says that it has ${events.length} events; there are ${events.length - 1}.`,
    );
  });

  it('is not read where it was cut off within a line', async () => {
    const [first = '', second = ''] = written();
    expect(await fault([first, second.slice(0, 40)])).toContain('SG_HISTORY_INVALID: run.ndjson, line 2 is not JSON');
  });

  it.each([
    ['not an object', '7', 'line 2 is no event.'],
    ['nothing', 'null', 'line 2 is no event.'],
    ['of no known kind', '{"kind":"toString"}', 'line 2: no event of a history has this kind.'],
    ['without a field', '{"kind":"fault","fault":"kill","at":1}', 'line 2: the field target of this fault is not a string.'],
    ['without a record', '{"kind":"record","record":null}', 'line 2: the field record of this record is not an object.'],
    ['without flags', '{"kind":"record","record":{}}', 'line 2: the field flags of this record is not a list.'],
    [
      'a record of no scan',
      '{"kind":"record","record":{"flags":[],"scan":null}}',
      'line 2: the field scan of this record is not an object.',
    ],
    [
      'with a time in words',
      '{"kind":"fault","fault":"a","target":"b","at":1,"until":"2"}',
      'line 2: the field until of this fault is not a number.',
    ],
  ])('is not read where a line is %s', async (_, line, message) => {
    const [run = '', ...others] = written();
    expect(await fault([run, line, ...others])).toBe(`SG_HISTORY_INVALID: run.ndjson, ${message}`);
  });

  it('is not read where it is of another version', async () => {
    const [run = '', ...others] = written();
    const message = 'line 1: this history is of version 2, and only 1 can be read.';
    expect(await fault([run.replace('"v":1', '"v":2'), ...others])).toBe(`SG_HISTORY_INVALID: run.ndjson, ${message}`);
  });

  it('is not read where something follows its end, or where it is empty or not there', async () => {
    written();
    appendFileSync(path, '{"kind":"fault"}\n');
    await expect(checkHistoryFile(path)).rejects.toThrow('the history has ended on the line before');
    writeFileSync(path, '');
    await expect(checkHistoryFile(path)).rejects.toThrow('is cut off after 0 events');
    await expect(checkHistoryFile(join(folder, 'nothing'))).rejects.toThrow('cannot be read: ENOENT');
  });
});

/** What was rejected, at the command line, beside a running server. */
import { beforeAll, describe, expect, it, test } from 'vitest';
import { journalRecords, ledgerLines, post } from '../support/http-client.ts';
import { dispense, recently } from '../support/http-client-scans.ts';
import { type Ended, type ServerProcess, scangate, startServer } from '../support/server.ts';
import { breaksIn } from '../support/server-ledger.ts';

let server: ServerProcess;
/** Of a scan, of what names no facility, and of a scan of another facility. */
let ids: string[];

beforeAll(async () => {
  server = await startServer();
  const sent = [
    await post(server, dispense('site', { scan_uuid: 'A', quantity: 'many', lot_number: undefined })),
    await post(server, Buffer.from('not\u0000JSON\u00ff', 'latin1')),
    await post(server, dispense('other', { quantity: 'many' })),
  ];
  ids = sent.map(({ answer }) => answer.quarantine_id ?? '');
});

function quarantine(...args: string[]): Promise<Ended> {
  return scangate(['quarantine', ...args, '--data', server.data]);
}

const because = ['--actor', 'R. Ph. 0412', '--reason', 'label misread'];

/** The items that a command printed, one a line. */
function items({ stdout }: Ended): { quarantine_id: string; status: string }[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { quarantine_id: string; status: string });
}

test('what is open is listed in the order in which it came, as a table and as JSON', async () => {
  const [table, json, ofNone] = await Promise.all([
    quarantine('list'),
    quarantine('list', '--json'),
    quarantine('list', '--json', '--facility', '-'),
  ]);
  expect([table.code, table.stderr]).toEqual([0, '']);
  for (const shown of [...ids, 'SG_QUANTITY_INVALID', 'SG_JSON_INVALID', 'SCN-04', 'open']) expect(table.stdout).toContain(shown);
  expect(items(json).map(({ quarantine_id }) => quarantine_id)).toEqual(ids);
  expect(items(ofNone).map(({ quarantine_id }) => quarantine_id)).toEqual(ids.slice(1, 2));
});

describe('one input', () => {
  it('is shown byte for byte', async () => {
    const { code, stdout } = await quarantine('show', ids[1] ?? '', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      facility_uuid: '-',
      status: 'open',
      raw_bytes: 9,
      // printf 'not\0JSON\xff' | base64
      raw_base64: 'bm90AEpTT07/',
    });
  });

  it('is shown as text, with the names of the characters that cannot be seen', async () => {
    const { stdout } = await quarantine('show', ids[1] ?? '');
    expect(stdout).toContain('notU+0000JSON');
    expect(stdout).toContain('code: SG_JSON_INVALID');
    expect(stdout).not.toContain('\u0000');
  });

  it('that is not there is named in one sentence', async () => {
    const { code, stdout, stderr } = await quarantine('show', 'nothing');
    expect([code, stdout, stderr]).toEqual([1, '', 'scangate: There is nothing in quarantine under "nothing". (SG_NOT_FOUND)\n']);
  });
});

describe('a release', () => {
  it('that is no scan still says so, exits with 2 and leaves it open', async () => {
    const { code, stdout } = await quarantine('release', ids[0] ?? '', ...because, '--set', 'quantity=some');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'rejected', code: 'SG_QUANTITY_INVALID', quarantine_id: ids[0] });
  });

  it('that would change its time is refused in one sentence', async () => {
    const { code, stderr } = await quarantine('release', ids[0] ?? '', ...because, '--unset', 'captured_at');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^scangate: captured_at was not what was wrong [^\n]+ \(SG_FIELDS_DISAGREE\)\n$/);
  });

  it('needs an actor and a reason', async () => {
    const { code, stderr } = await quarantine('release', ids[0] ?? '', '--actor', 'x');
    expect([code, stderr]).toEqual([1, expect.stringContaining("required option '--reason <text>'")]);
  });

  it('is committed with what is set and without what is unset, once', async () => {
    const set = ['--set', 'quantity=2', '--set', 'lot_number=A=1', '--unset', 'actor'];
    const both = await Promise.all([
      quarantine('release', ids[0] ?? '', ...because, ...set),
      quarantine('release', ids[0] ?? '', ...because, ...set),
    ]);
    const [won, lost] = both.toSorted((a, b) => (a.code ?? 9) - (b.code ?? 9));
    expect([won?.code, JSON.parse(won?.stdout ?? '')]).toMatchObject([0, { outcome: 'committed', scan_uuid: 'A' }]);
    expect([lost?.code, lost?.stdout, lost?.stderr]).toEqual([
      1,
      '',
      `scangate: ${ids[0]} was released already by R. Ph. 0412. Nothing was done. (SG_QUARANTINE_RESOLVED)\n`,
    ]);
    expect(await ledgerLines(server, 'site')).toMatchObject([{ quantity: '2', lot_number: 'A=1', occurred_at: recently }]);
    const resolves = { actor: 'R. Ph. 0412', reason: 'label misread', corrected: ['actor', 'lot_number', 'quantity'] };
    expect((await journalRecords(server, 'site')).at(-1)).toMatchObject({ outcome: 'committed', resolves });
  });
});

test('what is discarded is not open any more, and cannot be released', async () => {
  const discarded = await quarantine('discard', ids[2] ?? '', ...because);
  expect([discarded.code, JSON.parse(discarded.stdout)]).toMatchObject([0, { status: 'discarded' }]);
  const [release, all] = await Promise.all([
    quarantine('release', ids[2] ?? '', ...because, '--set', 'quantity=1'),
    quarantine('list', '--json', '--all'),
  ]);
  expect([release.code, release.stderr]).toEqual([1, expect.stringContaining('(SG_QUARANTINE_RESOLVED)')]);
  expect(items(all).map(({ status }) => status)).toEqual(['released', 'open', 'discarded']);
  expect(await ledgerLines(server, 'other')).toEqual([]);
});

test('the books hold all of it', () => {
  expect(breaksIn(server.data)).toEqual([]);
});

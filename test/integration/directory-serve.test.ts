/** A product directory, imported beside a running server, and what it puts on the lines of the ledger. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { type Answered, getJson, journalRecords, ledgerLines, post } from '../support/http-client.ts';
import { dispense } from '../support/http-client-scans.ts';
import { type Ended, type ServerProcess, scangate, startServer, temporaryFolder } from '../support/server.ts';
import { breaksIn } from '../support/server-ledger.ts';
import { fdaFiles, write } from './directory-files.ts';

let server: ServerProcess;

function directoryImport(data: string, ...args: string[]): Promise<Ended> {
  return scangate(['directory', 'import', ...args, '--data', data]);
}

const lorazepam = { ndc: '0591-0240-00' };
/** GTIN of 0591-0240-00. 0030591024000: 3·11 + 13 = 46, so its check digit is 4; with indicator 1 it is 1. */
const [unit, carton] = ['00305910240004', '10305910240001'];
/** GTIN of 60274-610-01. 0036027461001: 3·(0+6+2+4+1+0+1) + (0+3+0+7+6+0) = 42 + 16 = 58, so 2. */
const hydrocodone = '00360274610012';

let before: Answered;

beforeAll(async () => {
  server = await startServer();
  before = await post(server, dispense('before', { ...lorazepam, scan_uuid: 'A' }));
  await post(server, dispense('before', { ndc: undefined, gtin: hydrocodone, scan_uuid: 'B' }));
  await post(server, dispense('before', { ndc: '0093-5732-01', scan_uuid: 'C' }));
  const { product, pack } = fdaFiles();
  const { code, stdout, stderr } = await directoryImport(server.data, pack, product);
  expect([code, stdout, stderr]).toEqual([0, '6 packages taken, 0 rows refused.\n', '']);
});

describe('a line', () => {
  it('has the schedule, name and package of its product from the next scan on', async () => {
    await post(server, dispense('listed', lorazepam));
    expect(await ledgerLines(server, 'listed')).toMatchObject([
      {
        ndc11: '00591024000',
        dea_schedule: 'CIV',
        book: 'schedule_3_5',
        product_name: 'Lorazepam…',
        package_form: 'TABLET, .5 mg/1; 100 TABLET in 1 BOTTLE',
        units_per_container: '100',
      },
    ]);
    const [record] = await journalRecords(server, 'listed');
    expect(record?.listing).toEqual({
      dea_schedule: 'CIV',
      product_name: 'Lorazepam…',
      package_form: 'TABLET, .5 mg/1; 100 TABLET in 1 BOTTLE',
      units_per_container: '100',
    });
  });

  it('of what is in no schedule is in the book of what is not controlled', async () => {
    await post(server, dispense('diluent', { ndc: '0002-0800-01' }));
    expect(await ledgerLines(server, 'diluent')).toMatchObject([{ dea_schedule: 'none', book: 'not_controlled' }]);
  });

  it('of a carton has the schedule of its unit, and the package of none', async () => {
    const answers = [await post(server, dispense('carton', { ndc: undefined, gtin: unit }))];
    answers.push(await post(server, dispense('carton', { ndc: undefined, gtin: carton })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(await ledgerLines(server, 'carton')).toMatchObject([
      { ndc11: '00591024000', gtin14: unit, dea_schedule: 'CIV', units_per_container: '100' },
      {
        ndc11: null,
        gtin14: carton,
        dea_schedule: 'CIV',
        product_name: 'Lorazepam…',
        package_form: null,
        units_per_container: null,
      },
    ]);
  });

  it('of ten bare digits has the NDC that the directory gives them', async () => {
    await post(server, dispense('bare', { ndc: '6027461001' }));
    await post(server, dispense('bare', { ndc: undefined, gtin: hydrocodone, lot_number: 'B' }));
    expect(await ledgerLines(server, 'bare')).toMatchObject([
      { ndc11: '60274061001', dea_schedule: 'CII', product_name: 'Zohydro™' },
      { ndc11: '60274061001', gtin14: hydrocodone, dea_schedule: 'CII', product_name: 'Zohydro™' },
    ]);
  });
});

describe('what was committed before the import', () => {
  it('stays as it was, and its retransmissions and duplicates are suppressed by it', async () => {
    const again = [
      dispense('before', { ...lorazepam, scan_uuid: 'A' }),
      dispense('before', { ndc: undefined, gtin: hydrocodone, scan_uuid: 'B' }),
      dispense('before', { ndc: '0093-5732-01', scan_uuid: 'C' }),
      dispense('before', { ndc: '0093-5732-01' }),
      dispense('before', { ndc: undefined, gtin: hydrocodone }),
    ];
    const { answers } = await post(server, again);
    expect(answers.map(({ outcome, of }) => [outcome, of?.line])).toEqual([
      ['suppressed', 1],
      ['suppressed', 2],
      ['suppressed', 3],
      ['suppressed', 3],
      ['suppressed', 2],
    ]);
    expect(answers[0]?.of).toEqual(before.answer.entry);
    const lines = await ledgerLines(server, 'before');
    expect(lines.map(({ dea_schedule, product_name }) => [dea_schedule, product_name])).toEqual(Array(3).fill(['unknown', null]));
  });
});

describe('a product that is not listed', () => {
  it('is in quarantine each time that it comes, until a list has it and it is released', async () => {
    const scan = dispense('unlisted', { ndc: '0093-5732-02', scan_uuid: 'A' });
    const answered = [await post(server, scan), await post(server, scan)];
    expect(answered.map(({ status, answer }) => [status, answer.outcome, answer.code, answer.field])).toEqual(
      Array(2).fill([422, 'rejected', 'SG_PRODUCT_UNLISTED', 'ndc']),
    );
    const ids = answered.map(({ answer }) => answer.quarantine_id ?? '');
    const release = (id: string, ...args: string[]) =>
      scangate(['quarantine', 'release', id, '--actor', 'RPh', '--reason', 'listed', '--data', server.data, ...args]);
    expect((await release(ids[0] ?? '')).code).toBe(2);
    await directoryImport(server.data, write('more.csv', 'ndc,schedule,name\n0093-5732-02,II,Oxycodone\n'));
    const first = await release(ids[0] ?? '');
    expect([first.code, JSON.parse(first.stdout)]).toMatchObject([0, { outcome: 'committed', scan_uuid: 'A' }]);
    const second = await release(ids[1] ?? '');
    expect([second.code, JSON.parse(second.stdout)]).toMatchObject([0, { outcome: 'suppressed', reason: 'same_scan_id' }]);
    expect(await ledgerLines(server, 'unlisted')).toMatchObject([{ dea_schedule: 'CII', product_name: 'Oxycodone' }]);
    expect(await getJson(server, '/v1/quarantine?facility_uuid=unlisted')).toMatchObject({ items: [] });
  });

  it('is committed with its schedule unknown where the setting says so', async () => {
    const data = join(temporaryFolder(), 'data');
    await directoryImport(data, write('list.csv', 'ndc,schedule\n0591-0240-00,CIV\n'));
    const lenient = await startServer({ data, env: { SCANGATE_UNKNOWN_PRODUCT: 'commit' } });
    expect((await post(lenient, dispense('site'))).status).toBe(201);
    expect(await ledgerLines(lenient, 'site')).toMatchObject([{ dea_schedule: 'unknown', book: 'schedule_1_2' }]);
    await lenient.stop();
  });
});

test('a later list changes what is committed from then on, and no line that was committed before', async () => {
  await post(server, dispense('changed', { ndc: '11071-902-01' }));
  const then = await ledgerLines(server, 'changed');
  await directoryImport(server.data, write('changed.csv', 'ndc,schedule,name\n11071-902-01,CIV,Fycompa\n'));
  await post(server, dispense('changed', { ndc: '11071-902-01', lot_number: 'B' }));
  const now = await ledgerLines(server, 'changed');
  expect(now.slice(0, 1)).toEqual(then);
  expect(now.map(({ dea_schedule, product_name }) => [dea_schedule, product_name])).toEqual([
    ['CIII', 'L’Été – Ÿ'],
    ['CIV', 'Fycompa'],
  ]);
  expect(breaksIn(server.data)).toEqual([]);
});

describe('the command', () => {
  it('names the rows that it refused, and exits with 2', async () => {
    const list = write('list.csv', `ndc,schedule\n0591-0240-00,\n${'Advil,none\n'.repeat(25)}16262-010-01,CV\n`);
    const { code, stdout, stderr } = await directoryImport(join(temporaryFolder(), 'data'), list);
    expect([code, stdout]).toEqual([2, '1 packages taken, 26 rows refused (the first 20 are shown).\n']);
    const told = stderr.trimEnd().split('\n');
    expect(told.map((line) => line.slice(0, list.length + 3).replace(/:$/, ''))).toEqual(
      Array.from({ length: 20 }, (_, index) => `${list}:${index + 2}`.slice(0, list.length + 3)),
    );
  });

  it('says what is wrong with its files in one sentence, and exits with 1', async () => {
    const { code, stdout, stderr } = await directoryImport(join(temporaryFolder(), 'data'), fdaFiles().product);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^scangate: Give FDA's [^\n]+ \(SG_INPUT_FILE\)\n$/);
  });
});

describe('decode', () => {
  const decode = (payload: string, data: string, ...args: string[]) => scangate(['decode', payload, '--data', data, ...args]);

  it('shows what the directory beside the ledger says of the product', async () => {
    const { code, stdout } = await decode(`(01)${unit}(10)A1`, server.data);
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        'dea_schedule: CIV',
        'product_name: Lorazepam…',
        'package_form: TABLET, .5 mg/1; 100 TABLET in 1 BOTTLE',
        'units_per_container: 100',
      ]),
    );
    const json = await decode('0591-0240-00', server.data, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ listing: { dea_schedule: 'CIV', product_name: 'Lorazepam…' } });
    const resolved = await decode(`(01)${hydrocodone}`, server.data, '--json');
    expect(JSON.parse(resolved.stdout)).toMatchObject({ listing: { dea_schedule: 'CII' } });
  });

  it('shows none where none is known, and makes no directory', async () => {
    const data = join(temporaryFolder(), 'data');
    const { code, stdout } = await decode('0591-0240-00', data, '--json');
    expect([code, 'listing' in JSON.parse(stdout)]).toEqual([0, false]);
    expect((await decode('0093-5732-19', server.data, '--json')).stdout).not.toContain('listing');
  });

  it('says in one sentence that the directory cannot be read', async () => {
    const data = temporaryFolder();
    writeFileSync(join(data, 'directory.sqlite'), 'This is no database, though it has a name that says so. '.repeat(20));
    const { code, stderr } = await decode('0591-0240-00', data);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^scangate: [^\n]+ \(SG_DATA_PATH\)\n$/);
  });
});

test('everything that the ledger holds is verified', async () => {
  expect(await scangate(['verify', '--data', server.data])).toMatchObject({ code: 0, stderr: '' });
});

/** Logs of barcodes, imported by the profile of their scanners and with a product directory. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { randomIds } from '../../src/base/ids.ts';
import { SqliteProductDirectory } from '../../src/directory/sqlite-product-directory.ts';
import { importDirectory } from '../../src/ingest/directory/import-directory.ts';
import type { ImportSummary } from '../../src/ingest/file/import-file.ts';
import { SqliteBooks } from '../../src/ledger/sqlite-books.ts';
import { type Ended, scangate, start, temporaryFolder } from '../support/server.ts';
import { countsOf } from './import-setup.ts';

const script = join(import.meta.dirname, 'import-unlisted.js');

/** GTINs of 0406-0512-01, which is listed, of 0591-0240-00, which is not, and one that was misread. */
const [listed, unlisted, misread] = ['00304060512016', '00305910240004', '00304060512017'];

/** A barcode whose separator came as `|`. */
const payload = (gtin: string, serial: string): string => `01${gtin}21${serial}|1726123110AB12`;

/** Of every four rows: one that is listed, one that is not, one that was misread, and the first once more. */
function rowsOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const group = index - (index % 4);
    const at = (of: number): string => new Date(1_767_225_600_000 + of * 60_000).toISOString();
    const row = (gtin: string, of: number): string => `ev-${of},${at(of)},${payload(gtin, `S${of}`)}`;
    return [row(listed, group), row(unlisted, index), row(misread, index), row(listed, group)][index % 4] ?? '';
  });
}

/** A data directory with a product directory in it, and a log. */
async function prepared(rowCount: number): Promise<{ data: string; log: string }> {
  const data = temporaryFolder();
  const [list, log] = [join(data, 'list.csv'), join(data, 'log.csv')];
  writeFileSync(list, 'ndc,schedule,name\n0406-0512-01,CII,Oxycodone and acetaminophen\n');
  writeFileSync(log, ['scan_uuid,captured_at,barcode', ...rowsOf(rowCount), ''].join('\n'));
  const directory = new SqliteProductDirectory(join(data, 'directory.sqlite'));
  await importDirectory({ paths: [list], directory });
  directory.close();
  return { data, log };
}

function books(data: string): SqliteBooks {
  return new SqliteBooks(join(data, 'ledger.sqlite'), systemClock, randomIds, { readonly: true, busyMs: 5_000, check: true });
}

/** Line and code of each row that is listed as rejected. */
function listedRows(log: string): [number, string][] {
  const rows = readFileSync(`${log}.rejected.csv`, 'utf8').matchAll(/^(\d+),(SG_[A-Z_]+),/gm);
  return [...rows].map(([, line, code]) => [Number(line), String(code)]);
}

const constants = ['facility_uuid=F1', 'scanner_id=S1', 'scan_type=dispense'].flatMap((pair) => ['--set', pair]);

function importLog(data: string, log: string, ...args: string[]): Promise<Ended> {
  return scangate(['import', log, ...constants, '--json', '--data', data, ...args]);
}

test('rows that only the profile can read are committed and not listed; those of products that are not listed are', async () => {
  const { data, log } = await prepared(8);
  const blind = await importLog(data, log);
  expect([blind.code, countsOf(JSON.parse(blind.stdout) as ImportSummary)]).toEqual([2, [8, 0, 0, 0, 8]]);
  expect(new Set(listedRows(log).map(([, code]) => code))).toEqual(new Set(['SG_BARCODE_INVALID', 'SG_CHECK_DIGIT']));

  const seeing = await importLog(data, log, '--profile', '{"separator_aliases":["|"]}');
  expect([seeing.code, seeing.stderr]).toEqual([2, '']);
  const summary = JSON.parse(seeing.stdout) as ImportSummary;
  expect([countsOf(summary), summary.rejected_file]).toEqual([[8, 2, 2, 0, 4], `${log}.rejected.csv`]);
  expect(listedRows(log)).toEqual([
    [3, 'SG_PRODUCT_UNLISTED'],
    [4, 'SG_CHECK_DIGIT'],
    [7, 'SG_PRODUCT_UNLISTED'],
    [8, 'SG_CHECK_DIGIT'],
  ]);
  const ledger = books(data);
  expect(ledger.lines({ limit: 10 }).items).toMatchObject([
    {
      scan_uuid: 'ev-0',
      ndc11: '00406051201',
      serial_number: 'S0',
      dea_schedule: 'CII',
      product_name: 'Oxycodone and acetaminophen',
    },
    { scan_uuid: 'ev-4', serial_number: 'S4', expiration_date: '2026-12-31' },
  ]);
  expect(ledger.audit().breaks).toEqual([]);
  ledger.close();
});

test('an import that is killed between a commit and its list, again and again, lists every rejected row once', async () => {
  const { data, log } = await prepared(40);
  const paths = [log, join(data, 'ledger.sqlite'), join(data, 'directory.sqlite')];
  const run = (killAt: number): Promise<Ended> => start(process.execPath, [script, ...paths, String(killAt)]).ended;
  // Eight transactions of five rows: killed in the first, the third, the fifth and the eighth.
  for (const killAt of [1, 2, 2, 3]) expect((await run(killAt)).signal).toBe('SIGKILL');
  const { items } = books(data).records({ limit: 1_000 });
  expect(items).toHaveLength(40);
  expect(listedRows(log).length).toBeLessThan(20);

  const last = await run(Number.POSITIVE_INFINITY);
  const summary = JSON.parse(last.stdout) as ImportSummary;
  expect([last.code, countsOf(summary), summary.resumed_at_line]).toEqual([0, [40, 10, 10, 0, 20], 42]);
  const expected = Array.from({ length: 10 }, (_, group): [number, string][] => [
    [group * 4 + 3, 'SG_PRODUCT_UNLISTED'],
    [group * 4 + 4, 'SG_CHECK_DIGIT'],
  ]).flat();
  expect(listedRows(log)).toEqual(expected);
  const ledger = books(data);
  expect(ledger.quarantine({ limit: 100 }).items).toHaveLength(20);
  expect(ledger.lines({ limit: 100 }).items.map(({ scan_uuid }) => scan_uuid)).toEqual(
    Array.from({ length: 10 }, (_, group) => `ev-${group * 4}`),
  );
  expect(ledger.audit().breaks).toEqual([]);
  ledger.close();
});

test('a row of a file is released with what the file says of it, when a directory lists its product', async () => {
  const { data, log } = await prepared(2);
  await importLog(data, log, '--profile', '{"separator_aliases":["|"]}');
  const more = join(data, 'more.csv');
  writeFileSync(more, 'ndc,schedule\n0591-0240-00,CIV\n');
  const directory = new SqliteProductDirectory(join(data, 'directory.sqlite'));
  await importDirectory({ paths: [more], directory });
  directory.close();
  const before = books(data);
  const [entry] = before.quarantine({ limit: 10 }).items;
  const raw = Buffer.from(before.quarantined(entry?.id ?? '') ?? []).toString();
  before.close();
  expect(raw).toBe(`ev-1,2026-01-01T00:01:00.000Z,${payload(unlisted, 'S1')}`);
  const sets = ['scan_type=dispense', 'captured_at=2026-01-01T00:01:00Z', `barcode=${payload(unlisted, 'S1')}`];
  const released = await scangate([
    ...['quarantine', 'release', entry?.id ?? '', '--actor', 'RPh', '--reason', 'listed now', '--data', data],
    ...['--profile', '{"separator_aliases":["|"]}', ...sets.flatMap((pair) => ['--set', pair])],
  ]);
  expect([released.code, JSON.parse(released.stdout)]).toMatchObject([0, { outcome: 'committed', scan_uuid: 'ev-1' }]);
  const after = books(data);
  expect(after.lines({ limit: 10 }).items.at(-1)).toMatchObject({
    facility_uuid: 'F1',
    scanner_id: 'S1',
    occurred_at: 1_767_225_660_000,
    received_at: entry?.record.rejection?.received_at,
    ndc11: '00591024000',
    serial_number: 'S1',
    dea_schedule: 'CIV',
  });
  after.close();
});

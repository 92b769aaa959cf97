/** A whole product directory, imported by a process that is killed twice, beside a server that asks it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { SqliteProductDirectory } from '../../src/directory/sqlite-product-directory.ts';
import type { DirectoryImportSummary } from '../../src/ingest/directory/import-directory.ts';
import { mainPath } from '../../src/testing/servers/scangate-server.ts';
import { ledgerLines, post } from '../support/http-client.ts';
import { dispense } from '../support/http-client-scans.ts';
import { start, startServer, until } from '../support/server.ts';
import { type Product, packageText, productText, write } from './directory-files.ts';

const productCount = 2_000;
const packagesOfEach = 30;
/** One of each in turn: 333 or 334 products of every schedule. */
const schedules = ['CII', 'CIII', 'CIV', 'CV', '', 'CI'];

const labeler = (index: number): string => String(10_000 + index);
const products: Product[] = Array.from({ length: productCount }, (_, index) => [
  `${labeler(index)}-001`,
  `Brand ${index}`,
  '',
  'TABLET',
  '5',
  'mg/1',
  schedules[index % 6] ?? '',
]);
const packages = products.flatMap(([ndc]) =>
  Array.from({ length: packagesOfEach }, (_, item) => [ndc, `${ndc}-${10 + item}`, `${item + 1} TABLET in 1 BOTTLE`] as const),
);

/** How far the import came, by the file; nothing while there is none. */
function progress(path: string): { line: number; done: number } | undefined {
  if (!existsSync(path)) return undefined;
  const database = new Database(path, { readonly: true, timeout: 5_000 });
  try {
    const hasTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'imports'").get() !== undefined;
    return hasTable ? (database.prepare('SELECT line, done FROM imports').get() as { line: number; done: number }) : undefined;
  } finally {
    database.close();
  }
}

test('an import of 60 000 packages that is killed twice and gone on with ends complete, and only then counts as loaded', async () => {
  const files = [write('package.txt', packageText(packages)), write('product.txt', productText(products))];
  const server = await startServer();
  const path = join(server.data, 'directory.sqlite');
  const args = [mainPath, 'directory', 'import', ...files, '--json', '--data', server.data];
  const unlisted = (captured: string) => dispense('site', { ndc: '0093-7214-10', lot_number: captured });

  for (const killAt of [4_000, 12_000]) {
    const importing = start(process.execPath, args);
    await until(() => ((progress(path)?.line ?? 0) >= killAt ? true : undefined));
    importing.kill('SIGKILL');
    expect((await importing.ended).signal).toBe('SIGKILL');
    expect(progress(path)).toMatchObject({ done: 0 });
    expect(progress(path)?.line).toBeLessThan(60_001);
    expect((await post(server, unlisted(`after ${killAt}`))).status).toBe(201);
  }

  const reached = progress(path)?.line ?? 0;
  const last = await start(process.execPath, args).ended;
  expect([last.code, last.stderr]).toEqual([0, '']);
  const summary = JSON.parse(last.stdout) as DirectoryImportSummary;
  expect(summary).toEqual({ packages: 60_001 - reached, refused: 0, resumed_at_line: reached + 1 });

  expect((await post(server, unlisted('loaded'))).answer).toMatchObject({ outcome: 'rejected', code: 'SG_PRODUCT_UNLISTED' });
  expect((await post(server, dispense('site', { ndc: '11999-001-39' }))).status).toBe(201);
  expect(await ledgerLines(server, 'site')).toMatchObject([
    { lot_number: 'after 4000', dea_schedule: 'unknown', book: 'schedule_1_2', product_name: null },
    { lot_number: 'after 12000', dea_schedule: 'unknown', book: 'schedule_1_2', product_name: null },
    { ndc11: '11999000139', dea_schedule: 'CIII', book: 'schedule_3_5', product_name: 'Brand 1999', units_per_container: '30' },
  ]);

  const database = new Database(path, { readonly: true });
  const counts = database.prepare('SELECT dea_schedule, count(*) FROM packages GROUP BY 1 ORDER BY 1').raw().all();
  database.close();
  // 2 000 products are 333 times six and two more, of the first two schedules.
  expect(counts).toEqual([
    ['CI', 9_990],
    ['CII', 10_020],
    ['CIII', 10_020],
    ['CIV', 9_990],
    ['CV', 9_990],
    ['none', 9_990],
  ]);
  const directory = new SqliteProductDirectory(path, { readonly: true });
  const wrong = packages.filter(([, ndc]) => directory.ndc11Of(ndc.replaceAll('-', '')) !== ndc.replace('-001-', '0001'));
  directory.close();
  expect([packages.length, wrong]).toEqual([60_000, []]);
});

/** The command, as it is built. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { caseFile, fileOf, temporaryFolder } from './import-setup.ts';

const main = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'main.js');

function scangate(...args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'Asia/Kathmandu' },
  });
  return { code: status, stdout, stderr };
}

const asLog = [
  ...['scan_uuid=event_id', 'captured_at=scanned_at', 'gtin=barcode', 'quantity=qty', 'lot_number=lot'],
  ...['scanner_id=device_id', 'scan_type=action'],
].flatMap((pair) => ['--map', pair]);

it('prints a summary that adds up, and exits with 0 when no row was rejected', () => {
  const data = join(temporaryFolder(), 'data');
  const args = ['import', caseFile('bom-crlf.csv'), ...asLog, '--set', 'facility_uuid=F1', '--data', data];
  expect(scangate(...args)).toEqual({
    code: 0,
    stdout: [
      'bom-crlf.csv: 5 rows read',
      '  committed          5',
      '  suppressed         0',
      '  conflict           0',
      '  rejected           0',
      'Flagged: late 5.',
      '',
    ].join('\n'),
    stderr: '',
  });
  expect(existsSync(join(data, 'ledger.sqlite'))).toBe(true);
  expect(scangate(...args).stdout).toContain('  committed          0\n  suppressed         5\n');
});

it('exits with 2 when rows were rejected, lists them, and prints the summary as JSON', () => {
  const data = join(temporaryFolder(), 'data');
  const path = caseFile('stray-quote.csv');
  const rejected = join(temporaryFolder(), 'bad rows.csv');
  const args = [
    ...asLog,
    '--set',
    'facility_uuid=F1',
    '--ignore-column',
    'note',
    '--rejected',
    rejected,
    '--json',
    '--data',
    data,
  ];
  const { code, stdout, stderr } = scangate('import', path, ...args);
  expect([code, stderr]).toEqual([2, '']);
  expect(JSON.parse(stdout)).toEqual({
    file: path,
    read: 49,
    committed: 48,
    suppressed: 0,
    conflict: 0,
    rejected: 1,
    identical_rows: 0,
    flags: { late: 48 },
    rejected_file: rejected,
  });
  expect(existsSync(rejected)).toBe(true);
  expect(existsSync(`${path}.rejected.csv`)).toBe(false);
});

it('takes every option of a file', () => {
  const data = join(temporaryFolder(), 'data');
  const text = 'when\tcode\tn\tnote\n2026-03-05 09:00:00\t312345678906\t0,5\tP\xe9\n';
  const path = fileOf('log.dat', Buffer.from(text, 'latin1'));
  const sets = ['facility_uuid=F1', 'scanner_id=S=1', 'scan_type=waste'].flatMap((pair) => ['--set', pair]);
  const maps = ['captured_at=when', 'gtin=code', 'quantity=n'].flatMap((pair) => ['--map', pair]);
  const form = ['--format', 'csv', '--encoding', 'windows-1252', '--delimiter', 'tab', '--decimal-comma', '--ignore-unmapped'];
  const { code, stderr } = scangate('import', path, ...sets, ...maps, ...form, '--zone', 'America/New_York', '--data', data);
  expect([code, stderr]).toEqual([0, '']);
  const ndjson = fileOf('log.jsonl', '{"when":1772719200000,"code":"312345678906","n":"0.5"}\n');
  const again = scangate('import', ndjson, ...sets, ...maps, '--json', '--data', data);
  expect(JSON.parse(again.stdout)).toMatchObject({ read: 1, suppressed: 1, identical_rows: 1 });
});

it.each<[string, string[], string]>([
  [
    'a file whose kind its name does not tell',
    ['log.dat'],
    'does not say what it is. Add --format csv or --format ndjson. (SG_INPUT_FILE)',
  ],
  ['a file that is not there', ['none.csv'], 'There is no file '],
  ['an option without a field', ['log.csv', '--map', 'gtin'], '"gtin" is not FIELD=…, as in quantity=qty. (SG_CONFIG_INVALID)'],
  ['a field that is given twice', ['log.csv', '--set', 'lot_number=1', '--set', 'lot_number=2'], 'lot_number is given twice.'],
  ['a field that a scan does not have', ['log.csv', '--map', '__proto__=gtin'], 'A scan has no field "__proto__"'],
  ['a zone that is not there', ['log.csv', '--zone', 'EST/EDT'], 'There is no time zone "EST/EDT"'],
  ['an encoding that is not known', ['log.csv', '--encoding', 'ebcdic'], "argument 'ebcdic' is invalid."],
  ['a window that makes no sense', ['log.csv', '--window-ms', '0'], 'SG_CONFIG_INVALID'],
])('exits with 1 and one sentence for %s', (_what, [name = '', ...args], sentence) => {
  const folder = temporaryFolder();
  for (const there of ['log.dat', 'log.csv']) writeFileSync(join(folder, there), 'gtin,scan_uuid\n');
  const { code, stdout, stderr } = scangate('import', join(folder, name), ...args, '--data', join(folder, 'data'));
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('    at ');
});

it('says in its help what its exit codes are', () => {
  const { stdout } = scangate('import', '--help');
  expect(stdout).toContain(
    'Exit code: 0 when no row was rejected, 2 when rows were rejected and the others imported, 1 when it failed.',
  );
});

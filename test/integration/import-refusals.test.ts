/** What is no file to import, or no list to write to. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { booksOf, caseFile, countsOf, fileOf, importAs, logColumns, temporaryFolder } from './import-setup.ts';

const good = 'scan_uuid,gtin\nev-1,312345678906\n';
const bad = 'scan_uuid,gtin\nev-1,312345678907\n';

describe('an import is refused, before its first row and in one sentence,', () => {
  it.each<[string, () => string, string]>([
    ['for a file that is not there', () => join(temporaryFolder(), 'none.csv'), 'There is no file '],
    ['for a directory', () => temporaryFolder(), ' is a directory; there is nothing to import.'],
    ['for a device', () => '/dev/null', '/dev/null is not a regular file; there is nothing to import.'],
    ['for an empty file', () => fileOf('log.csv', ''), ' is empty; there is nothing to import.'],
    ['for a CSV file of blank lines', () => fileOf('log.csv', '\r\n \n\x1a'), ' has no header.'],
    ['for a header that is cut off', () => fileOf('log.csv', '"scan_uuid,gtin\n'), ' has a header whose quotes do not fit'],
    [
      'for a header of bytes that are no text',
      () => fileOf('log.csv', Buffer.from([0xe9, 0x0a])),
      ' can be read in this encoding',
    ],
    [
      'for columns that nobody explained',
      () => caseFile('bom-crlf.csv'),
      ' has columns that are no fields of a scan: "event_id"',
    ],
  ])('%s', async (_what, path, sentence) => {
    const ledger = new MemoryLedger();
    await expect(importAs(path(), {}, ledger)).rejects.toMatchObject({
      code: 'SG_INPUT_FILE',
      message: expect.stringContaining(sentence),
    });
    expect((await booksOf(ledger)).records).toEqual([]);
  });

  it('for a setting that makes no sense', async () => {
    await expect(importAs(fileOf('log.csv', good), { zone: 'Nowhere' })).rejects.toMatchObject({ code: 'SG_CONFIG_INVALID' });
  });

  it('for a list of rejected rows in place of the file itself', async () => {
    const path = fileOf('log.csv', bad);
    const attempt = importAs(path, {}, new MemoryLedger(), { rejectedPath: join(path, '..', 'log.csv') });
    await expect(attempt).rejects.toMatchObject({ code: 'SG_CONFIG_INVALID' });
    expect(readFileSync(path, 'utf8')).toBe(bad);
  });
});

describe('the list of rejected rows', () => {
  it('takes the place of an earlier list', async () => {
    const path = fileOf('log.csv', bad);
    await importAs(path, {});
    const first = readFileSync(`${path}.rejected.csv`, 'utf8');
    await importAs(path, {});
    expect(readFileSync(`${path}.rejected.csv`, 'utf8')).toBe(first);
    expect(first.split('\r\n').length).toBe(3);
    writeFileSync(path, good);
    await importAs(path, {});
    expect(existsSync(`${path}.rejected.csv`)).toBe(false);
  });

  it('takes the place of nothing else', async () => {
    const path = fileOf('log.csv', bad);
    writeFileSync(`${path}.rejected.csv`, 'my notes');
    await expect(importAs(path, {})).rejects.toMatchObject({
      code: 'SG_INPUT_FILE',
      message: `${path}.rejected.csv is there and is no list of rejected rows; name another with --rejected.`,
    });
    expect(readFileSync(`${path}.rejected.csv`, 'utf8')).toBe('my notes');
  });

  it('that cannot be written ends the import with one sentence, and the import can be gone on with', async () => {
    const path = fileOf('log.csv', bad);
    const ledger = new MemoryLedger();
    const rejectedPath = join(path, 'list.csv');
    await expect(importAs(path, {}, ledger, { rejectedPath })).rejects.toMatchObject({
      code: 'SG_INPUT_FILE',
      message: expect.stringContaining(`The list of rejected rows ${rejectedPath} cannot be written: `),
    });
    expect(countsOf((await importAs(path, {}, ledger)).summary)).toEqual([1, 0, 0, 0, 1]);
  });

  it('holds nothing that a spreadsheet takes for a formula, and every row as one record', async () => {
    const lots = ['=1+1', '@SUM(1)', '-LOT', '+1', '"a\nb ""c"""', '\x00', 'plain'];
    const path = fileOf('log.csv', ['lot_number,gtin,scan_uuid', ...lots.map((lot) => `${lot},1,ev`)].join('\n'));
    await importAs(path, {});
    const message = 'gtin: "1" is not 12, 13 or 14 digits.';
    expect(parse(readFileSync(`${path}.rejected.csv`))).toEqual([
      ['line', 'code', 'field', 'message', 'raw'],
      ['2', 'SG_GTIN_INVALID', 'gtin', message, "'=1+1,1,ev"],
      ['3', 'SG_GTIN_INVALID', 'gtin', message, "'@SUM(1),1,ev"],
      ['4', 'SG_GTIN_INVALID', 'gtin', message, "'-LOT,1,ev"],
      ['5', 'SG_GTIN_INVALID', 'gtin', message, "'+1,1,ev"],
      ['6', 'SG_FIELD_CHARACTER', 'lot_number', expect.stringContaining('(U+000A)'), '"a\nb ""c""",1,ev'],
      ['8', 'SG_FIELD_CHARACTER', 'lot_number', expect.stringContaining('(U+0000)'), 'U+0000,1,ev'],
      ['9', 'SG_GTIN_INVALID', 'gtin', message, 'plain,1,ev'],
    ]);
  });
});

describe('two files', () => {
  it('that hold the same rows without ids commit them once', async () => {
    const ledger = new MemoryLedger();
    const columns = { gtin: logColumns.gtin, captured_at: logColumns.captured_at } as const;
    const text = 'scanned_at,barcode\n2026-03-05T14:00:00Z,312345678906\n2026-03-05T14:05:00Z,312345678906\n';
    const first = await importAs(fileOf('monday.csv', text), { columns }, ledger);
    const second = await importAs(fileOf('tuesday.csv', `${text}2026-03-05T14:10:00Z,312345678906\n`), { columns }, ledger);
    expect(countsOf(first.summary)).toEqual([2, 2, 0, 0, 0]);
    expect(countsOf(second.summary)).toEqual([3, 1, 2, 0, 0]);
    expect(second.summary.identical_rows).toBe(2);
  });
});

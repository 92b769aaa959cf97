/** Files as they come from the field, each imported whole. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { caseFile, countsOf, importAs, logColumns, logConstants, refusals, utc } from './import-setup.ts';

const { facility_uuid } = logConstants;
const withDevice = { ...logColumns, scanner_id: 'device_id' } as const;
const fullColumns = { ...withDevice, lot_number: 'lot', scan_type: 'action' } as const;

describe('a file of the field', () => {
  it('with a byte-order mark and CR LF is read like any other', async () => {
    const imported = await importAs(caseFile('bom-crlf.csv'), { columns: fullColumns, constants: { facility_uuid } });
    expect(countsOf(imported.summary)).toEqual([5, 5, 0, 0, 0]);
    expect(imported.lines.map((line) => line.scan_uuid)).toEqual(['ev-0001', 'ev-0002', 'ev-0003', 'ev-0004', 'ev-0005']);
    expect(imported.lines.map((line) => utc(line.occurred_at))[4]).toBe('2026-03-05T14:05:00.000Z');
    expect(imported.lines[0]).toMatchObject({
      scanner_id: 'D1',
      lot_number: 'LOT1',
      scan_type: 'dispense',
      unit: 'EA',
      delta: '-1',
    });
    expect(imported.summary).not.toHaveProperty('rejected_file');
  });

  it('with a byte-order mark before a quoted header is read like any other', async () => {
    const imported = await importAs(caseFile('bom-quoted-header.csv'), { columns: fullColumns, constants: { facility_uuid } });
    expect(countsOf(imported.summary)).toEqual([3, 3, 0, 0, 0]);
    expect(imported.lines.map((line) => line.scan_uuid)).toEqual(['ev-0001', 'ev-0002', 'ev-0003']);
  });

  it('with LF, CR LF and CR, blank lines and no last line end has no line end in any value', async () => {
    const imported = await importAs(caseFile('mixed-eol.csv'), { columns: fullColumns, constants: { facility_uuid } });
    expect(countsOf(imported.summary)).toEqual([5, 5, 0, 0, 0]);
    expect(imported.lines.map((line) => line.scan_uuid)).toEqual(['ev-0001', 'ev-0002', 'ev-0003', 'ev-0004', 'ev-0005']);
    expect(JSON.stringify(imported.records)).not.toMatch(/\\[rn]/);
  });

  it('with quotes that do not fit loses only the row whose quote is never closed', async () => {
    const path = caseFile('stray-quote.csv');
    const imported = await importAs(path, { columns: fullColumns, constants: { facility_uuid }, ignoredColumns: ['note'] });
    expect(countsOf(imported.summary)).toEqual([49, 48, 0, 0, 1]);
    expect(refusals(imported)).toEqual([[4, 'SG_ROW_QUOTE']]);
    expect(imported.lines.map((line) => line.scan_uuid).slice(0, 4)).toEqual(['ev-0001', 'ev-0002', 'ev-0004', 'ev-0005']);
    expect(imported.lines.at(-1)?.scan_uuid).toBe('ev-0049');
    expect(readFileSync(`${path}.rejected.csv`, 'utf8')).toBe(
      'line,code,field,message,raw\r\n' +
        '4,SG_ROW_QUOTE,,The row opens a quote that is not closed. Double a quote that is text.,' +
        '"ev-0003,D1,2026-03-05T14:03:00Z,312345678906,LOT1,1,EA,dispense,""never closed"\r\n',
    );
  });

  it('in Windows-1252 is refused row by row as UTF-8, and keeps its letters when it is named', async () => {
    const meaning = { columns: fullColumns, constants: { facility_uuid }, ignoredColumns: ['drug'] } as const;
    const asUtf8 = await importAs(caseFile('cp1252.csv'), meaning);
    expect(countsOf(asUtf8.summary)).toEqual([2, 0, 0, 0, 2]);
    expect(refusals(asUtf8)).toEqual([
      [2, 'SG_ENCODING_INVALID'],
      [3, 'SG_ENCODING_INVALID'],
    ]);
    expect(asUtf8.rejected[0]?.text).toContain('A\\x961');
    expect(JSON.stringify(asUtf8.records)).not.toContain('\ufffd');

    const named = await importAs(caseFile('cp1252.csv'), { ...meaning, encoding: 'windows-1252' });
    expect(countsOf(named.summary)).toEqual([2, 2, 0, 0, 0]);
    expect(named.lines.map((line) => line.lot_number)).toEqual(['A–1', 'A—1']);
  });

  it('with local times over the end of summer time has them in the order of its rows', async () => {
    const imported = await importAs(caseFile('dst-fallback.csv'), {
      columns: { ...withDevice, captured_at: 'scanned_at_local' },
      constants: { facility_uuid, scan_type: 'dispense' },
      zone: 'America/New_York',
    });
    expect(countsOf(imported.summary)).toEqual([6, 5, 0, 0, 1]);
    expect(imported.lines.map((line) => utc(line.occurred_at))).toEqual([
      '2026-11-01T04:59:00.000Z',
      '2026-11-01T05:30:00.000Z',
      '2026-11-01T05:45:00.000Z',
      '2026-11-01T06:30:00.000Z',
      '2026-11-01T07:00:00.000Z',
    ]);
    expect(imported.summary.flags.time_ambiguous).toBe(3);
    expect(imported.records[3]?.as_sent?.captured_at).toBe('2026-11-01 01:30:00-05:00');
    expect(refusals(imported)).toEqual([[7, 'SG_TIME_NONEXISTENT']]);
  });

  it('with local times and no zone is refused row by row', async () => {
    const imported = await importAs(caseFile('dst-fallback.csv'), {
      columns: { ...withDevice, captured_at: 'scanned_at_local' },
      constants: { facility_uuid, scan_type: 'dispense' },
    });
    expect(countsOf(imported.summary)).toEqual([6, 0, 0, 0, 6]);
    expect(new Set(refusals(imported).map(([, code]) => code))).toEqual(new Set(['SG_TIME_ZONE_MISSING']));
  });

  it('with times as numbers takes seconds to nanoseconds for one instant, and none for 1970', async () => {
    const imported = await importAs(caseFile('epoch-units.csv'), { columns: logColumns });
    // Row 5 is 250 ms later, rows 7 and 9 have clocks that were never set and are timed by their receipt.
    expect(countsOf(imported.summary)).toEqual([9, 2, 5, 0, 2]);
    expect(imported.lines.map((line) => utc(line.occurred_at))).toEqual(['2026-03-05T14:00:00.000Z', '2026-12-01T00:00:00.000Z']);
    const gaps = imported.records.filter(({ outcome }) => outcome === 'suppressed').map(({ gap_ms }) => gap_ms);
    expect(gaps).toEqual([0, 0, 0, 250, 0]);
    expect(imported.summary.flags.clock_suspect).toBe(2);
    expect(refusals(imported)).toEqual([
      [7, 'SG_TIME_INVALID'],
      [9, 'SG_TIME_INVALID'],
    ]);
  });

  it('that a spreadsheet has damaged has those rows refused, and its quoted zeros kept', async () => {
    const { scan_uuid, captured_at, quantity } = logColumns;
    const imported = await importAs(caseFile('excel-damaged.csv'), { columns: { scan_uuid, captured_at, quantity } });
    expect(countsOf(imported.summary)).toEqual([5, 2, 0, 0, 3]);
    expect(refusals(imported)).toEqual([
      [2, 'SG_SPREADSHEET_DAMAGE'],
      [3, 'SG_SPREADSHEET_DAMAGE'],
      [4, 'SG_SPREADSHEET_DAMAGE'],
    ]);
    expect(imported.lines.map((line) => [line.scan_uuid, line.ndc11])).toEqual([
      ['ev-4', '00591234567'],
      ['ev-5', '00591234567'],
    ]);
  });

  it('with NDCs of every shape keeps one product one, and two products two', async () => {
    const { scan_uuid, captured_at, quantity } = logColumns;
    const imported = await importAs(caseFile('ndc-shapes.csv'), { columns: { scan_uuid, captured_at, quantity } });
    expect(countsOf(imported.summary)).toEqual([8, 7, 0, 0, 1]);
    expect(imported.lines.map((line) => line.ndc11)).toEqual([
      '00573020130',
      '00573020130',
      '00573020130',
      '00573020130',
      '60505267103',
      '12345067890',
      '01234567890',
    ]);
    expect(refusals(imported)).toEqual([[6, 'SG_NDC_AMBIGUOUS']]);
  });

  it('without ids has identical rows decided by the window, and counted', async () => {
    const { captured_at, gtin, quantity } = logColumns;
    const columns = { captured_at, gtin, quantity, scanner_id: 'device_id', lot_number: 'lot' } as const;
    const meaning = { columns, constants: { facility_uuid, scan_type: 'dispense' } } as const;
    const imported = await importAs(caseFile('no-id-identical-rows.csv'), meaning);
    expect(countsOf(imported.summary)).toEqual([4, 3, 1, 0, 0]);
    expect(imported.summary.identical_rows).toBe(1);
  });

  it('that begins with sep= is read by that separator, and has decimal commas only when it says so', async () => {
    const meaning = { columns: { ...logColumns, lot_number: 'lot' } } as const;
    const plain = await importAs(caseFile('sep-line.csv'), meaning);
    expect(countsOf(plain.summary)).toEqual([2, 1, 0, 0, 1]);
    expect(plain.lines.map((line) => line.quantity)).toEqual(['1.234']);
    expect(refusals(plain)).toEqual([[4, 'SG_QUANTITY_INVALID']]);

    const comma = await importAs(caseFile('sep-line.csv'), { ...meaning, hasDecimalComma: true });
    expect(countsOf(comma.summary)).toEqual([2, 1, 0, 0, 1]);
    expect(comma.lines.map((line) => line.quantity)).toEqual(['0.5']);
    expect(refusals(comma)).toEqual([[3, 'SG_QUANTITY_INVALID']]);
  });

  it('of a portable reader that has no columns is refused in one sentence', async () => {
    const path = caseFile('batch-portable-scanner.txt');
    await expect(importAs(path, {})).rejects.toMatchObject({
      code: 'SG_INPUT_FILE',
      message: `${path} does not begin with the names of columns: its first line is "RDR-07", and none of that is a field of a scan or in --map.`,
    });
  });
});

/** Kinds of files beyond those of the field, each imported whole. */
import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { countsOf, fileOf, importAs, refusals, utc } from './import-setup.ts';

const header = 'scan_uuid,captured_at,gtin,lot_number';

/** A row of that header, n minutes past 14:00. */
function row(n: number, lot = 'L1', gtin = '312345678906'): string {
  return `ev-${n},2026-03-05T14:${String(n).padStart(2, '0')}:00Z,${gtin},${lot}`;
}

function log(...rows: readonly string[]): string {
  return [header, ...rows, ''].join('\n');
}

describe('a file', () => {
  it.each([
    ['little-endian', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['big-endian', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('of UTF-16, %s, is known by its byte-order mark', async (_order, encode) => {
    const imported = await importAs(fileOf('log.csv', encode(log(row(1, 'Pé–1'), row(2, 'ഊ')))), {});
    expect(countsOf(imported.summary)).toEqual([2, 2, 0, 0, 0]);
    expect(imported.lines.map((line) => line.lot_number)).toEqual(['Pé–1', 'ഊ']);
  });

  it('of UTF-16 without a mark is read when it is named, and refused in one sentence otherwise', async () => {
    const bytes = Buffer.from(log(row(1)), 'utf16le');
    const imported = await importAs(fileOf('log.csv', bytes), { encoding: 'utf-16le' });
    expect(countsOf(imported.summary)).toEqual([1, 1, 0, 0, 0]);
    await expect(importAs(fileOf('log.csv', bytes), {})).rejects.toMatchObject({
      code: 'SG_INPUT_FILE',
      message: expect.stringContaining('does not begin with a header that can be read in this encoding'),
    });
  });

  it('of UTF-16 has a row that is no text refused with its line', async () => {
    const text = `\ufeff${log(row(1), `${row(2)}\ud800`, row(3))}`;
    const imported = await importAs(fileOf('log.csv', Buffer.from(text, 'utf16le')), {});
    expect(countsOf(imported.summary)).toEqual([3, 2, 0, 0, 1]);
    expect(refusals(imported)).toEqual([[3, 'SG_ENCODING_INVALID']]);
  });

  it('of UTF-16 keeps the bytes of a refused row that has several lines', async () => {
    const ledger = new MemoryLedger();
    const text = `\ufeff${header},note\r\nev-1,x,312345678906,L1,"a\r\nb"\r\n`;
    const imported = await importAs(fileOf('log.csv', Buffer.from(text, 'utf16le')), { ignoredColumns: ['note'] }, ledger);
    const id = imported.records[0]?.rejection?.quarantine_id ?? '';
    const bytes = Buffer.from((await ledger.quarantined(id)) ?? []);
    expect(bytes.toString('utf16le')).toBe('ev-1,x,312345678906,L1,"a\nb"');
  });

  it('with CR alone is a file of lines', async () => {
    const imported = await importAs(fileOf('log.csv', log(row(1), row(2)).replaceAll('\n', '\r')), {});
    expect(countsOf(imported.summary)).toEqual([2, 2, 0, 0, 0]);
    expect(imported.lines.map((line) => line.lot_number)).toEqual(['L1', 'L1']);
  });

  it('with two CRs, a tab or nothing after a code has one product in every row', async () => {
    const rows = ['312345678906\r\n', '312345678906\r\r', '312345678906\t\n', '\r\n312345678906'];
    const text = `captured_at,gtin\n${rows.map((code, n) => `2026-03-05T14:00:0${n}.500Z,${code}`).join('')}`;
    const imported = await importAs(fileOf('log.csv', text.replace('3.500Z,\r\n', '3.500Z,')), {});
    expect(countsOf(imported.summary)).toEqual([4, 2, 2, 0, 0]);
    expect(imported.lines.map((line) => line.gtin14)).toEqual(['00312345678906', '00312345678906']);
  });

  it('with a code that is empty has that row refused', async () => {
    const imported = await importAs(fileOf('log.csv', log(row(1, 'L1', ''), row(2, 'L1', ' \t'))), {});
    expect(refusals(imported)).toEqual([
      [2, 'SG_PRODUCT_MISSING'],
      [3, 'SG_PRODUCT_MISSING'],
    ]);
  });

  it('whose last line has no end, or a Ctrl-Z after it, is read to its end', async () => {
    for (const end of ['', '\x1a', '\n\x1a', '\r\n\x1a\r\n']) {
      const imported = await importAs(fileOf('log.csv', `${header}\n${row(1)}\n${row(2)}${end}`), {});
      expect(countsOf(imported.summary)).toEqual([2, 2, 0, 0, 0]);
      expect(imported.lines.at(-1)?.lot_number).toBe('L1');
    }
  });

  it('with line ends inside quoted fields counts lines and not rows', async () => {
    const rows = [
      'ev-1,2026-03-05T14:01:00Z,312345678906,L1,"first\r\nsecond ""quoted""\r\n\r\nlast"',
      'ev-2,x,312345678906,L1,',
    ];
    const text = [`${header},note`, ...rows, ''].join('\r\n');
    const imported = await importAs(fileOf('log.csv', text), { ignoredColumns: ['note'] });
    expect(countsOf(imported.summary)).toEqual([2, 1, 0, 0, 1]);
    expect(refusals(imported)).toEqual([[6, 'SG_TIME_INVALID']]);
  });

  it('with too many or too few columns in a row has that row refused', async () => {
    const imported = await importAs(fileOf('log.csv', log(row(1), `${row(2)},x`, 'ev-3', row(4))), {});
    expect(countsOf(imported.summary)).toEqual([4, 2, 0, 0, 2]);
    expect(refusals(imported)).toEqual([
      [3, 'SG_ROW_COLUMNS'],
      [4, 'SG_ROW_COLUMNS'],
    ]);
    const refused = imported.records.filter(({ outcome }) => outcome === 'rejected');
    expect(refused.map((record) => record.facility_uuid)).toEqual(['F1', 'F1']);
  });

  it('with a header alone has no rows', async () => {
    for (const text of [header, `${header}\r\n`, `${header}\n\n  \n`]) {
      const imported = await importAs(fileOf('log.csv', text), {});
      expect(countsOf(imported.summary)).toEqual([0, 0, 0, 0, 0]);
    }
  });

  it('with one column is read when the rest is set', async () => {
    const constants = { facility_uuid: 'F1', scanner_id: 'S1', scan_type: 'count', gtin: '312345678906' } as const;
    const imported = await importAs(fileOf('log.csv', 'captured_at\n2026-03-05T14:00:00Z\n"2026-03-05T14:01:00Z"\n'), {
      constants,
    });
    expect(countsOf(imported.summary)).toEqual([2, 2, 0, 0, 0]);
  });

  it.each([
    ['tabs', '\t'],
    ['semicolons', ';'],
    ['bars', '|'],
  ])('with %s between its columns is read by its header', async (_name, delimiter) => {
    const text = log(row(1, '"a,b"'), row(2)).replace('"a,b"', 'ab').replaceAll(',', delimiter);
    const imported = await importAs(fileOf('log.tsv', text), {});
    expect(imported.lines.map((line) => line.lot_number)).toEqual(['ab', 'L1']);
  });

  it('with a line of 5 MB has it refused, keeps its beginning, and reads on', async () => {
    const imported = await importAs(fileOf('log.csv', log(row(1), row(2, 'x'.repeat(5_000_000)), row(3))), {});
    expect(countsOf(imported.summary)).toEqual([3, 2, 0, 0, 1]);
    expect(refusals(imported)).toEqual([[3, 'SG_ITEM_TOO_LARGE']]);
    const record = imported.records.find(({ outcome }) => outcome === 'rejected');
    expect(record?.rejection).toMatchObject({ raw_bytes: 65_536, truncated: true });
  });

  it('with NUL bytes has those rows refused, and their bytes kept', async () => {
    const ledger = new MemoryLedger();
    const imported = await importAs(fileOf('log.csv', log(row(1, 'L\0T'), row(2))), {}, ledger);
    expect(refusals(imported)).toEqual([[2, 'SG_FIELD_CHARACTER']]);
    const id = imported.records[0]?.rejection?.quarantine_id ?? '';
    expect(Buffer.from((await ledger.quarantined(id)) ?? []).toString('latin1')).toBe(
      'ev-1,2026-03-05T14:01:00Z,312345678906,L\0T',
    );
  });

  it('of garbage is refused whole as CSV, and line by line as NDJSON', async () => {
    let state = 1;
    const garbage = Buffer.from(
      Array.from({ length: 10_000 }, () => {
        state = (state * 48_271) % 2_147_483_647;
        return state % 256;
      }),
    );
    await expect(importAs(fileOf('log.csv', garbage), {})).rejects.toMatchObject({ code: 'SG_INPUT_FILE' });
    const imported = await importAs(fileOf('log.ndjson', garbage), {});
    expect(imported.summary.read).toBeGreaterThan(5);
    expect(imported.summary.rejected).toBe(imported.summary.read);
    expect(new Set(refusals(imported).map(([, code]) => code))).toEqual(new Set(['SG_ENCODING_INVALID', 'SG_JSON_INVALID']));
    expect(JSON.stringify(imported.records)).not.toContain('\ufffd');
  });

  it('with raw barcodes has them decoded', async () => {
    const text = 'scan_uuid,captured_at,barcode\nev-1,2026-03-05T14:01:00Z,312345678906\n';
    const imported = await importAs(fileOf('log.csv', text), {});
    expect(countsOf(imported.summary)).toEqual([1, 1, 0, 0, 0]);
    expect(imported.lines).toMatchObject([{ gtin14: '00312345678906' }]);
  });

  it('with text that looks like numbers keeps it byte for byte', async () => {
    const lots = [
      '219E01',
      '1E5',
      '100000',
      '0x1F',
      '1_000',
      'Infinity',
      'NaN',
      'null',
      'true',
      '007',
      '__proto__',
      'constructor',
    ];
    const imported = await importAs(fileOf('log.csv', log(...lots.map((lot, n) => row(n, lot)))), {});
    expect(imported.lines.map((line) => line.lot_number)).toEqual(lots);
  });

  it('with ten serials in one second has ten lines', async () => {
    const serials = ['S01', 'S02', 'S03', 'S04', 'S05', 'S06', 'S07', 'S08', 'S09', 'S10'];
    const rows = serials.map((serial) => `2026-03-05T14:00:00Z,312345678906,L1,${serial}`);
    const text = ['captured_at,gtin,lot_number,serial_number', ...rows].join('\n');
    const imported = await importAs(fileOf('log.csv', text), {});
    expect(countsOf(imported.summary)).toEqual([10, 10, 0, 0, 0]);
    expect(imported.lines.map((line) => line.serial_number)).toEqual(serials);
  });

  it('with invisible characters in a lot has one lot', async () => {
    const lots = ['LOT123', 'LOT\u200b123', '\ufeffLOT123', 'LOT123\u00a0', 'LOT\u00ad123'];
    const rows = lots.map((lot, n) => `2026-03-05T14:00:00.${n}00Z,312345678906,${lot}`);
    const imported = await importAs(fileOf('log.csv', ['captured_at,gtin,lot_number', ...rows].join('\n')), {});
    expect(countsOf(imported.summary)).toEqual([5, 1, 4, 0, 0]);
    expect(imported.records[1]?.as_sent?.lot_number).toBe('LOT\u200b123');
  });

  it.each(['0', '-5', '1e9', '312345678906', '0.0000001', 'NaN', 'one'])(
    'with the quantity %s has that row refused',
    async (quantity) => {
      const text = `${header},quantity\n${row(1)},${quantity}\n${row(2)},1 \n${row(3)},0.0001\n${row(4)},\n`;
      const imported = await importAs(fileOf('log.csv', text), {});
      expect(countsOf(imported.summary)).toEqual([4, 3, 0, 0, 1]);
      expect(imported.lines.map((line) => line.quantity)).toEqual(['1', '0.0001', '1']);
    },
  );

  it('with one id for two scans keeps the first and reports a conflict, apart for each facility', async () => {
    const columns = 'facility_uuid,scan_uuid,captured_at,gtin,quantity';
    const rows = [
      'A,ev-1,2026-03-05T14:00:00Z,312345678906,30',
      'A,ev-1,2026-03-05T14:00:00Z,312345678906,30.0',
      'A,ev-1,2026-03-05T15:00:00Z,312345678906,20',
      'B,ev-1,2026-03-05T14:00:00Z,312345678906,20',
    ];
    const constants = { scanner_id: 'S1', scan_type: 'receive' } as const;
    const imported = await importAs(fileOf('log.csv', [columns, ...rows].join('\n')), { constants });
    expect(countsOf(imported.summary)).toEqual([4, 2, 1, 1, 0]);
    expect(imported.lines.map((line) => [line.facility_uuid, line.quantity])).toEqual([
      ['A', '30'],
      ['B', '20'],
    ]);
  });

  it('with good, repeated and bad rows takes the good ones and lists the bad', async () => {
    const rows = Array.from({ length: 96 }, (_, n) => `ev-${n},2026-03-05T14:00:00Z,312345678906,L${n}`);
    const repeated = [rows[3] ?? '', rows[40] ?? '', rows[95] ?? ''];
    const imported = await importAs(fileOf('log.csv', log(...rows, ...repeated, row(1, 'L1', '312345678907'))), {});
    expect(countsOf(imported.summary)).toEqual([100, 96, 3, 0, 1]);
    expect(refusals(imported)).toEqual([[101, 'SG_CHECK_DIGIT']]);
  });

  it('with patient data in a column that is passed over keeps none of it, of refused rows either', async () => {
    const ledger = new MemoryLedger();
    const text = `${header},patient_name\n${row(1)},Jane Roe\n${row(2, 'L1', '1')},Jane Roe\nev-3,"Jane Roe\n`;
    const imported = await importAs(fileOf('log.csv', text), { ignoredColumns: ['patient_name'] }, ledger);
    expect(countsOf(imported.summary)).toEqual([3, 1, 0, 0, 2]);
    const kept = imported.records.flatMap(({ rejection }) => (rejection === undefined ? [] : [rejection.quarantine_id]));
    const bytes = await Promise.all(kept.map(async (id) => Buffer.from((await ledger.quarantined(id)) ?? []).toString()));
    expect(bytes.length).toBe(2);
    expect(JSON.stringify([bytes, imported.records, imported.rejected])).not.toContain('Jane');
    expect(bytes[0]).toContain('"ev-2","2026-03-05T14:02:00Z","1","L1","[removed: looks like patient data]"');
  });
});

describe('an NDJSON file', () => {
  it('has each line decided by itself', async () => {
    const scan = { facility_uuid: 'F1', scanner_id: 'S1', scan_type: 'dispense', gtin: '312345678906' };
    const lines = [
      JSON.stringify({ ...scan, scan_uuid: 'ev-1', captured_at: '2026-03-05T14:01:00Z' }),
      '',
      JSON.stringify({ scan_uuid: 'ev-1', captured_at: '2026-03-05T14:01:00Z', ...scan, quantity: 1 }, null, 1).replaceAll(
        '\n',
        '',
      ),
      '{"scan_uuid":',
      JSON.stringify({ ...scan, scan_uuid: 'ev-2', captured_at: 1_772_719_320_000, note: 'x' }),
      JSON.stringify({ ...scan, scan_uuid: 'ev-3', captured_at: '2026-03-05 09:03:00' }),
      '{"scan_uuid":"ev-4","quantity":9007199254740993}',
      JSON.stringify({ ...scan, scan_uuid: 'ev-5', captured_at: 1_772_719_500_000, serial_number: 5 }),
    ];
    const path = fileOf('log.ndjson', lines.join('\n'));
    const imported = await importAs(path, { constants: {}, zone: 'America/New_York' });
    expect(countsOf(imported.summary)).toEqual([7, 2, 1, 0, 4]);
    expect(refusals(imported)).toEqual([
      [4, 'SG_JSON_INVALID'],
      [5, 'SG_FIELD_UNKNOWN'],
      [7, 'SG_NUMBER_INEXACT'],
      [8, 'SG_FIELD_TYPE'],
    ]);
    expect(imported.lines.map((line) => utc(line.occurred_at))).toEqual(['2026-03-05T14:01:00.000Z', '2026-03-05T14:03:00.000Z']);
  });
});

import { describe, expect, it } from 'vitest';
import { Columns } from '../../../../src/ingest/file/columns.ts';
import { checkMeaning, type FileMeaning, formatOfName } from '../../../../src/ingest/file/import-options.ts';

const meaning: FileMeaning = {
  format: 'csv',
  columns: {},
  constants: { facility_uuid: 'F1', scanner_id: 'S1', scan_type: 'dispense' },
  ignoredColumns: [],
  ignoresUnmapped: false,
  hasDecimalComma: false,
};

function columnsOf(header: string, changes: Partial<FileMeaning> = {}): Columns {
  return new Columns('log.csv', header.split(','), { ...meaning, ...changes });
}

describe('the columns of a header', () => {
  it('are fields by their own names, by the mapping, and by what is set for the whole file', () => {
    const columns = columnsOf('id,gtin,captured_at,quantity', { columns: { scan_uuid: 'id' } });
    expect(columns.scanOf(['ev-1', '312345678906', '2026-03-05T14:00:00Z', '2'])).toEqual({
      facility_uuid: 'F1',
      scanner_id: 'S1',
      scan_type: 'dispense',
      scan_uuid: 'ev-1',
      gtin: '312345678906',
      captured_at: '2026-03-05T14:00:00Z',
      quantity: '2',
    });
  });

  it('take a name that is mapped for the field that it is mapped to', () => {
    const columns = columnsOf('scan_uuid,barcode', { columns: { gtin: 'barcode' } });
    expect(columns.scanOf(['ev-1', '312345678906'])).toMatchObject({ gtin: '312345678906' });
    expect(columns.scanOf(['ev-1', '312345678906'])).not.toHaveProperty('barcode');
  });

  it('leave out a field whose cell is empty, or holds nothing that is seen', () => {
    const columns = columnsOf('scan_uuid,gtin,lot_number');
    expect(columns.scanOf(['ev-1', '312345678906', ''])).not.toHaveProperty('lot_number');
    expect(columns.scanOf(['ev-1', '312345678906', '\u200b\ufeff'])).not.toHaveProperty('lot_number');
  });

  it('take off the form by which spreadsheets keep leading zeros', () => {
    const columns = columnsOf('scan_uuid,ndc');
    expect(columns.scanOf(['ev-1', '="00591234567"'])).toMatchObject({ ndc: '00591234567' });
    expect(columns.scanOf(['ev-1', '=00591234567'])).toMatchObject({ ndc: '=00591234567' });
  });

  it('are known by their names without white space and a byte-order mark', () => {
    expect(columnsOf('\ufeffscan_uuid, gtin ').scanOf(['ev-1', '312345678906'])).toMatchObject({ scan_uuid: 'ev-1' });
  });

  it.each(['__proto__', 'constructor', 'toString'])('named %s are no fields, and harmless', (name) => {
    expect(() => columnsOf(`scan_uuid,gtin,${name}`)).toThrow(`a column that is no field of a scan: "${name}"`);
    const columns = columnsOf(`scan_uuid,gtin,${name}`, { ignoredColumns: [name] });
    expect(columns.scanOf(['ev-1', '312345678906', '{"quantity":99}'])).toEqual({
      facility_uuid: 'F1',
      scanner_id: 'S1',
      scan_type: 'dispense',
      scan_uuid: 'ev-1',
      gtin: '312345678906',
    });
    expect(({} as Record<string, unknown>)['quantity']).toBeUndefined();
  });

  it('may be passed over one by one, also those that are fields, or all that are none', () => {
    expect(columnsOf('scan_uuid,gtin,note', { ignoredColumns: ['note'] }).count).toBe(3);
    expect(columnsOf('scan_uuid,gtin,note,,', { ignoresUnmapped: true }).count).toBe(5);
    const columns = columnsOf('scan_uuid,gtin,barcode', { ignoredColumns: ['barcode'] });
    expect(columns.scanOf(['ev-1', '312345678906', '...'])).not.toHaveProperty('barcode');
  });

  it('take out what stands under a name that looks like patient data', () => {
    const columns = columnsOf('scan_uuid,gtin,Patient Name', { ignoresUnmapped: true });
    expect(columns.holdsPatientData).toBe(true);
    expect(columns.withoutPatientData(['ev-1', '1', 'Jane Roe'])).toEqual(['ev-1', '1', '[removed: looks like patient data]']);
    expect(columnsOf('scan_uuid,gtin').holdsPatientData).toBe(false);
  });
});

describe('a header refuses to start, with one sentence,', () => {
  it.each<[string, string, Partial<FileMeaning>, string]>([
    ['for a column that is no field', 'scan_uuid,gtin,note', {}, 'log.csv has a column that is no field of a scan: "note".'],
    [
      'for columns that are no fields',
      'scan_uuid,gtin,note,qty',
      {},
      'log.csv has columns that are no fields of a scan: "note", "qty".',
    ],
    ['for a column without a name', 'scan_uuid,gtin,', {}, 'log.csv has a column that is no field of a scan: "".'],
    ['for patient data', 'scan_uuid,gtin,dob', {}, 'log.csv has a column "dob", which looks like patient data;'],
    [
      'for a first line without names',
      'RDR-07',
      {},
      'log.csv does not begin with the names of columns: its first line is "RDR-07"',
    ],
    ['for a name that stands twice', 'scan_uuid,gtin,gtin', {}, 'log.csv has two columns named "gtin".'],
    [
      'for an ignored name that stands twice',
      'scan_uuid,gtin,note,note',
      { ignoresUnmapped: true },
      'log.csv has two columns named "note".',
    ],
    ['for a mapped column that is not there', 'scan_uuid,gtin', { columns: { quantity: 'qty' } }, 'log.csv has no column "qty"'],
    [
      'for two columns of one field',
      'scan_uuid,gtin,barcode',
      { columns: { gtin: 'barcode' } },
      'log.csv has two columns for gtin.',
    ],
    [
      'for a column of a field that is set',
      'scan_uuid,gtin,scanner_id',
      {},
      'log.csv has a column for scanner_id, which is also set to a value for the whole file.',
    ],
    [
      'without a facility',
      'scan_uuid,gtin,scanner_id,scan_type',
      { constants: {} },
      'log.csv has no column for facility_uuid. Name it with --map facility_uuid=COLUMN, or set it for the whole file with --set facility_uuid=VALUE.',
    ],
    ['without a product', 'scan_uuid', {}, 'log.csv has no column for ndc or gtin or barcode or barcode_base64.'],
    ['without a time and an id', 'gtin', {}, 'log.csv has no column for captured_at or scan_uuid.'],
  ])('%s', (_what, header, changes, sentence) => {
    expect(() => columnsOf(header, changes)).toThrow(
      expect.objectContaining({ code: 'SG_INPUT_FILE', message: expect.stringContaining(sentence) }),
    );
  });
});

describe('the meaning of a file is refused', () => {
  it.each<[string, Partial<FileMeaning>, string]>([
    ['for a field that a scan does not have', { columns: { qty: 'n' } as FileMeaning['columns'] }, 'A scan has no field "qty"'],
    ['for one that is set and not there', { constants: { site: 'x' } as FileMeaning['constants'] }, 'A scan has no field "site"'],
    [
      'for a field that is mapped and set',
      { columns: { scanner_id: 'dev' } },
      'scanner_id is mapped to a column and set to a value',
    ],
    ['for patient data', { columns: { reference: 'patient_id' } }, 'The column "patient_id" looks like patient data'],
    ['for a zone that is not there', { zone: 'America/Gotham' }, 'There is no time zone "America/Gotham"'],
    ['for an offset as zone', { zone: '-05:00' }, 'There is no time zone "-05:00"'],
    ['for an empty zone', { zone: '' }, 'There is no time zone ""'],
  ])('%s', (_what, changes, sentence) => {
    expect(() => checkMeaning({ ...meaning, ...changes })).toThrow(
      expect.objectContaining({ code: 'SG_CONFIG_INVALID', message: expect.stringContaining(sentence) }),
    );
  });

  it('and is taken when it makes sense', () => {
    checkMeaning({ ...meaning, delimiter: '\t', zone: 'America/New_York', columns: { gtin: 'barcode' } });
    expect(formatOfName('a/log.CSV')).toBe('csv');
    expect(formatOfName('log.tsv')).toBe('csv');
    expect(formatOfName('log.txt')).toBe('csv');
    expect(formatOfName('log.ndjson')).toBe('ndjson');
    expect(formatOfName('log.jsonl')).toBe('ndjson');
    expect(formatOfName('log.json')).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import type { FileRow, TextLine } from '../../../../src/ingest/file/file-row.ts';
import type { FileMeaning } from '../../../../src/ingest/file/import-options.ts';
import { NdjsonReader } from '../../../../src/ingest/file/ndjson-reader.ts';

const meaning: FileMeaning = {
  format: 'ndjson',
  columns: {},
  constants: {},
  ignoredColumns: [],
  ignoresUnmapped: false,
  hasDecimalComma: false,
};

function rowOf(text: string | undefined, changes: Partial<FileMeaning> = {}, line: Partial<TextLine> = {}): FileRow {
  const reader = new NdjsonReader({ ...meaning, ...changes }, 1_000);
  const [row, ...others] = reader.push({
    number: 7,
    bytes: Buffer.from(text ?? ''),
    isCut: false,
    lineFeed: Buffer.from('\n'),
    text,
    ...line,
  });
  if (row === undefined || others.length > 0 || reader.end().length > 0) throw new Error(`${text} is not one row.`);
  return row;
}

describe('a line of NDJSON', () => {
  it('is one scan, with its line', () => {
    const row = rowOf('{"scan_uuid":"ev-1","quantity":1}');
    expect(row).toMatchObject({ line: 7, value: { scan_uuid: 'ev-1', quantity: 1 } });
    expect(row.fault).toBeUndefined();
    expect(row.evidence().text).toBe('{"scan_uuid":"ev-1","quantity":1}');
    expect(Buffer.from(row.evidence().raw.bytes).toString()).toBe('{"scan_uuid":"ev-1","quantity":1}');
  });

  it('has its names mapped, its constants added and what is ignored left out', () => {
    const changes: Partial<FileMeaning> = {
      columns: { gtin: 'barcode', scan_uuid: 'id' },
      constants: { scanner_id: 'S1' },
      ignoredColumns: ['note'],
    };
    expect(rowOf('{"id":"ev-1","barcode":"312345678906","note":{"x":1}}', changes).value).toEqual({
      scan_uuid: 'ev-1',
      gtin: '312345678906',
      scanner_id: 'S1',
    });
    expect(rowOf('{"scan_uuid":"ev-1","temperature":4}', { ignoresUnmapped: true }).value).toEqual({ scan_uuid: 'ev-1' });
    expect(rowOf('{"scan_uuid":"ev-1","temperature":4}').value).toEqual({ scan_uuid: 'ev-1', temperature: 4 });
  });

  it('may repeat what is set for the whole file, but not contradict it', () => {
    const constants = { scanner_id: 'S1' };
    expect(rowOf('{"scanner_id":"S1"}', { constants }).fault).toBeUndefined();
    expect(rowOf('{"scanner_id":"S2"}', { constants }).fault).toMatchObject({ code: 'SG_FIELDS_DISAGREE', field: 'scanner_id' });
    const both = rowOf('{"gtin":"1","barcode":"2"}', { columns: { gtin: 'barcode' } });
    expect(both.fault).toMatchObject({ code: 'SG_FIELDS_DISAGREE', field: 'gtin' });
  });

  it('keeps a key named __proto__ as a key, to be refused', () => {
    const { value } = rowOf('{"__proto__":{"quantity":99},"scan_uuid":"ev-1"}', { constants: { scanner_id: 'S1' } });
    expect(Object.keys(value as object)).toEqual(['scanner_id', '__proto__', 'scan_uuid']);
    expect((value as Record<string, unknown>)['quantity']).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it.each<[string, string | undefined, string]>([
    ['is no JSON', '{"scan_uuid":', 'SG_JSON_INVALID'],
    ['is no text in its encoding', undefined, 'SG_ENCODING_INVALID'],
    ['holds a key twice', '{"quantity":1,"quantity":-1}', 'SG_KEY_REPEATED'],
    ['holds a number that would be rounded', '{"serial_number":9007199254740993}', 'SG_NUMBER_INEXACT'],
    ['is nested too deep', `${'{"a":'.repeat(20)}1${'}'.repeat(20)}`, 'SG_ITEM_TOO_DEEP'],
  ])('that %s is refused', (_what, text, code) => {
    const row = rowOf(text, { constants: { facility_uuid: 'F1' } });
    expect(row.fault?.code).toBe(code);
    expect(row.value).toEqual({ facility_uuid: 'F1' });
  });

  it('that is too long is refused, and its evidence is marked as cut', () => {
    const row = rowOf('{"reason":"aaa', {}, { isCut: true });
    expect(row.fault?.code).toBe('SG_ITEM_TOO_LARGE');
    expect(row.evidence().raw.truncated).toBe(true);
  });

  it.each([['[{"scan_uuid":"ev-1"}]'], ['"text"'], ['null'], ['5']])('that is %s is handed on as what it is', (text) => {
    expect(rowOf(text, { constants: { scanner_id: 'S1' } }).value).toEqual(JSON.parse(text));
  });

  it('keeps no patient data as evidence', () => {
    const row = rowOf('{"scan_uuid":"ev-1","patient_name":"Jane Roe"}', { ignoresUnmapped: true });
    expect(row.value).toEqual({ scan_uuid: 'ev-1' });
    expect(row.evidence()).toEqual({
      raw: { bytes: expect.any(Uint8Array), redacted: true },
      text: '{"scan_uuid":"ev-1","patient_name":"[removed: looks like patient data]"}',
    });
  });

  it('that is blank is no row', () => {
    const reader = new NdjsonReader(meaning, 1_000);
    for (const text of ['', '  \t', '\u001a']) {
      expect(reader.push({ number: 1, bytes: Buffer.from(text), isCut: false, lineFeed: Buffer.from('\n'), text })).toEqual([]);
    }
  });
});

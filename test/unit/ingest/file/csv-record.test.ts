import { describe, expect, it } from 'vitest';
import { CsvRecords, parseRecord } from '../../../../src/ingest/file/csv-record.ts';
import type { TextLine } from '../../../../src/ingest/file/file-row.ts';

function line(text: string | undefined, number = 1): TextLine {
  return { number, bytes: Buffer.from(text ?? ''), isCut: false, lineFeed: Buffer.from('\n'), text };
}

/** The first line of each record, with its cells or why it is refused. */
function recordsOf(lines: readonly (string | undefined)[], columnCount: number): [number, readonly string[] | string][] {
  const records = new CsvRecords(',', columnCount, 1_000);
  const found = [...lines.flatMap((text, index) => records.push(line(text, index + 1))), ...records.end()];
  return found.map(({ lines: [first], cells, fault }) => [first.number, cells ?? fault?.code ?? '']);
}

describe('the cells of a line', () => {
  it.each([
    ['a,b', ',', ['a', 'b']],
    ['a, b ,c ', ',', ['a', 'b', 'c']],
    ['"a", "b" ,c', ',', ['a', 'b', 'c']],
    [',,', ',', ['', '', '']],
    ['"",""', ',', ['', '']],
    ['"a,b";c', ';', ['a,b', 'c']],
    ['a\t\t"b\tc"', '\t', ['a', '', 'b\tc']],
    ['"say ""hi""",x', ',', ['say "hi"', 'x']],
    ['6" syringe,x', ',', ['6" syringe', 'x']],
    ['="00591234567",x', ',', ['="00591234567"', 'x']],
    ['"=""00591234567""",x', ',', ['="00591234567"', 'x']],
    ['a|b', '|', ['a', 'b']],
    ["it's,x", ',', ["it's", 'x']],
  ])('%j with %j are %j', (text, delimiter, cells) => {
    expect(parseRecord(text, delimiter)).toEqual({ kind: 'cells', cells });
  });

  it.each([
    ['a,"b', 'quote open'],
    ['a,"b""', 'quote open'],
    ['"a"b,c', 'quote misplaced'],
    ['a,"x" y', 'quote misplaced'],
  ])('%j are none: %s', (text, kind) => {
    expect(parseRecord(text, ',')).toEqual({ kind });
  });
});

describe('records', () => {
  it('go on over the lines of a quoted field', () => {
    const lines = ['1,"first', 'second ""line""', '', 'last",x', '2,b,y'];
    expect(recordsOf(lines, 3)).toEqual([
      [1, ['1', 'first\nsecond "line"\n\nlast', 'x']],
      [5, ['2', 'b', 'y']],
    ]);
  });

  it('go on over the lines of a quoted field that comes first', () => {
    expect(recordsOf(['"first', 'second",b,c', 'd,e,f'], 3)).toEqual([
      [1, ['first\nsecond', 'b', 'c']],
      [3, ['d', 'e', 'f']],
    ]);
  });

  it('are given up when a quote is never closed, and only their first line is refused', () => {
    expect(recordsOf(['1,a', '2,"b', '3,c', '4,d'], 2)).toEqual([
      [1, ['1', 'a']],
      [2, 'SG_ROW_QUOTE'],
      [3, ['3', 'c']],
      [4, ['4', 'd']],
    ]);
  });

  it('are given up at the end of the file', () => {
    expect(recordsOf(['1,a', '2,"b'], 2)).toEqual([
      [1, ['1', 'a']],
      [2, 'SG_ROW_QUOTE'],
    ]);
    expect(recordsOf(['1,"b', 'x', '2,"c'], 2)).toEqual([
      [1, 'SG_ROW_QUOTE'],
      [2, ['x']],
      [3, 'SG_ROW_QUOTE'],
    ]);
  });

  it('do not reach for a quote in a later row', () => {
    expect(recordsOf(['1,"b', '2,c', '3,6"'], 2)).toEqual([
      [1, 'SG_ROW_QUOTE'],
      [2, ['2', 'c']],
      [3, ['3', '6"']],
    ]);
    expect(recordsOf(['"1","b', '"2","c"', '"3","d"'], 2)).toEqual([
      [1, 'SG_ROW_QUOTE'],
      [2, ['2', 'c']],
      [3, ['3', 'd']],
    ]);
    expect(recordsOf(['1,b,"c', '2,"d,e', '3,f,g'], 3)).toEqual([
      [1, 'SG_ROW_QUOTE'],
      [2, 'SG_ROW_QUOTE'],
      [3, ['3', 'f', 'g']],
    ]);
  });

  it('are given up after fifty lines, and each of those is read again', () => {
    const records = recordsOf(['1,"b', ...Array.from({ length: 60 }, () => 'text'), '2,c'], 2);
    expect(records[0]).toEqual([1, 'SG_ROW_QUOTE']);
    expect(records.at(-1)).toEqual([62, ['2', 'c']]);
    expect(records.length).toBe(62);
  });

  it('pass over blank lines between them', () => {
    expect(recordsOf(['', '1,a', '  ', '\t', '\u001a', '2,b'], 2)).toEqual([
      [2, ['1', 'a']],
      [6, ['2', 'b']],
    ]);
  });

  it('are refused for bytes that are no text, inside a quoted field too', () => {
    expect(recordsOf([undefined, '1,"a', undefined, '2,b'], 2)).toEqual([
      [1, 'SG_ENCODING_INVALID'],
      [2, 'SG_ROW_QUOTE'],
      [3, 'SG_ENCODING_INVALID'],
      [4, ['2', 'b']],
    ]);
  });

  it('are refused when they are longer than allowed', () => {
    const records = new CsvRecords(',', 2, 1_000);
    expect(records.push({ ...line('1,aaa'), isCut: true }).map(({ fault }) => fault?.code)).toEqual(['SG_ITEM_TOO_LARGE']);
    expect(records.push(line(`1,"${'a'.repeat(600)}`))).toEqual([]);
    const given = records.push(line('b'.repeat(600), 2));
    expect(given.map(({ cells, fault }) => cells?.length ?? fault?.code)).toEqual(['SG_ROW_QUOTE', 1]);
  });
});

import { describe, expect, it, test } from 'vitest';
import { Header, type ListedRow } from '../../../../src/ingest/directory/listing-reader.ts';
import { PlainListReader } from '../../../../src/ingest/directory/plain-list.ts';
import { faultsOf, lineOf } from './listings.ts';

/** The rows of a list, its header in line 1. */
function rowsOf(header: string, ...lines: string[]): ListedRow[] {
  const reader = new PlainListReader(header.split(','), ',', 65_536);
  return [...lines.flatMap((text, index) => reader.push(lineOf(index + 2, text))), ...reader.end()];
}

describe('a plain list', () => {
  it.each(['ndc,schedule', 'schedule,ndc', 'NDC , DEA Schedule', 'name,ndc,dea_schedule,more'])('begins with %s', (header) => {
    expect(PlainListReader.isHeader(new Header(header.split(',')))).toBe(true);
  });

  it.each(['ndc', 'schedule,name', 'ndc11,schedule', 'PRODUCTID,NDCPACKAGECODE,PACKAGEDESCRIPTION', ''])(
    'does not begin with "%s"',
    (header) => {
      expect(PlainListReader.isHeader(new Header(header.split(',')))).toBe(false);
    },
  );

  it('is read by the names of its columns, whatever their order and case, and passes over all others', () => {
    const [row] = rowsOf(
      'Units,Price,Package Form,NAME,Schedule,NDC',
      '60,9.50,"CAPSULE, 10 mg","Hydrocodone, ""ER""",CII,60274-610-01',
    );
    expect(row).toEqual({
      line: 2,
      texts: {
        ndc: '60274-610-01',
        name: 'Hydrocodone, "ER"',
        packageForm: 'CAPSULE, 10 mg',
        schedule: 'CII',
        unitsPerContainer: '60',
      },
    });
  });

  it('keeps the leading zeros that a spreadsheet keeps in ="…", quoted or not', () => {
    const rows = rowsOf('ndc,schedule', '="00093721410",2', '"=""00093721410""",2', '00093721410,2');
    expect(rows.map(({ texts }) => texts?.ndc)).toEqual(['00093721410', '00093721410', '00093721410']);
  });

  it('says of what it leaves out that it says nothing', () => {
    const [row] = rowsOf('ndc,schedule', '0591-0240-00,CIV');
    expect(row?.texts).toEqual({ ndc: '0591-0240-00', name: '', packageForm: '', schedule: 'CIV', unitsPerContainer: '' });
  });
});

test('a row that cannot be read is named by its line, and those after it are read', () => {
  const rows = rowsOf(
    'ndc,schedule,name',
    '0591-0240-00,CIV',
    '0591-5619-00,CIV,Diazepam,more',
    '',
    '0591-0744-00,CIV,"Estazolam" 2 mg',
    '0591-5513-00,CIV,"Carisoprodol',
    '0591-0395-00,CIV,Pentazocine',
  );
  expect(faultsOf(rows)).toEqual([
    [2, 'The row has 2 columns; the header has 3.'],
    [3, 'The row has 4 columns; the header has 3.'],
    [5, 'A quoted field goes on after its closing quote. Double the quotes inside a field.'],
    [6, 'The row opens a quote that is not closed. Double a quote that is text.'],
    [7, undefined],
  ]);
});

test('a name may go on in the next line, and its row is named by the line on which it begins', () => {
  const rows = rowsOf('ndc,schedule,name', '0591-0240-00,CIV,"Lorazepam', 'tablets"', '0591-5619-00,CIV,Diazepam');
  expect(rows.map(({ line, texts }) => [line, texts?.name])).toEqual([
    [2, 'Lorazepam\ntablets'],
    [4, 'Diazepam'],
  ]);
});

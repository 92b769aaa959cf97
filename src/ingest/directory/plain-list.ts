/** A list of packages of one's own: CSV with the columns ndc, schedule, and where there are name, package_form, units_per_container. */
import { type CsvRecord, CsvRecords, unguarded } from '../file/csv-record.ts';
import type { TextLine } from '../file/file-row.ts';
import { Header, type ListedRow, type ListingReader } from './listing-reader.ts';

export class PlainListReader implements ListingReader {
  readonly #header: Header;
  readonly #records: CsvRecords;

  constructor(cells: readonly string[], delimiter: string, rowBytesMax: number) {
    this.#header = new Header(cells);
    this.#records = new CsvRecords(delimiter, cells.length, rowBytesMax);
  }

  static isHeader(header: Header): boolean {
    return header.has('ndc') && (header.has('schedule') || header.has('dea_schedule'));
  }

  push(line: TextLine): ListedRow[] {
    return this.#records.push(line).map((record) => this.#row(record));
  }

  end(): ListedRow[] {
    return this.#records.end().map((record) => this.#row(record));
  }

  #row({ lines, cells, fault }: CsvRecord): ListedRow {
    const line = lines[0].number;
    if (cells === undefined) return { line, fault: fault?.message ?? 'The row cannot be read.' };
    if (cells.length !== this.#header.count) {
      return { line, fault: `The row has ${cells.length} columns; the header has ${this.#header.count}.` };
    }
    const of = (...names: readonly string[]): string => this.#header.cell(cells, ...names);
    return {
      line,
      texts: {
        ndc: unguarded(of('ndc')),
        name: of('name', 'product_name'),
        packageForm: of('package_form'),
        schedule: of('schedule', 'dea_schedule'),
        unitsPerContainer: of('units_per_container', 'units'),
      },
    };
  }
}

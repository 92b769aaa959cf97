/**
 * Lines to rows of a CSV file: an optional line `sep=;`, a header, then records.
 *
 * @throws ScanGateError `SG_INPUT_FILE` from `push` or `end` when the header is not what a scan needs; no row was given out then.
 */
import { ScanGateError } from '../../base/errors.ts';
import { quoted } from '../../scan/rejection.ts';
import { Columns } from './columns.ts';
import { type CsvRecord, CsvRecords, delimiterOf, parseRecord } from './csv-record.ts';
import { type Evidence, evidenceOf, type FileRow, isBlank, type RowReader, redactedEvidence, type TextLine } from './file-row.ts';
import type { FileMeaning } from './import-options.ts';

export class CsvReader implements RowReader {
  readonly #file: string;
  readonly #meaning: FileMeaning;
  readonly #rowBytesMax: number;
  #delimiter: string | undefined;
  #body: { readonly columns: Columns; readonly records: CsvRecords } | undefined;

  constructor(file: string, meaning: FileMeaning, rowBytesMax: number) {
    this.#file = file;
    this.#meaning = meaning;
    this.#rowBytesMax = rowBytesMax;
    this.#delimiter = meaning.delimiter;
  }

  push(line: TextLine): FileRow[] {
    if (this.#body !== undefined) return this.#rows(this.#body.records.push(line), this.#body.columns);
    if (!isBlank(line)) this.#readHead(line);
    return [];
  }

  end(): FileRow[] {
    if (this.#body === undefined) throw new ScanGateError('SG_INPUT_FILE', `${this.#file} has no header.`);
    return this.#rows(this.#body.records.end(), this.#body.columns);
  }

  #readHead(line: TextLine): void {
    if (line.text === undefined || line.isCut || line.text.includes('\0')) {
      throw new ScanGateError(
        'SG_INPUT_FILE',
        `${this.#file} does not begin with a header that can be read in this encoding. Which one is it in? See --encoding.`,
      );
    }
    const separator = /^"?sep=(.)"?$/iu.exec(line.text.trim())?.[1];
    if (separator !== undefined && line.number === 1) this.#delimiter ??= separator;
    else this.#body = this.#readHeader(line.text);
  }

  #readHeader(text: string): { columns: Columns; records: CsvRecords } {
    const delimiter = this.#delimiter ?? delimiterOf(text);
    const parsed = parseRecord(text, delimiter);
    if (parsed.kind !== 'cells') {
      throw new ScanGateError('SG_INPUT_FILE', `${this.#file} has a header whose quotes do not fit: ${quoted(text)}.`);
    }
    const columns = new Columns(this.#file, parsed.cells, this.#meaning);
    return { columns, records: new CsvRecords(delimiter, columns.count, this.#rowBytesMax) };
  }

  #rows(records: readonly CsvRecord[], columns: Columns): FileRow[] {
    return records.map((record) => this.#row(record, columns));
  }

  #row({ lines, cells, fault }: CsvRecord, columns: Columns): FileRow {
    const line = lines[0].number;
    const evidence = (): Evidence => {
      if (!columns.holdsPatientData) return evidenceOf(lines);
      // Of a row that cannot be read nobody knows where the patient is in it.
      return redactedEvidence(JSON.stringify(columns.withoutPatientData(cells ?? Array<string>(columns.count).fill(''))));
    };
    if (cells === undefined) return { line, value: this.#meaning.constants, evidence, ...(fault !== undefined && { fault }) };
    if (cells.length === columns.count) return { line, value: columns.scanOf(cells), evidence };
    const message = `The row has ${cells.length} columns; the header has ${columns.count}.`;
    return { line, value: this.#meaning.constants, evidence, fault: { code: 'SG_ROW_COLUMNS', message } };
  }
}

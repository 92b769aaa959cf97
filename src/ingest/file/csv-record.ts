/**
 * Lines to records of CSV (RFC 4180), by the csv-parse library, one record at a time.
 *
 * A field in quotes may hold line ends, so a record may go on in the next lines. A quote that is never closed must not swallow the
 * rows after it: the record is given up as soon as a following line is a row of its own, or the record gets too long or does not
 * have the columns that it must have; then its first line is refused and reading goes on with the second.
 *
 * State: `#open` is empty between records, and holds the lines of a record whose quote is not closed yet.
 */
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { Rejection } from '../../scan/rejection.ts';
import { isBlank, type TextLine } from './file-row.ts';

export interface CsvRecord {
  readonly lines: readonly [TextLine, ...TextLine[]];
  /** Without the white space and the quotes around them. Nothing where the record cannot be read. */
  readonly cells?: readonly string[];
  readonly fault?: Rejection;
}

export type ParsedRecord =
  | { readonly kind: 'cells'; readonly cells: readonly string[] }
  | { readonly kind: 'quote open' }
  | { readonly kind: 'quote misplaced' };

/** A quote inside an unquoted field is text; text after a closing quote is an error. */
export function parseRecord(text: string, delimiter: string): ParsedRecord {
  // Without a quote there is nothing to parse, and most rows have none.
  if (!text.includes('"')) return { kind: 'cells', cells: text.split(delimiter).map((cell) => cell.trim()) };
  try {
    const records = parse(text, {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      trim: true,
    });
    const [cells] = records;
    return records.length === 1 && cells !== undefined ? { kind: 'cells', cells } : { kind: 'quote misplaced' };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { kind: error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'quote open' : 'quote misplaced' };
  }
}

/** `="…"`, by which spreadsheets keep leading zeros, is taken off. */
export function unguarded(cell: string): string {
  return /^="([^"]*)"$/.exec(cell)?.[1] ?? cell;
}

const delimiters = [',', ';', '\t', '|'];

/** The one that gives a header the most columns. */
export function delimiterOf(header: string): string {
  const columnsBy = (delimiter: string): number => {
    const parsed = parseRecord(header, delimiter);
    return parsed.kind === 'cells' ? parsed.cells.length : 0;
  };
  return delimiters.toSorted((a, b) => columnsBy(b) - columnsBy(a))[0] ?? ',';
}

/** How far a quote may be from the one that closes it. */
const recordLinesMax = 50;

export class CsvRecords {
  readonly #delimiter: string;
  readonly #columnCount: number;
  readonly #recordBytesMax: number;
  #open: TextLine[] = [];

  constructor(delimiter: string, columnCount: number, recordBytesMax: number) {
    this.#delimiter = delimiter;
    this.#columnCount = columnCount;
    this.#recordBytesMax = recordBytesMax;
  }

  push(line: TextLine): CsvRecord[] {
    const [first, ...others] = this.#open;
    if (first === undefined) return isBlank(line) ? [] : this.#begin(line);
    if (this.#isRowOfItsOwn(line, first) || this.#isTooLong(line)) return this.#giveUp(first, [...others, line]);
    this.#open.push(line);
    if (line.text?.includes('"') !== true) return [];
    const parsed = this.#parse([first, ...others, line]);
    if (parsed.kind === 'quote open') return [];
    if (parsed.kind === 'quote misplaced' || parsed.cells.length !== this.#columnCount) {
      return this.#giveUp(first, [...others, line]);
    }
    this.#open = [];
    return [{ lines: [first, ...others, line], cells: parsed.cells }];
  }

  end(): CsvRecord[] {
    const [first, ...others] = this.#open;
    return first === undefined ? [] : [...this.#giveUp(first, others), ...this.end()];
  }

  #begin(line: TextLine): CsvRecord[] {
    if (line.isCut) return [refused(line, 'SG_ITEM_TOO_LARGE', `The row is longer than ${this.#recordBytesMax} bytes.`)];
    if (line.text === undefined) {
      return [refused(line, 'SG_ENCODING_INVALID', 'The row is not text in the encoding of the file. See --encoding.')];
    }
    const parsed = this.#parse([line]);
    if (parsed.kind === 'quote misplaced') {
      return [refused(line, 'SG_ROW_QUOTE', 'A quoted field goes on after its closing quote. Double the quotes inside a field.')];
    }
    if (parsed.kind === 'cells') return [{ lines: [line], cells: parsed.cells }];
    this.#open = [line];
    return [];
  }

  /** The first line opened a quote that nothing closes; what followed is read again without it. */
  #giveUp(first: TextLine, others: readonly TextLine[]): CsvRecord[] {
    this.#open = [];
    const never = refused(first, 'SG_ROW_QUOTE', 'The row opens a quote that is not closed. Double a quote that is text.');
    return [never, ...others.flatMap((line) => this.push(line))];
  }

  #parse(lines: readonly TextLine[]): ParsedRecord {
    return parseRecord(lines.map(({ text }) => text).join('\n'), this.#delimiter);
  }

  /** A line with all the columns is a row, and not the rest of a field; of a first field only if it has no quote to close it. */
  #isRowOfItsOwn({ text }: TextLine, first: TextLine): boolean {
    if (text === undefined) return true;
    if (text.split(this.#delimiter).length !== this.#columnCount) return false;
    return first.text?.trimStart().startsWith('"') !== true || !text.includes('"');
  }

  #isTooLong({ bytes, isCut }: TextLine): boolean {
    const openBytes = this.#open.reduce((sum, line) => sum + line.bytes.byteLength, 0);
    return isCut || this.#open.length >= recordLinesMax || openBytes + bytes.byteLength > this.#recordBytesMax;
  }
}

function refused(line: TextLine, code: Rejection['code'], message: string): CsvRecord {
  return { lines: [line], fault: { code, message } };
}

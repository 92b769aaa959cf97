import { CsvReader } from './csv-reader.ts';
import { linesOf } from './file-lines.ts';
import type { FileRow, RowReader } from './file-row.ts';
import type { FileMeaning } from './import-options.ts';
import type { InputFile } from './input-file.ts';
import { NdjsonReader } from './ndjson-reader.ts';

export interface RowsOptions {
  readonly meaning: FileMeaning;
  /** Of a longer row only the beginning is kept, and it is refused. */
  readonly rowBytesMax: number;
  /** Called with the number of bytes that have been read. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * The rows of a file in their order, read as they are asked for.
 *
 * @throws ScanGateError `SG_INPUT_FILE` before the first row when the file is not what the meaning says.
 */
export async function* rowsOf(file: InputFile, { meaning, rowBytesMax, onBytes }: RowsOptions): AsyncGenerator<FileRow> {
  const reader: RowReader =
    meaning.format === 'csv' ? new CsvReader(file.path, meaning, rowBytesMax) : new NdjsonReader(meaning, rowBytesMax);
  for await (const line of linesOf(file, { encoding: meaning.encoding, lineBytesMax: rowBytesMax, onBytes })) {
    yield* reader.push(line);
  }
  yield* reader.end();
}

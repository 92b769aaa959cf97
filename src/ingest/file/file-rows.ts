import { CsvReader } from './csv-reader.ts';
import type { FileRow, RowReader } from './file-row.ts';
import type { FileMeaning } from './import-options.ts';
import type { InputFile } from './input-file.ts';
import { LineSplitter, type RawLine } from './line-splitter.ts';
import { NdjsonReader } from './ndjson-reader.ts';
import { decoderOf, detectEncoding } from './text-encoding.ts';

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
  const { encoding, markBytes } = detectEncoding(await file.start(), meaning.encoding);
  const splitter = new LineSplitter(encoding, rowBytesMax);
  const decode = decoderOf(encoding);
  const reader: RowReader =
    meaning.format === 'csv' ? new CsvReader(file.path, meaning, rowBytesMax) : new NdjsonReader(meaning, rowBytesMax);
  const rows = (line: RawLine): FileRow[] => reader.push({ ...line, text: decode(line.bytes) });
  let readBytes = markBytes;
  for await (const chunk of file.chunks(markBytes)) {
    readBytes += chunk.byteLength;
    onBytes(readBytes);
    for (const line of splitter.push(chunk)) yield* rows(line);
  }
  for (const line of splitter.end()) yield* rows(line);
  yield* reader.end();
}

import type { TextLine } from './file-row.ts';
import type { InputFile } from './input-file.ts';
import { LineSplitter, type RawLine } from './line-splitter.ts';
import { decoderOf, detectEncoding, type Encoding } from './text-encoding.ts';

export interface LinesOptions {
  /** Of a file without a byte-order mark. */
  readonly encoding: Encoding | undefined;
  /** Of a longer line only the beginning is kept. */
  readonly lineBytesMax: number;
  /** Called with the number of bytes that have been read. */
  readonly onBytes?: (bytes: number) => void;
}

/** The lines of a file in their order, read as they are asked for. */
export async function* linesOf(
  file: InputFile,
  { encoding: asked, lineBytesMax, onBytes }: LinesOptions,
): AsyncGenerator<TextLine> {
  const { encoding, markBytes } = detectEncoding(await file.start(), asked);
  const splitter = new LineSplitter(encoding, lineBytesMax);
  const decode = decoderOf(encoding);
  const textLine = (line: RawLine): TextLine => ({ ...line, text: decode(line.bytes) });
  let readBytes = markBytes;
  for await (const chunk of file.chunks(markBytes)) {
    readBytes += chunk.byteLength;
    onBytes?.(readBytes);
    for (const line of splitter.push(chunk)) yield textLine(line);
  }
  for (const line of splitter.end()) yield textLine(line);
}

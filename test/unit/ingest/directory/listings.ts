import type { ListedRow } from '../../../../src/ingest/directory/listing-reader.ts';
import type { TextLine } from '../../../../src/ingest/file/file-row.ts';

/** Line number so and so of a file, after its header; nothing for one that is no text. */
export function lineOf(number: number, text: string | undefined): TextLine {
  return { number, text, bytes: Buffer.from(text ?? '\u0081', 'utf8'), isCut: false, lineFeed: Uint8Array.of(0x0a) };
}

export function faultsOf(rows: readonly ListedRow[]): [number, string | undefined][] {
  return rows.map(({ line, fault }) => [line, fault]);
}

/** One row of a file: what was read of it, and what is kept of it should it be refused. */
import type { RawInput } from '../../ledger/ledger.ts';
import type { Rejection } from '../../scan/rejection.ts';
import type { RawLine } from './line-splitter.ts';

export interface TextLine extends RawLine {
  /** Nothing where the bytes are not text in the encoding of the file. */
  readonly text: string | undefined;
}

export interface FileRow {
  /** The line on which it begins. */
  readonly line: number;
  /** The row as a scan on the wire, as far as it could be read. */
  readonly value: unknown;
  /** Why the row as a whole cannot be read. */
  readonly fault?: Rejection;
  readonly evidence: () => Evidence;
}

/** What the journal and the list of rejected rows keep of a row. */
export interface Evidence {
  readonly raw: RawInput;
  readonly text: string;
}

/** Turns lines into rows. Rows come in the order of their lines. */
export interface RowReader {
  push(line: TextLine): FileRow[];
  /** What is left when the last line was pushed. */
  end(): FileRow[];
}

/** A row as it stands in the file. The line ends inside it are written as LF. */
export function evidenceOf(lines: readonly TextLine[]): Evidence {
  const bytes = lines.flatMap((line, index) => (index === 0 ? [line.bytes] : [line.lineFeed, line.bytes]));
  const truncated = lines.some(({ isCut }) => isCut);
  // A copy of its own: the lines are views of the large chunks that were read.
  const raw = { bytes: new Uint8Array(Buffer.concat(bytes)), ...(truncated && { truncated }) };
  return { raw, text: lines.map((line) => line.text ?? escapedBytes(line.bytes)).join('\n') };
}

/** What is kept of a row in place of it, because values in it looked like patient data. */
export function redactedEvidence(text: string): Evidence {
  return { raw: { bytes: new TextEncoder().encode(text), redacted: true }, text };
}

/** White space, or the Ctrl-Z that ended a file before others were appended to it. */
export function isBlank({ text }: TextLine): boolean {
  return text?.replaceAll('\u001a', '').trim() === '';
}

/** ASCII as it is, any other byte as in `\xE9`. */
function escapedBytes(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes).toString('latin1');
  return latin1.replace(/[^ -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

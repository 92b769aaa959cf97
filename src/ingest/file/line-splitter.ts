/**
 * Bytes to lines, in any encoding, before they are text: so that a line whose bytes are no text is one line, with its number.
 *
 * In: the chunks of a file, cut anywhere. Out: every line, blank ones too, ended by CR LF, LF or CR, also mixed in one file. Of a
 * line longer than the limit only the beginning is kept. A Ctrl-Z at the very end is the end of the file, as in DOS.
 */
import type { Encoding } from './text-encoding.ts';

export interface RawLine {
  /** Counted from 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Longer than the limit: only its beginning is here. */
  readonly isCut: boolean;
  /** How its encoding writes LF. */
  readonly lineFeed: Uint8Array;
}

const lineFeeds: Readonly<Record<Encoding, Uint8Array>> = {
  'utf-8': Uint8Array.of(0x0a),
  'utf-16le': Uint8Array.of(0x0a, 0x00),
  'utf-16be': Uint8Array.of(0x00, 0x0a),
  'windows-1252': Uint8Array.of(0x0a),
};

const [lineFeed, carriageReturn, ctrlZ] = [0x0a, 0x0d, 0x1a];

export class LineSplitter {
  readonly #unitBytes: 1 | 2;
  readonly #lowByteAt: 0 | 1;
  readonly #lineBytesMax: number;
  readonly #lineFeed: Uint8Array;
  /** What is held of the line that has not ended yet. */
  #parts: Uint8Array[] = [];
  #heldBytes = 0;
  #isCut = false;
  /** Half of a two-byte unit, at the end of a chunk. */
  #half: Uint8Array = new Uint8Array(0);
  #endedWithReturn = false;
  #count = 0;

  constructor(encoding: Encoding, lineBytesMax: number) {
    this.#unitBytes = encoding.startsWith('utf-16') ? 2 : 1;
    this.#lowByteAt = encoding === 'utf-16be' ? 1 : 0;
    this.#lineBytesMax = lineBytesMax;
    this.#lineFeed = lineFeeds[encoding];
  }

  push(chunk: Uint8Array): RawLine[] {
    const bytes = this.#half.byteLength === 0 ? chunk : Buffer.concat([this.#half, chunk]);
    const wholeBytes = bytes.byteLength - (bytes.byteLength % this.#unitBytes);
    this.#half = bytes.subarray(wholeBytes);
    const lines: RawLine[] = [];
    let start = 0;
    for (let at = 0; at < wholeBytes; at += this.#unitBytes) {
      const unit = this.#unitAt(bytes, at);
      if (unit !== lineFeed && unit !== carriageReturn) continue;
      const endsReturn = unit === lineFeed && this.#endedWithReturn && at === start && this.#heldBytes === 0;
      if (!endsReturn) {
        this.#hold(bytes.subarray(start, at));
        lines.push(this.#take());
      }
      this.#endedWithReturn = unit === carriageReturn;
      start = at + this.#unitBytes;
    }
    this.#hold(bytes.subarray(start, wholeBytes));
    return lines;
  }

  /** The last line, where nothing ends it. */
  end(): RawLine[] {
    this.#hold(this.#half);
    const line = this.#take();
    const bytes = this.#withoutCtrlZ(line.bytes);
    return bytes.byteLength === 0 ? [] : [{ ...line, bytes }];
  }

  #hold(part: Uint8Array): void {
    const kept = part.subarray(0, this.#lineBytesMax - this.#heldBytes);
    this.#isCut ||= kept.byteLength < part.byteLength;
    this.#heldBytes += kept.byteLength;
    if (kept.byteLength > 0) this.#parts.push(kept);
  }

  #take(): RawLine {
    this.#count += 1;
    const [only] = this.#parts;
    const bytes = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts);
    const line = { number: this.#count, bytes, isCut: this.#isCut, lineFeed: this.#lineFeed };
    this.#parts = [];
    this.#heldBytes = 0;
    this.#isCut = false;
    return line;
  }

  #withoutCtrlZ(bytes: Uint8Array): Uint8Array {
    let end = bytes.byteLength;
    while (end >= this.#unitBytes && this.#unitAt(bytes, end - this.#unitBytes) === ctrlZ) end -= this.#unitBytes;
    return bytes.subarray(0, end);
  }

  #unitAt(bytes: Uint8Array, at: number): number {
    const low = bytes[at + this.#lowByteAt] ?? 0;
    return this.#unitBytes === 1 ? low : low | ((bytes[at + 1 - this.#lowByteAt] ?? 0) << 8);
  }
}

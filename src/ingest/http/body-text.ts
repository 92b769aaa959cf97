/** Pieces of a body: the whole of it as text, or its lines. Memory is bounded by one chunk and one line. */

/** All the chunks, and the error that ended them before their end. */
export interface Collected {
  readonly bytes: Buffer;
  readonly error?: unknown;
}

export async function collect(chunks: AsyncIterable<Buffer>): Promise<Collected> {
  const parts: Buffer[] = [];
  try {
    for await (const chunk of chunks) parts.push(chunk);
    return { bytes: Buffer.concat(parts) };
  } catch (error) {
    return { bytes: Buffer.concat(parts), error };
  }
}

export interface Line {
  readonly bytes: Buffer;
  /** Longer than the limit: only its beginning is here. */
  readonly truncated: boolean;
  /** What ended the lines before their end. Such a line is the last, and may be the beginning of one, or empty. */
  readonly error?: unknown;
}

const lineFeed = 0x0a;

/** Lines that hold anything but white space. Of one longer than `bytesMax` the rest is passed over. Does not throw. */
export async function* linesOf(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Line> {
  const line = new LineInHand(bytesMax);
  try {
    for await (const chunk of chunks) {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
        line.add(chunk.subarray(start, end));
        start = end + 1;
        const whole = line.take();
        if (!isBlank(whole)) yield whole;
      }
      line.add(chunk.subarray(start));
    }
  } catch (error) {
    yield { ...line.take(), error };
    return;
  }
  const last = line.take();
  if (!isBlank(last)) yield last;
}

class LineInHand {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #truncated = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(part: Buffer): void {
    const kept = part.subarray(0, this.#bytesMax - this.#bytes);
    this.#truncated ||= kept.byteLength < part.byteLength;
    this.#bytes += kept.byteLength;
    if (kept.byteLength > 0) this.#parts.push(kept);
  }

  take(): Line {
    const line = { bytes: Buffer.concat(this.#parts), truncated: this.#truncated };
    [this.#parts, this.#bytes, this.#truncated] = [[], 0, false];
    return line;
  }
}

function isBlank({ bytes }: Line): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

/** UTF-8 without a byte-order mark, or nothing where the bytes are not UTF-8. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

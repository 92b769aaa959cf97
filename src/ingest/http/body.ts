/**
 * The body of a request, as it arrives.
 *
 * In: the raw stream and what its headers say of it. Out: chunks, inflated, never more of them than the limit; or why it cannot be
 * read. A body that stops arriving is given up. Nothing is held but the chunk in hand and, of a compressed body, the beginning of
 * what was sent: it is the evidence when it cannot be inflated.
 */
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { within } from '../../base/deadline.ts';
import { type ErrorCode, ScanGateError } from '../../base/errors.ts';

export interface BodyLimits {
  /** Bytes, both as sent and inflated. */
  readonly bytesMax: number;
  /** How much of a compressed body is kept as it was sent, bytes. */
  readonly sentBytesMax: number;
  /** How long the next bytes may take to arrive, ms. */
  readonly idleMsMax: number;
}

export class RequestBody {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #encoding: string;
  readonly #limits: BodyLimits;
  readonly #sent: Buffer[] = [];
  #sentBytes = 0;

  constructor(request: IncomingMessage, limits: BodyLimits) {
    this.#chunks = request[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    this.#encoding = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
    this.#limits = limits;
  }

  /** The beginning of a compressed body as it was sent, as far as it was read; nothing of one that is sent as it is. */
  get sent(): Buffer {
    return Buffer.concat(this.#sent);
  }

  get isEncoded(): boolean {
    return this.#encoding !== '' && this.#encoding !== 'identity';
  }

  /** To be read once. @throws ScanGateError of the kind `request`; any other error is a connection that broke off. */
  chunks(): AsyncGenerator<Buffer> {
    const sent = limited(this.#arriving(), this.#limits.bytesMax);
    if (!this.isEncoded) return sent;
    if (this.#encoding === 'gzip' || this.#encoding === 'x-gzip') return limited(inflated(sent), this.#limits.bytesMax);
    return unreadable(sent, this.#encoding);
  }

  /**
   * Passes over what is still under way, for a while: a client that is cut off while it sends does not read its answer.
   */
  async discardRest(withinMs: number): Promise<void> {
    const until = performance.now() + withinMs;
    for (let left = withinMs; left > 0; left = until - performance.now()) {
      const next = await within(left, this.#chunks.next(), undefined).catch(() => undefined);
      if (next === undefined || next.done === true) return;
    }
  }

  async *#arriving(): AsyncGenerator<Buffer> {
    const { idleMsMax } = this.#limits;
    for (;;) {
      const next = await within(idleMsMax, this.#chunks.next(), undefined);
      if (next === undefined) throw refused('SG_REQUEST_TIMEOUT', `No more of the body arrived within ${idleMsMax} ms.`);
      if (next.done === true) return;
      if (this.isEncoded) this.#keep(next.value);
      yield next.value;
    }
  }

  #keep(chunk: Buffer): void {
    const kept = chunk.subarray(0, this.#limits.sentBytesMax - this.#sentBytes);
    this.#sentBytes += kept.byteLength;
    if (kept.byteLength > 0) this.#sent.push(kept);
  }
}

async function* limited(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    const left = bytesMax - bytes;
    bytes += chunk.byteLength;
    if (bytes <= bytesMax) yield chunk;
    else {
      // What is within the limit is kept as evidence.
      yield chunk.subarray(0, left);
      throw refused('SG_BODY_TOO_LARGE', `The body is larger than ${bytesMax} bytes.`);
    }
  }
}

/** Passes over it, and then says why. */
async function* unreadable(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield chunk.subarray(0, 0);
  throw refused('SG_CONTENT_ENCODING', `Content-Encoding is "${encoding.slice(0, 40)}"; send gzip, or none.`);
}

async function* inflated(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // What goes wrong on the way in destroys the stream, and so comes out below.
  pipeline(chunks, gunzip).catch(() => undefined);
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw refused('SG_CONTENT_ENCODING', 'The body is not gzip, as its Content-Encoding says, or it is cut short.');
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

function refused(code: ErrorCode, message: string): ScanGateError {
  return new ScanGateError(code, message);
}

/** A connection that broke off is nobody's transmission: there is no one left to answer. */
export function codedOrThrow(error: unknown): ScanGateError {
  if (error instanceof ScanGateError) return error;
  throw error;
}

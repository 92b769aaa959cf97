/**
 * A file to be imported, as it was when it was opened: what is written to its end meanwhile is left for the next import.
 *
 * It is read twice: once for its digest, by which a later run knows it again, and once for its rows.
 */

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { ScanGateError } from '../../base/errors.ts';
import { messageOf } from '../../base/message-of.ts';
import { byteOrderMarkBytesMax } from './text-encoding.ts';

const chunkBytes = 256 * 1024;

export class InputFile {
  readonly path: string;
  readonly bytes: number;
  readonly #handle: FileHandle;

  private constructor(path: string, bytes: number, handle: FileHandle) {
    this.path = path;
    this.bytes = bytes;
    this.#handle = handle;
  }

  /** @throws ScanGateError `SG_INPUT_FILE` with one sentence that names the path. */
  static async open(path: string): Promise<InputFile> {
    const handle = await openForReading(path);
    const status = await handle.stat();
    const fault = status.isDirectory() ? 'is a directory' : !status.isFile() ? 'is not a regular file' : undefined;
    if (fault !== undefined || status.size === 0) {
      await handle.close();
      throw new ScanGateError('SG_INPUT_FILE', `${path} ${fault ?? 'is empty'}; there is nothing to import.`);
    }
    return new InputFile(path, status.size, handle);
  }

  /** SHA-256 of its bytes, 64 hexadecimal digits. */
  async digest(): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of this.chunks(0)) hash.update(chunk);
    return hash.digest('hex');
  }

  /** Its first bytes. */
  async start(): Promise<Uint8Array> {
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(byteOrderMarkBytesMax), 0, byteOrderMarkBytesMax, 0);
    return buffer.subarray(0, bytesRead);
  }

  /** @throws ScanGateError `SG_INPUT_FILE` when there is less of it than when it was opened. */
  async *chunks(from: number): AsyncGenerator<Buffer> {
    for (let at = from; at < this.bytes; ) {
      const wanted = Math.min(chunkBytes, this.bytes - at);
      const { buffer, bytesRead } = await this.#read(wanted, at);
      if (bytesRead === 0) throw new ScanGateError('SG_INPUT_FILE', `${this.path} was cut short while it was read.`);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #read(bytes: number, at: number): Promise<{ buffer: Buffer; bytesRead: number }> {
    try {
      return await this.#handle.read(Buffer.allocUnsafeSlow(bytes), 0, bytes, at);
    } catch (error) {
      throw new ScanGateError('SG_INPUT_FILE', `${this.path} cannot be read: ${messageOf(error)}.`, { cause: error });
    }
  }
}

async function openForReading(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const message = isMissing ? `There is no file ${path}.` : `${path} cannot be opened: ${messageOf(error)}.`;
    throw new ScanGateError('SG_INPUT_FILE', message, { cause: error });
  }
}

/**
 * The list of rejected rows, as a CSV file that a person opens in a spreadsheet.
 *
 * Rows are listed after the transaction that refuses them. A run that goes on where another stopped takes back what was listed of the
 * last transaction, and lists it again by what the journal says of it: no row is lost, none is listed twice.
 */

import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { ScanGateError } from '../../base/errors.ts';
import { messageOf } from '../../base/message-of.ts';
import { codePointName } from '../../scan/rejection.ts';

export interface RejectedRow {
  readonly line: number;
  readonly rejection: { readonly code: string; readonly field?: string; readonly message: string };
  /** As it stands in the file. */
  readonly text: string;
}

const header = 'line,code,field,message,raw\r\n';
const rawLengthMax = 10_000;

export class RejectedList {
  readonly path: string;
  #handle: FileHandle | undefined;
  #hasBegun = false;
  #bytes = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** How long it is; 0 while nothing was rejected, and then there is no file. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Goes on after the first `bytes` of it. False when they are not there any more. */
  resume(bytes: number): Promise<boolean> {
    return this.#guarded(async () => {
      if (bytes === 0) return true;
      const found = await stat(this.path).catch(() => undefined);
      if (found === undefined || found.size < bytes) return false;
      this.#handle = await open(this.path, 'r+');
      await this.#handle.truncate(bytes);
      this.#bytes = bytes;
      this.#hasBegun = true;
      return true;
    });
  }

  /** The first time, also without rows, it takes the place of a list of an earlier import; of no other file. */
  add(rows: readonly RejectedRow[]): Promise<void> {
    return this.#guarded(async () => {
      if (!this.#hasBegun) await this.#begin();
      if (rows.length === 0) return;
      this.#handle ??= await open(this.path, 'wx');
      const text = (this.#bytes === 0 ? header : '') + rows.map(csvRow).join('');
      const { bytesWritten } = await this.#handle.write(text, this.#bytes);
      this.#bytes += bytesWritten;
      await this.#handle.datasync();
    });
  }

  async #begin(): Promise<void> {
    this.#hasBegun = true;
    const found = await stat(this.path).catch(() => undefined);
    if (found === undefined) return;
    if (!found.isFile() || !(await this.#beginsAsList())) {
      throw new ScanGateError(
        'SG_INPUT_FILE',
        `${this.path} is there and is no list of rejected rows; name another with --rejected.`,
      );
    }
    await unlink(this.path);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #beginsAsList(): Promise<boolean> {
    const handle = await open(this.path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(header.length), 0, header.length, 0);
      return bytesRead === 0 || buffer.toString('latin1') === header;
    } finally {
      await handle.close();
    }
  }

  async #guarded<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof ScanGateError) throw error;
      const why = messageOf(error);
      throw new ScanGateError('SG_INPUT_FILE', `The list of rejected rows ${this.path} cannot be written: ${why}.`, {
        cause: error,
      });
    }
  }
}

function csvRow({ line, rejection, text }: RejectedRow): string {
  const raw = text.length > rawLengthMax ? `${text.slice(0, rawLengthMax)}…` : text;
  return `${[String(line), rejection.code, rejection.field ?? '', rejection.message, raw].map(csvCell).join(',')}\r\n`;
}

/** RFC 4180, and nothing that a spreadsheet takes for a formula. Control characters are shown by the name of their code point. */
function csvCell(text: string): string {
  const shown = text.replace(/\p{Cc}/gu, (control) => ('\t\r\n'.includes(control) ? control : codePointName(control)));
  const harmless = /^[=+\-@\t\r]/.test(shown) ? `'${shown}` : shown;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

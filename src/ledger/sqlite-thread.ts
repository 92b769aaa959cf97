/**
 * The thread in which the SQLite ledger runs, so that an fsync never holds up the thread that answers scanners.
 *
 * In: one message a call. Out: one message a call, in the order of the calls, or why it failed. It ends when it is told to.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { type ErrorCode, ScanGateError } from '../base/errors.ts';
import { randomIds } from '../base/ids.ts';
import { messageOf } from '../base/message-of.ts';
import { SqliteBooks } from './sqlite-books.ts';
import type { OpenOptions } from './sqlite-file.ts';

export interface ThreadData extends OpenOptions {
  readonly path: string;
}

/** What the thread can be asked for. `close` ends it. */
export type ThreadMethod =
  | 'append'
  | 'resolve'
  | 'lines'
  | 'records'
  | 'recordsOfPick'
  | 'recordsOfScanId'
  | 'line'
  | 'quarantined'
  | 'quarantine'
  | 'quarantineEntry'
  | 'checkpoint'
  | 'status'
  | 'close';

export interface ThreadCall {
  readonly id: number;
  readonly method: ThreadMethod;
  readonly args: readonly unknown[];
}

export type ThreadReply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly code: ErrorCode; readonly message: string };

/** The id of the message that says whether the file could be opened. */
export const openedId = 0;

const port = parentPort;
if (port === null) throw new TypeError('This file runs in a worker thread.');

function reply(id: number, act: () => unknown): void {
  try {
    port?.postMessage({ id, ok: true, value: act() } satisfies ThreadReply);
  } catch (error) {
    const code = error instanceof ScanGateError ? error.code : 'SG_LEDGER_FAILED';
    const message = messageOf(error);
    port?.postMessage({ id, ok: false, code, message } satisfies ThreadReply);
  }
}

reply(openedId, () => {
  const { path, ...options } = workerData as ThreadData;
  const books = new SqliteBooks(path, systemClock, randomIds, options);
  port.on('message', ({ id, method, args }: ThreadCall) => {
    reply(id, () => (books[method] as (...args: readonly unknown[]) => unknown).apply(books, [...args]));
    if (method === 'close') port.close();
  });
});

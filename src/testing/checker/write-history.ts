/**
 * Writes a history to a file: JSON lines, and at the end how many events there are, by which the reader knows a whole one.
 *
 * Writing is synchronous: who writes waits for the disk, so nothing piles up in memory and no event is lost between two writers. What can
 * go wrong is one sentence that names the file: it cannot be made, or its disk is full.
 */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { ScanGateError } from '../../base/errors.ts';
import { messageOf } from '../../base/message-of.ts';
import type { HistoryWriter } from '../history.ts';

const bufferedCharsMax = 256 * 1024;

export interface HistoryFile {
  readonly write: HistoryWriter;
  /** Takes events that somebody else has made lines of already. @param lines each with its end. */
  writeLines(lines: string, events: number): void;
  /** Ends the file. One that was not closed cannot be read. */
  close(): void;
  /** Leaves it without its end, with all that was written: whoever reads it is told that it is cut off. Never throws. */
  abandon(): void;
}

export function lineOfEvent(event: Parameters<HistoryWriter>[0]): string {
  return `${JSON.stringify(event)}\n`;
}

/** @throws ScanGateError `SG_HISTORY_INVALID`, as everything of it does that writes. */
export function openHistoryFile(path: string): HistoryFile {
  const descriptor = orSaid(path, () => openSync(path, 'w'));
  let isOpen = true;
  let events = 0;
  let buffered = '';
  const flush = (): void => {
    const lines = buffered;
    buffered = '';
    // Until all of it is written, which a single write does not promise.
    orSaid(path, () => writeFileSync(descriptor, lines));
  };
  const close = (): void => {
    isOpen = false;
    closeSync(descriptor);
  };
  const writeLines = (lines: string, count: number): void => {
    // What comes after the end was not seen by it.
    if (!isOpen) return;
    const isFirst = events === 0;
    events += count;
    buffered += lines;
    // What cannot be written at all is known before anything has begun.
    if (isFirst || buffered.length > bufferedCharsMax) flush();
  };
  return {
    write: (event) => writeLines(lineOfEvent(event), 1),
    writeLines,
    close() {
      buffered += `${JSON.stringify({ kind: 'end', events })}\n`;
      flush();
      close();
    },
    abandon() {
      if (!isOpen) return;
      try {
        flush();
      } catch {
        // It is cut off, which the reader sees.
      }
      close();
    },
  };
}

function orSaid<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    throw new ScanGateError('SG_HISTORY_INVALID', `The history cannot be written to ${path}: ${messageOf(cause)}.`, { cause });
  }
}

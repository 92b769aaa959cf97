/**
 * Reads histories from files: JSON lines, one event each. The last line says how many events there are, so that a file that was cut off is never
 * taken for a whole one.
 *
 * What can go wrong: there is no such file, a line is no event, the end is missing. Each is one sentence that names the file and the line.
 */
import { createReadStream } from 'node:fs';
import { ScanGateError } from '../../base/errors.ts';
import { messageOf } from '../../base/message-of.ts';
import type { HistoryEvent } from '../history.ts';
import { HistoryChecker } from './check-history.ts';
import { faultInEvent } from './event-shape.ts';
import type { Judgement } from './judgement.ts';

const chunkBytes = 256 * 1024;
/** No event is longer. */
const lineCharsMax = 4 * 1024 * 1024;

/** @throws ScanGateError `SG_HISTORY_INVALID` with one sentence that names the file. */
export async function checkHistoryFile(path: string): Promise<Judgement> {
  const checker = new HistoryChecker();
  for await (const event of readHistory(path)) checker.add(event);
  return checker.judge();
}

/**
 * The events of a file, in order.
 *
 * @throws ScanGateError `SG_HISTORY_INVALID`
 */
export async function* readHistory(path: string): AsyncGenerator<HistoryEvent> {
  const reading = new Reading(path);
  for await (const lines of linesOf(path)) {
    for (const line of lines) {
      const event = reading.take(line);
      if (event !== undefined) yield event;
    }
  }
  reading.end();
}

/** How far a file has been read. */
class Reading {
  readonly #path: string;
  #lines = 0;
  #events = 0;
  #hasEnded = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Nothing for the line that ends the history. */
  take(line: string): HistoryEvent | undefined {
    this.#lines += 1;
    const place = `${this.#path}, line ${this.#lines}`;
    if (this.#hasEnded) throw invalid(`${place}: the history has ended on the line before.`);
    const value = parsed(line, place);
    if (value['kind'] === 'end') {
      this.#hasEnded = true;
      if (value['events'] === this.#events) return undefined;
      throw invalid(`${this.#path} says that it has ${String(value['events'])} events; there are ${this.#events}.`);
    }
    const fault = faultInEvent(value);
    if (fault !== undefined) throw invalid(`${place}: ${fault}.`);
    this.#events += 1;
    return value as unknown as HistoryEvent;
  }

  end(): void {
    if (!this.#hasEnded) throw invalid(`${this.#path} is cut off after ${this.#events} events: it does not say where it ends.`);
  }
}

function parsed(line: string, place: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new ScanGateError('SG_HISTORY_INVALID', `${place} is not JSON: the file is damaged, cut off, or no history.`, {
      cause,
    });
  }
  if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  throw invalid(`${place} is no event.`);
}

async function* linesOf(path: string): AsyncGenerator<string[]> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: chunkBytes })) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > lineCharsMax) throw invalid(`${path} is no history: a line of it is longer than any event.`);
      yield lines;
    }
  } catch (error) {
    if (error instanceof ScanGateError) throw error;
    throw new ScanGateError('SG_HISTORY_INVALID', `${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  if (rest !== '') yield [rest];
}

function invalid(message: string): ScanGateError {
  return new ScanGateError('SG_HISTORY_INVALID', message);
}

/**
 * The history of a run in its file, and what it is judged by: nothing else is. Where nobody asked for the file it is a temporary one, which
 * is kept when something is wrong.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Judgement } from '../checker/judgement.ts';
import { checkHistoryFile } from '../checker/read-history.ts';
import { type HistoryFile, openHistoryFile } from '../checker/write-history.ts';

export class RunHistory {
  readonly path: string;
  readonly file: HistoryFile;
  readonly #isTemporary: boolean;

  /** @param path where it is to be kept. @throws ScanGateError `SG_HISTORY_INVALID` */
  constructor(path: string | undefined) {
    this.#isTemporary = path === undefined;
    this.path = path ?? join(mkdtempSync(join(tmpdir(), 'scangate-history-')), 'run.jsonl');
    this.file = openHistoryFile(this.path);
  }

  /** Once, after the last event. */
  judged(): Promise<Judgement> {
    this.file.close();
    return checkHistoryFile(this.path);
  }

  /** Removes one that nobody asked for. */
  drop(): void {
    if (this.#isTemporary) rmSync(dirname(this.path), { recursive: true, force: true });
  }
}

/**
 * A file as a transport: bytes → lines → rows → arrivals → the gate, some hundred rows in one transaction.
 *
 * In: a CSV or NDJSON file, and what it means. Out: a summary in which every row that was read has one outcome. What can go wrong:
 * the file is not what it should be (then nothing is read), or the ledger cannot write (then the import stops and can be started
 * again). It never holds more of the file than one transaction, and never submits a row again that a checkpoint stands for.
 *
 * A run that was stopped, however, goes on after its last checkpoint when it is started again with the same file and options. The rows
 * before are read again but not submitted: what a local time means depends on the rows before it. An import that had finished is
 * started anew; each row is then suppressed for the one that is there.
 */
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { ScanGateError } from '../../base/errors.ts';
import type { Arrival } from '../../gate/arrival.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Verdict } from '../../gate/verdict.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import type { FileRow } from './file-row.ts';
import { rowsOf } from './file-rows.ts';
import { checkpointKey, type ImportCheckpoint, outcomesOfLastRows, type RowOutcome, unfinished } from './import-checkpoint.ts';
import { type ImportCounts, noRows, withOutcomes } from './import-counts.ts';
import { checkMeaning, type FileMeaning } from './import-options.ts';
import { InputFile } from './input-file.ts';
import { RejectedList, type RejectedRow } from './rejected-list.ts';
import { RowArrivals } from './row-arrivals.ts';

interface ImportLimits {
  readonly rowsPerTransaction: number;
  readonly rowBytesMax: number;
  /** How often it is tried again while another process holds the ledger. */
  readonly busyRetriesMax: number;
  readonly busyRetryMs: number;
}

const defaultImportLimits: ImportLimits = {
  rowsPerTransaction: 500,
  rowBytesMax: 64 * 1024,
  busyRetriesMax: 10,
  busyRetryMs: 1_000,
};

export interface ImportProgress {
  readonly bytes: number;
  readonly bytesTotal: number;
  readonly counts: ImportCounts;
}

export interface ImportOptions {
  readonly path: string;
  readonly meaning: FileMeaning;
  readonly gate: Pick<Gate, 'submitTogether'>;
  readonly ledger: Pick<LedgerReader, 'checkpoint' | 'records'>;
  readonly clock: Clock;
  /** Where rejected rows are listed; `<path>.rejected.csv` when left out. */
  readonly rejectedPath?: string;
  /** How far ahead of the clock the time of a row may be. */
  readonly aheadMsMax?: number;
  readonly limits?: Partial<ImportLimits>;
  /** Called after each transaction. */
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly onRejected?: (row: RejectedRow) => void;
}

/** Over all runs of one import. */
export interface ImportSummary extends ImportCounts {
  readonly file: string;
  /** Where this run went on with what another had begun. */
  readonly resumed_at_line?: number;
  readonly rejected_file?: string;
}

/**
 * Imports a file, or goes on with it.
 *
 * @throws ScanGateError `SG_INPUT_FILE` or `SG_CONFIG_INVALID` before the first row; of the kind `unavailable` when the ledger
 * cannot write: what was acknowledged is kept, and the import can be started again.
 */
export async function importFile(options: ImportOptions): Promise<ImportSummary> {
  checkMeaning(options.meaning);
  const listPath = options.rejectedPath ?? `${options.path}.rejected.csv`;
  if (resolve(listPath) === resolve(options.path)) {
    throw new ScanGateError('SG_CONFIG_INVALID', `${listPath} is the file to import; list rejected rows in another.`);
  }
  const file = await InputFile.open(options.path);
  const list = new RejectedList(listPath);
  try {
    return await new FileImport(options, file, list).run();
  } finally {
    await list.close();
    await file.close();
  }
}

class FileImport {
  readonly #options: ImportOptions;
  readonly #limits: ImportLimits;
  readonly #file: InputFile;
  readonly #list: RejectedList;
  #key = '';
  #counts = noRows;
  /** On which the last row begins that is in the ledger. */
  #line = 0;
  #bytesRead = 0;
  #journalAfter: string | undefined;
  /** Of the last transaction of an earlier run. */
  #lastOutcomes: readonly RowOutcome[] = [];

  constructor(options: ImportOptions, file: InputFile, list: RejectedList) {
    this.#options = options;
    this.#limits = { ...defaultImportLimits, ...options.limits };
    this.#file = file;
    this.#list = list;
  }

  async run(): Promise<ImportSummary> {
    const { meaning, path } = this.#options;
    this.#key = checkpointKey(await this.#file.digest(), meaning);
    await this.#resume();
    const resumedAfter = this.#line;
    await this.#importRows(resumedAfter);
    await this.#finish();
    return {
      file: path,
      ...this.#counts,
      ...(resumedAfter > 0 && { resumed_at_line: resumedAfter + 1 }),
      ...(this.#list.bytes > 0 && { rejected_file: this.#list.path }),
    };
  }

  /** Without its list of rejected rows an import is not gone on with, but done anew: the new list is then whole. */
  async #resume(): Promise<void> {
    const { ledger } = this.#options;
    const checkpoint = unfinished(await ledger.checkpoint(this.#key));
    if (checkpoint === undefined || !(await this.#list.resume(checkpoint.rejected_bytes))) return;
    const { busyRetriesMax: retriesMax, busyRetryMs } = this.#limits;
    const pause = (): Promise<void> => sleep(busyRetryMs);
    const { outcomes, journalAfter } = await outcomesOfLastRows(ledger, checkpoint, { retriesMax, pause });
    this.#counts = withOutcomes(checkpoint.counts, outcomes);
    this.#line = checkpoint.line;
    this.#journalAfter = journalAfter;
    this.#lastOutcomes = outcomes;
  }

  async #importRows(resumedAfter: number): Promise<void> {
    const { meaning, clock, aheadMsMax } = this.#options;
    const arrivals = new RowArrivals(meaning, aheadMsMax);
    const onBytes = (bytes: number): void => {
      this.#bytesRead = bytes;
    };
    const passed: FileRow[] = [];
    let rows: FileRow[] = [];
    let batch: Arrival[] = [];
    let receivedAt = clock.nowMs();
    for await (const row of rowsOf(this.#file, { meaning, rowBytesMax: this.#limits.rowBytesMax, onBytes })) {
      if (row.line <= resumedAfter) {
        arrivals.passOver(row, receivedAt);
        passed.push(row);
        if (passed.length > this.#lastOutcomes.length) passed.shift();
        if (row.line === resumedAfter) await this.#listRejected(passed, this.#lastOutcomes);
        continue;
      }
      rows.push(row);
      batch.push(arrivals.of(row, receivedAt));
      if (rows.length < this.#limits.rowsPerTransaction) continue;
      await this.#submit(rows, batch, receivedAt);
      rows = [];
      batch = [];
      // No two transactions have the same: it tells their records apart.
      receivedAt = Math.max(clock.nowMs(), receivedAt + 1);
    }
    if (rows.length > 0) await this.#submit(rows, batch, receivedAt);
  }

  async #submit(rows: readonly FileRow[], batch: readonly Arrival[], receivedAt: number): Promise<void> {
    this.#line = rows.at(-1)?.line ?? this.#line;
    const verdicts = await this.#write(batch, { done: false, rows: rows.length, received_at: receivedAt });
    const outcomes = verdicts.map(outcomeOf);
    this.#counts = withOutcomes(this.#counts, outcomes);
    await this.#listRejected(rows, outcomes);
    this.#options.onProgress?.({ bytes: this.#bytesRead, bytesTotal: this.#file.bytes, counts: this.#counts });
  }

  async #listRejected(rows: readonly FileRow[], outcomes: readonly RowOutcome[]): Promise<void> {
    const rejected = outcomes.flatMap(({ rejection }, index) => {
      const row = rows[index];
      return rejection === undefined || row === undefined ? [] : [{ line: row.line, rejection, text: row.evidence().text }];
    });
    await this.#list.add(rejected);
    for (const row of rejected) this.#options.onRejected?.(row);
  }

  async #finish(): Promise<void> {
    await this.#list.add([]);
    await this.#write([], { done: true, rows: 0, received_at: this.#options.clock.nowMs() });
  }

  async #write(
    batch: readonly Arrival[],
    own: Pick<ImportCheckpoint, 'done' | 'rows' | 'received_at'>,
  ): Promise<readonly Verdict[]> {
    const value: ImportCheckpoint = {
      v: 1,
      ...own,
      line: this.#line,
      counts: this.#counts,
      rejected_bytes: this.#list.bytes,
      ...(this.#journalAfter !== undefined && { journal_after: this.#journalAfter }),
    };
    return this.#whenFree(batch, { key: this.#key, value: JSON.stringify(value) });
  }

  async #whenFree(...batch: Parameters<Gate['submitTogether']>): Promise<readonly Verdict[]> {
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#options.gate.submitTogether(...batch);
      } catch (error) {
        const isBusy = error instanceof ScanGateError && error.code === 'SG_LEDGER_BUSY';
        if (!isBusy || retries >= this.#limits.busyRetriesMax) throw error;
        await sleep(this.#limits.busyRetryMs);
      }
    }
  }
}

function outcomeOf({ transmission, decision }: Verdict): RowOutcome {
  if (decision.outcome === 'unavailable') throw new ScanGateError(decision.code, decision.message);
  const { outcome } = decision;
  if (outcome === 'rejected') return { outcome, flags: [], rejection: decision.rejection };
  const scanId = transmission.kind === 'scan' ? transmission.scan.scanId : undefined;
  return { outcome, gapMs: outcome === 'suppressed' ? decision.gapMs : undefined, scanId, flags: decision.flags };
}

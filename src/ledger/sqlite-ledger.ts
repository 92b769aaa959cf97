/**
 * The SQLite ledger, seen from the thread that answers scanners. {@inheritDoc Ledger}
 *
 * An `append` resolves after the transaction is on disk (WAL, `synchronous=FULL`). If the thread dies, every call that was under
 * way and every later one is `unavailable`; nothing was acknowledged for them.
 */
import { Worker } from 'node:worker_threads';
import { ScanGateError } from '../base/errors.ts';
import type { JournalRecord } from './journal-record.ts';
import type { Checkpoint, Decision, Ledger, LedgerStatus, Page, PageQuery, QuarantineQuery, Transmission } from './ledger.ts';
import type { LedgerLine } from './ledger-line.ts';
import type { QuarantineEntry, Resolution, ResolveRequest } from './quarantine-entry.ts';
import type { ThreadCall, ThreadData, ThreadMethod, ThreadReply } from './sqlite-thread.ts';

export interface SqliteLedgerOptions {
  /** How long to wait for another process that is writing, ms. */
  readonly busyMs?: number;
  /** Look through the structure of the whole file before the first scan. */
  readonly check?: boolean;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class SqliteLedger implements Ledger {
  readonly #thread: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #ended: ScanGateError | undefined;

  private constructor(thread: Worker) {
    this.#thread = thread;
    thread.on('message', (reply: ThreadReply) => this.#settle(reply));
    thread.on('error', (error) => this.#end(`The thread of the ledger failed: ${error.message}`));
    thread.on('exit', () => this.#end('The ledger is closed'));
  }

  /** @throws ScanGateError of the kind `startup` when the file cannot be used. */
  static async open(path: string, options: SqliteLedgerOptions = {}): Promise<SqliteLedger> {
    const workerData: ThreadData = { path, busyMs: options.busyMs ?? 5_000, check: options.check ?? true };
    const ledger = new SqliteLedger(new Worker(new URL('./sqlite-thread.js', import.meta.url), { workerData }));
    try {
      await ledger.#answerTo(ledger.#lastId);
      return ledger;
    } catch (error) {
      await ledger.#thread.terminate();
      throw error;
    }
  }

  append(batch: readonly Transmission[], checkpoint?: Checkpoint): Promise<readonly Decision[]> {
    return this.#call('append', batch, checkpoint);
  }

  resolve(request: ResolveRequest): Promise<Resolution> {
    return this.#call('resolve', request);
  }

  lines(query: PageQuery): Promise<Page<LedgerLine>> {
    return this.#call('lines', query);
  }

  records(query: PageQuery): Promise<Page<JournalRecord>> {
    return this.#call('records', query);
  }

  recordsOfPick(claimKey: string): Promise<readonly JournalRecord[]> {
    return this.#call('recordsOfPick', claimKey);
  }

  recordsOfScanId(scanId: string): Promise<readonly JournalRecord[]> {
    return this.#call('recordsOfScanId', scanId);
  }

  line(entryId: string): Promise<LedgerLine | undefined> {
    return this.#call('line', entryId);
  }

  quarantined(id: string): Promise<Uint8Array | undefined> {
    return this.#call('quarantined', id);
  }

  quarantine(query: QuarantineQuery): Promise<Page<QuarantineEntry>> {
    return this.#call('quarantine', query);
  }

  quarantineEntry(id: string): Promise<QuarantineEntry | undefined> {
    return this.#call('quarantineEntry', id);
  }

  checkpoint(key: string): Promise<string | undefined> {
    return this.#call('checkpoint', key);
  }

  status(): Promise<LedgerStatus> {
    return this.#call('status');
  }

  async close(): Promise<void> {
    if (this.#ended === undefined) await this.#call('close');
    await this.#thread.terminate();
  }

  async #call<T>(method: ThreadMethod, ...args: unknown[]): Promise<T> {
    if (this.#ended !== undefined) throw this.#ended;
    this.#lastId += 1;
    const answer = this.#answerTo(this.#lastId);
    this.#thread.postMessage({ id: this.#lastId, method, args } satisfies ThreadCall);
    return (await answer) as T;
  }

  #answerTo(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #settle(reply: ThreadReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.ok) waiting?.resolve(reply.value);
    else waiting?.reject(new ScanGateError(reply.code, reply.message));
  }

  #end(why: string): void {
    this.#ended ??= new ScanGateError('SG_LEDGER_FAILED', `${why}. Restart the server.`);
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}

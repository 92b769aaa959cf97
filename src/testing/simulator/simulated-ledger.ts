/**
 * The ledger of one process over the simulated database, done as the ledger in PostgreSQL does it: heads locked in sorted order, the real plan
 * made of what is there then, constraints, COMMIT, and the answer when the standby has it.
 *
 * What can go wrong: the connection is lost before anything was written; COMMIT is done and its answer lost; nothing comes back for long. Then
 * the caller is told `unavailable`, or is kept waiting. It never answers before it is safe.
 */
import { ScanGateError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Decision, Ledger, Transmission } from '../../ledger/ledger.ts';
import { planBatch } from '../../ledger/plan-batch.ts';
import { unreadableFacility } from '../../scan/scan.ts';
import type { Random } from '../workload/random.ts';
import { delayMs, type Faults } from './faults.ts';
import type { Scheduler } from './scheduler.ts';
import { DatabaseGone, RowsRefused, type SimulatedDatabase, type Transaction } from './simulated-database.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** Added to each step where it is slow. */
const slowHopMs = 60;
const attemptsMax = 5;

export class SimulatedLedger implements Pick<Ledger, 'append'> {
  readonly #database: SimulatedDatabase;
  readonly #process: SimulatedProcess;
  readonly #scheduler: Scheduler;
  readonly #faults: Faults;
  readonly #ids: IdSource;

  constructor(database: SimulatedDatabase, process: SimulatedProcess, scheduler: Scheduler, faults: Faults, ids: IdSource) {
    this.#database = database;
    this.#process = process;
    this.#scheduler = scheduler;
    this.#faults = faults;
    this.#ids = ids;
  }

  async append(batch: readonly Transmission[]): Promise<readonly Decision[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#inTransaction(batch);
      } catch (error) {
        if (attempt < attemptsMax && error instanceof RowsRefused) continue;
        if (error instanceof RowsRefused) throw new ScanGateError('SG_LEDGER_REFERENCE', error.message);
        if (error instanceof DatabaseGone) throw new ScanGateError('SG_LEDGER_FAILED', error.message);
        throw error;
      }
    }
  }

  async #inTransaction(batch: readonly Transmission[]): Promise<readonly Decision[]> {
    const random = this.#faults.of(`${this.#process.name} appends ${nameOf(batch)}`);
    const transaction = this.#database.begin(this.#process.id);
    try {
      return await this.#process.call(random, () => this.#write(transaction, batch, random));
    } finally {
      this.#database.end(transaction);
    }
  }

  async #write(transaction: Transaction, batch: readonly Transmission[], random: Random): Promise<readonly Decision[]> {
    const { name } = this.#process;
    const meanMs = this.#database.hopMs + (this.#faults.meets('ledger slow', random, name) ? slowHopMs : 0);
    const isLost = this.#faults.meets('ledger connection lost', random, name);
    const hop = (): Promise<void> =>
      new Promise((resolve) => {
        this.#scheduler.after(delayMs(random, meanMs), () => {
          this.#database.turnstile.enter(() => this.#process.enter(resolve));
        });
      });
    for (const facility of facilitiesOf(batch)) {
      await hop();
      await this.#database.lock(transaction, facility);
    }
    await hop();
    if (isLost || !transaction.isOpen) throw new DatabaseGone('the connection was lost');
    const plan = planBatch(this.#database.books, batch, this.#process.nowMs(), this.#ids);
    await hop();
    await this.#process.call(random, () => this.#commit(transaction, plan, random, meanMs));
    return plan.decisions;
  }

  /** From here on it is the matter of the server, whatever becomes of the process. */
  async #commit(transaction: Transaction, plan: ReturnType<typeof planBatch>, random: Random, meanMs: number): Promise<void> {
    const { name } = this.#process;
    const isUnanswered = this.#faults.meets('commit unanswered', random, name);
    const silentMs = this.#faults.meets('ledger silent', random, name) ? random.between(1_000, 20_000) : 0;
    await this.#scheduler.sleep(delayMs(random, meanMs));
    await new Promise<void>((resolve) => this.#database.turnstile.enter(resolve));
    const committed = this.#database.commit(transaction, plan);
    await this.#scheduler.sleep(committed.safeAt - this.#scheduler.now);
    await this.#scheduler.sleep(delayMs(random, meanMs) + silentMs);
    if (isUnanswered || !this.#database.canAnswer(committed)) throw new DatabaseGone('the connection was lost in COMMIT');
  }
}

/** Sorted, so that writers that share facilities never wait for each other in a circle. */
function facilitiesOf(batch: readonly Transmission[]): string[] {
  const names = batch.map((transmission) => {
    return transmission.kind === 'scan'
      ? transmission.scan.facilityUuid
      : (transmission.origin.facilityUuid ?? unreadableFacility);
  });
  return [...new Set(names)].sort();
}

/** What the chance of a batch is named by: its first transmission. */
function nameOf([first]: readonly Transmission[]): string {
  return first?.kind === 'scan' ? (first.scan.actor ?? first.identity.content) : `rejected ${first?.receivedAt}`;
}

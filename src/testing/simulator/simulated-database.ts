/**
 * A database that holds books: locks on the heads of facilities, constraints, a log that reaches a standby later, crashes and failovers.
 *
 * What is committed is seen by others at once, and is answered when the standby has it, in the order of the log (R5). After a crash all that
 * was committed is there; after a failover all that the standby had, which is all that was answered and perhaps more. Locks are waited for
 * without an end: who waits in a circle is never answered, and the run tells.
 */
import { samePhysicalScan } from '../../identity/window.ts';
import { MemoryBooks } from '../../ledger/memory-ledger.ts';
import type { Plan } from '../../ledger/plan-batch.ts';
import { knownLine } from '../../ledger/stored-rows.ts';
import { randomOf } from '../workload/random.ts';
import { delayMs, type Faults } from './faults.ts';
import type { Scheduler } from './scheduler.ts';
import { Turnstile } from './turnstile.ts';

const standbyMs = 0.5;
const slowStandbyMs = 300;

/** The database went away: nothing of what was open is kept. */
export class DatabaseGone extends Error {}

/** A constraint refused a row that the books had not shown: to be decided anew. */
export class RowsRefused extends Error {}

/** One open transaction, and the locks that it holds. */
export class Transaction {
  readonly owner: string;
  readonly locked: string[] = [];
  isOpen = true;
  /** Called when it ends from outside. */
  readonly gone: (() => void)[] = [];

  constructor(owner: string) {
    this.owner = owner;
  }
}

interface Lock {
  holder: Transaction;
  readonly waiting: { readonly transaction: Transaction; readonly granted: () => void }[];
}

/** A committed transaction. */
export interface Committed {
  readonly plan: Plan;
  /** True time at which the standby has it, and it may be answered. */
  readonly safeAt: number;
  /** In which life of the server it was committed: only in the same one is there a connection on which to answer. */
  readonly life: number;
}

export class SimulatedDatabase {
  books = new MemoryBooks();
  /** Before every step of every transaction. */
  readonly turnstile: Turnstile;
  /** How far away it is, and how busy: of a slow one whole batches wait. */
  readonly hopMs: number;
  readonly #scheduler: Scheduler;
  readonly #faults: Faults;
  #log: Committed[] = [];
  readonly #locks = new Map<string, Lock>();
  readonly #open = new Set<Transaction>();
  #downUntil = 0;
  #life = 1;

  constructor(scheduler: Scheduler, faults: Faults) {
    this.#scheduler = scheduler;
    this.#faults = faults;
    this.turnstile = new Turnstile(scheduler);
    this.hopMs = randomOf(faults.seed, 'speed of the database').pick([0.3, 0.3, 3, 30]);
  }

  /** @throws DatabaseGone while it is down. */
  begin(owner: string): Transaction {
    if (this.#scheduler.now < this.#downUntil) throw new DatabaseGone('the database is starting up');
    const transaction = new Transaction(owner);
    this.#open.add(transaction);
    return transaction;
  }

  /** Resolves when the head of the facility is held. */
  lock(transaction: Transaction, facility: string): Promise<void> {
    if (!transaction.isOpen) throw new DatabaseGone('the connection was lost');
    const lock = this.#locks.get(facility);
    if (lock === undefined) {
      this.#locks.set(facility, { holder: transaction, waiting: [] });
      transaction.locked.push(facility);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      lock.waiting.push({ transaction, granted: resolve });
      transaction.gone.push(() => reject(new DatabaseGone('the connection was lost')));
    });
  }

  /**
   * Writes a plan and commits it, in one step.
   *
   * @throws RowsRefused, DatabaseGone.
   */
  commit(transaction: Transaction, plan: Plan): Committed {
    if (!transaction.isOpen) throw new DatabaseGone('the connection was lost');
    this.#demandAllowed(plan);
    this.books.write(plan);
    const random = this.#faults.of(`log of ${transaction.owner}`);
    const meanMs = this.#faults.meets('standby slow', random, 'standby') ? slowStandbyMs : standbyMs;
    const before = this.#log.at(-1)?.safeAt ?? 0;
    const safeAt = Math.max(before, this.#scheduler.now + delayMs(random, meanMs));
    const committed: Committed = { plan, safeAt, life: this.#life };
    this.#log.push(committed);
    this.end(transaction);
    return committed;
  }

  /** Gives up what is open, and hands its locks to who waits. */
  end(transaction: Transaction): void {
    if (!transaction.isOpen) return;
    transaction.isOpen = false;
    this.#open.delete(transaction);
    for (const lock of this.#locks.values()) {
      const place = lock.waiting.findIndex((waiting) => waiting.transaction === transaction);
      if (place !== -1) lock.waiting.splice(place, 1);
    }
    for (const facility of transaction.locked) this.#unlock(facility);
    for (const gone of transaction.gone) gone();
  }

  /** A client is not heard of any more: its transactions end. */
  clientGone(owner: string): void {
    for (const transaction of [...this.#open]) if (transaction.owner === owner) this.end(transaction);
  }

  /** What was open is gone; what was committed is there. */
  crash(downMs: number): void {
    this.#life += 1;
    this.#downUntil = this.#scheduler.now + downMs;
    for (const transaction of [...this.#open]) this.end(transaction);
  }

  /** The standby takes over, with what had reached it. @returns how many transactions are lost, of which none was answered. */
  failOver(downMs: number): number {
    this.crash(downMs);
    const kept = this.#log.filter(({ safeAt }) => safeAt <= this.#scheduler.now);
    const lost = this.#log.length - kept.length;
    if (lost === 0) return 0;
    this.#log = kept;
    this.books = new MemoryBooks();
    for (const { plan } of kept) this.books.write(plan);
    return lost;
  }

  /** Whether the connection on which this was committed is still there. */
  canAnswer({ life }: Committed): boolean {
    return life === this.#life;
  }

  #unlock(facility: string): void {
    const lock = this.#locks.get(facility);
    const next = lock?.waiting.shift();
    if (lock === undefined || next === undefined) {
      this.#locks.delete(facility);
      return;
    }
    lock.holder = next.transaction;
    next.transaction.locked.push(facility);
    next.granted();
  }

  /** The constraints, for themselves: dense numbers, one outcome of a scan id, no two lines of one content within a window. */
  #demandAllowed(plan: Plan): void {
    const seqs = new Map<string, number>();
    for (const { record } of plan.records) {
      const last = seqs.get(record.facility_uuid) ?? this.books.head(record.facility_uuid).lastSeq;
      if (record.seq !== last + 1) throw new RowsRefused('a number was given twice');
      seqs.set(record.facility_uuid, record.seq);
    }
    for (const [index, line] of plan.lines.entries()) {
      const { facility_uuid, scanner_id, scan_uuid, identity, occurred_at } = line;
      const isKnown = scan_uuid !== null && this.books.knownScanId(facility_uuid, scanner_id, scan_uuid) !== undefined;
      const stored = this.books.nearestLines(facility_uuid, identity, occurred_at);
      const beside = plan.lines
        .slice(0, index)
        .filter((other) => other.identity === identity && other.facility_uuid === facility_uuid);
      const overlaps = [...stored, ...beside.map(knownLine)].some((other) => samePhysicalScan(other, knownLine(line)));
      if (isKnown || overlaps) throw new RowsRefused('a line is there already');
    }
  }
}

/**
 * A ledger as a site has one: rows, and nothing of ours in it but what it was given to keep.
 *
 * In: what a worker writes and looks up, over a network that loses answers. Out: rows. What it refuses by itself, a second row of one
 * pick, a fencing token that is not greater or a lease that is over, is a matter of the site.
 */
import type { CommitEnd, CommitLease, LedgerEntry } from '../../gate/guard-contract.ts';
import { productText } from '../../scan/product.ts';
import type { Scan } from '../../scan/scan.ts';
import { signedDelta } from '../../scan/scan-type.ts';
import type { LineEvent } from '../history.ts';
import type { Random } from '../workload/random.ts';
import { delayMs, type Faults } from './faults.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedProcess } from './simulated-process.ts';

const hopMs = 0.5;
const slowHopMs = 60;

interface Row extends LedgerEntry {
  readonly scan: Scan;
}

export interface RowRules {
  readonly refusesSecondRow?: boolean;
  readonly comparesFence?: boolean;
  /** Writes nothing after the end of a lease, by a clock of its own. */
  readonly heedsLease?: boolean;
  /** Looks for the pick by itself where it may exist. */
  readonly looksWhereItMayExist?: boolean;
  /** How often something of the site's own forbids a row just now, per mille. */
  readonly refusalsPerMille?: number;
  /** How long each of the messages of a commit takes on the average; as those of a look-up when left out. */
  readonly commitHopMs?: number;
}

export class OwnRows {
  readonly #rows: Row[] = [];
  readonly #byPick = new Map<string, Row>();
  readonly #fences = new Map<string, number>();
  readonly #rules: RowRules;
  readonly #scheduler: Scheduler;
  readonly #faults: Faults;

  constructor(rules: RowRules, scheduler: Scheduler, faults: Faults) {
    this.#rules = rules;
    this.#scheduler = scheduler;
    this.#faults = faults;
  }

  async commit(process: SimulatedProcess, lease: CommitLease): Promise<CommitEnd> {
    const random = this.#faults.of(`${process.name} commits ${lease.pick}`);
    const meanMs = this.#meanMs(process, random, this.#rules.commitHopMs);
    const isLost = this.#faults.meets('ledger connection lost', random, process.name);
    const isUnanswered = this.#faults.meets('commit unanswered', random, process.name);
    const silentMs = this.#faults.meets('ledger silent', random, process.name) ? random.between(1_000, 20_000) : 0;
    const [before, there, back] = [delayMs(random, meanMs), delayMs(random, meanMs), delayMs(random, meanMs)];
    const isRefused = random.perMille(this.#rules.refusalsPerMille ?? 0);
    const lateMs = random.between(0, random.pick([0, 1_000, 5_000, 20_000]));
    // A worker that is paused here goes on with a lease that may be over.
    await process.sleep(before);
    return process.call(random, async () => {
      await this.#scheduler.sleep(there);
      if (isLost) throw new Error('the connection was lost');
      if (isRefused) return { kind: 'not_written', reason: 'The cabinet is locked.' };
      if (isUnanswered) {
        // It is on its way, and nobody hears any more when it arrives.
        this.#scheduler.after(lateMs, () => this.#write(lease));
        throw new Error('the connection was lost in COMMIT');
      }
      const end = this.#write(lease);
      await this.#scheduler.sleep(back + silentMs);
      if (end === undefined) throw new Error('the lease is over');
      return end;
    });
  }

  lookup(process: SimulatedProcess, pick: string): Promise<LedgerEntry | undefined> {
    const random = this.#faults.of(`${process.name} looks up ${pick}`);
    const isLost = this.#faults.meets('ledger connection lost', random, process.name);
    const meanMs = this.#meanMs(process, random);
    const [there, back] = [delayMs(random, meanMs), delayMs(random, meanMs)];
    return process.call(random, async () => {
      await this.#scheduler.sleep(there);
      const row = this.#byPick.get(pick);
      await this.#scheduler.sleep(back);
      if (isLost) throw new Error('the connection was lost');
      return row;
    });
  }

  /** Writes a row for a worker that knows nothing of picks. */
  insert(scan: Scan): string {
    return this.#add('', scan, scan.occurredAt).reference;
  }

  *lines(): Generator<LineEvent> {
    for (const { reference, scan, occurredAt } of this.#rows) {
      yield {
        kind: 'line',
        facility_uuid: scan.facilityUuid,
        entry_id: reference,
        transmission: scan.actor ?? '',
        occurred_at: occurredAt,
        product: productText(scan.product),
        delta: signedDelta(scan.scanType, scan.quantity, scan.direction),
      };
    }
  }

  #meanMs({ name }: SimulatedProcess, random: Random, usualMs = hopMs): number {
    return this.#faults.meets('ledger slow', random, name) ? Math.max(slowHopMs, usualMs) : usualMs;
  }

  /** Nothing when the lease is over. */
  #write({ scan, pick, occurredAt, fence, leaseEndsAt, mayExist }: CommitLease): CommitEnd | undefined {
    const { refusesSecondRow, looksWhereItMayExist, comparesFence, heedsLease } = this.#rules;
    if (heedsLease === true && this.#scheduler.nowMs() >= leaseEndsAt) return undefined;
    const isLookedFor = refusesSecondRow === true || (looksWhereItMayExist === true && mayExist);
    const there = isLookedFor ? this.#byPick.get(pick) : undefined;
    if (there !== undefined) return { kind: 'duplicate', reference: there.reference, occurredAt: there.occurredAt };
    const last = this.#fences.get(pick) ?? 0;
    if (comparesFence === true && fence <= last) return { kind: 'not_written', reason: 'A later lease has written.' };
    this.#fences.set(pick, fence);
    return { kind: 'committed', reference: this.#add(pick, scan, occurredAt).reference };
  }

  #add(pick: string, scan: Scan, occurredAt: number): Row {
    const row: Row = { reference: `row ${this.#rows.length + 1}`, scan, occurredAt };
    this.#rows.push(row);
    if (pick !== '' && !this.#byPick.has(pick)) this.#byPick.set(pick, row);
    return row;
  }
}

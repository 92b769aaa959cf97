/**
 * A batch, from its transmissions to its decisions: one transaction, which is done again where that is safe.
 *
 * The heads of the batch's facilities are locked in sorted order, made first where they are missing, so that batches that share facilities
 * go one after the other and never wait for each other in a circle. Then the books are asked what the batch needs, it is decided in
 * memory, and written in a few statements. Rows of a writer that takes no lock can still get in between: a line that met a constraint
 * is left out by the insert and noticed by its count, and the batch is decided anew.
 *
 * A COMMIT whose answer does not come is looked up: whoever holds the lock of a head can see whether the record is there that the
 * transaction wrote, and its own commit, which comes later in the log, is as safe as that of the transaction had to be.
 */
import type pg from 'pg';
import type { Clock } from '../base/clock.ts';
import type { IdSource } from '../base/ids.ts';
import { unreadableFacility } from '../scan/scan.ts';
import type { Checkpoint, Decision, Transmission } from './ledger.ts';
import { type Plan, planBatch } from './plan-batch.ts';
import { CommitUnanswered, CommitUndone, ConnectionLost, HeadsMissing, passes } from './postgres-errors.ts';
import type { Durability, PostgresPool } from './postgres-pool.ts';
import { prefetch } from './postgres-prefetch.ts';
import { type HeadRow, withValues } from './postgres-statements.ts';
import { inTransaction } from './postgres-transaction.ts';
import { writePlan } from './postgres-write.ts';

/** How often a batch is tried whose transaction deadlocked, met rows of another writer or lost its connection. */
const attemptsMax = 5;

/** Facilities are few. A sender that makes up their names must not fill the memory. */
const knownHeadsMax = 10_000;

export class PostgresAppender {
  readonly #pool: PostgresPool;
  readonly #clock: Clock;
  readonly #ids: IdSource;
  /** Facilities whose heads were seen committed. Heads are never deleted. */
  readonly #knownHeads = new Set<string>();

  constructor(pool: PostgresPool, clock: Clock, ids: IdSource) {
    this.#pool = pool;
    this.#clock = clock;
    this.#ids = ids;
  }

  /** @throws what the database said last, when no attempt has ended in a commit. */
  async append(batch: readonly Transmission[], checkpoint?: Checkpoint): Promise<readonly Decision[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#appendOnce(batch, checkpoint);
      } catch (error) {
        if (attempt >= attemptsMax || !(passes(error) || error instanceof ConnectionLost)) throw error;
      }
    }
  }
  async #appendOnce(batch: readonly Transmission[], checkpoint: Checkpoint | undefined): Promise<readonly Decision[]> {
    const facilities = facilitiesOf(batch);
    let plan: Plan | undefined;
    try {
      await inTransaction(this.#pool, async (client) => {
        const heads = await this.#lockHeads(client, facilities);
        plan = planBatch(await prefetch(client, batch, heads), batch, this.#clock.nowMs(), this.#ids);
        await writePlan(client, plan, checkpoint);
      });
    } catch (error) {
      if (!(error instanceof CommitUnanswered)) throw error;
      await this.#lookUp(plan, error);
    }
    this.#remember(facilities);
    return plan?.decisions ?? [];
  }

  #remember(facilities: readonly string[]): void {
    if (this.#knownHeads.size > knownHeadsMax) this.#knownHeads.clear();
    for (const facility of facilities) this.#knownHeads.add(facility);
  }

  /** The heads as they are when nobody else writes to these facilities any more. */
  async #lockHeads(client: pg.PoolClient, facilities: readonly string[]): Promise<readonly HeadRow[]> {
    if (facilities.length === 0) return [];
    const unknown = facilities.filter((facility) => !this.#knownHeads.has(facility));
    if (unknown.length > 0) await client.query(withValues('addHeads', unknown));
    const { rows } = await client.query<HeadRow & Durability>(withValues('lockHeads', facilities));
    const [first] = rows;
    if (first !== undefined) this.#pool.checkDurability(first);
    if (rows.length < facilities.length) {
      this.#knownHeads.clear();
      throw new HeadsMissing(facilities.length - rows.length);
    }
    return rows;
  }

  /**
   * Whether the transaction of a plan was committed after all.
   *
   * @throws CommitUndone when it was not, so that it can be done again; the error that is given when that cannot be found out.
   */
  async #lookUp(plan: Plan | undefined, unanswered: CommitUnanswered): Promise<void> {
    const last = plan?.records.at(-1);
    if (last === undefined) throw unanswered;
    const { facility_uuid, seq } = last.record;
    const kept = await inTransaction(this.#pool, async (client) => {
      await this.#lockHeads(client, [facility_uuid]);
      const { rows } = await client.query<{ hash: string }>(withValues('recordHash', facility_uuid, seq));
      return rows[0]?.hash === last.hash;
    }).catch((cause: unknown) => {
      throw new CommitUnanswered(unanswered.message, { cause });
    });
    if (!kept) throw new CommitUndone(unanswered.message);
  }
}

function facilitiesOf(batch: readonly Transmission[]): readonly string[] {
  const names = batch.map((transmission) =>
    transmission.kind === 'scan' ? transmission.scan.facilityUuid : (transmission.origin.facilityUuid ?? unreadableFacility),
  );
  return [...new Set(names)];
}

/**
 * What is written to the books in PostgreSQL: one transaction for a batch, or for what a person resolves, done again where that is safe.
 *
 * The heads of the facilities are locked in sorted order, made first where they are missing, so that writers that share facilities go one
 * after the other and never wait for each other in a circle. Then the books are asked what the batch needs, it is decided in memory, and
 * written in a few statements. Rows of a writer that takes no lock can still get in between: a line that met a constraint is left out
 * by the insert and noticed by its count, and everything is decided anew.
 *
 * A COMMIT whose answer does not come is looked up: whoever holds the lock of a head can see whether the record is there that the
 * transaction wrote, and its own commit, which comes later in the log, is as safe as that of the transaction had to be.
 */
import type { Clock } from '../base/clock.ts';
import type { IdSource } from '../base/ids.ts';
import { unreadableFacility } from '../scan/scan.ts';
import type { Checkpoint, Decision, RejectedTransmission, Transmission } from './ledger.ts';
import { type Plan, planBatch } from './plan-batch.ts';
import { planResolution } from './plan-resolution.ts';
import { CommitUnanswered, CommitUndone, ConnectionLost, HeadsMissing, passes } from './postgres-errors.ts';
import type { Durability, PostgresPool } from './postgres-pool.ts';
import { prefetch } from './postgres-prefetch.ts';
import { withValues } from './postgres-statements.ts';
import { inTransaction } from './postgres-transaction.ts';
import type { Statements } from './postgres-watch.ts';
import { writePlan } from './postgres-write.ts';
import type { QuarantineEntry, Resolution, ResolveRequest } from './quarantine-entry.ts';
import { type HeadRow, type QuarantineRow, quarantineEntryOf } from './stored-rows.ts';

/** How often it is tried when the transaction deadlocked, met rows of another writer or lost its connection. */
const attemptsMax = 5;

/** Facilities are few. A sender that makes up their names must not fill the memory. */
const knownHeadsMax = 10_000;

/** What a transaction has written, if anything, and what is answered once it is committed. */
interface Written<T> {
  readonly answer: T;
  readonly plan?: Plan;
}

type Work<T> = (client: Statements, heads: readonly HeadRow[]) => Promise<Written<T>>;

/** Every method throws what the database said last, when no attempt has ended in a commit. */
export class PostgresBooks {
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

  append(batch: readonly Transmission[], checkpoint?: Checkpoint): Promise<readonly Decision[]> {
    return this.#write(facilitiesOf(batch), async (client, heads) => {
      const plan = planBatch(await prefetch(client, batch, heads), batch, this.#clock.nowMs(), this.#ids);
      await writePlan(client, plan, checkpoint);
      return { answer: plan.decisions, plan };
    });
  }

  /** Holds the facility that the input was rejected in, so that of two people one is told what the other did. */
  async resolve(request: ResolveRequest): Promise<Resolution> {
    const { quarantine_id: id } = request.resolves;
    const [known] = await this.#pool.query<QuarantineRow>(withValues('quarantineEntry', id));
    if (known === undefined) return { kind: 'not_found' };
    const batch = request.kind === 'release' ? [request.transmission] : [];
    const facilities = new Set([quarantineEntryOf(known).record.facility_uuid, ...facilitiesOf(batch)]);
    return this.#write([...facilities], async (client, heads) => {
      const books = await prefetch(client, batch, heads);
      const { resolution, plan } = planResolution(books, await entryIn(client, id), request, this.#clock.nowMs(), this.#ids);
      if (plan === undefined) return { answer: resolution };
      await writePlan(client, plan);
      return { answer: resolution, plan };
    });
  }

  async #write<T>(facilities: readonly string[], work: Work<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#writeOnce(facilities, work);
      } catch (error) {
        if (attempt >= attemptsMax || !(passes(error) || error instanceof ConnectionLost)) throw error;
      }
    }
  }

  async #writeOnce<T>(facilities: readonly string[], work: Work<T>): Promise<T> {
    let written: Written<T> | undefined;
    try {
      await inTransaction(this.#pool, async (client) => {
        written = await work(client, await this.#lockHeads(client, facilities));
      });
    } catch (error) {
      if (!(error instanceof CommitUnanswered)) throw error;
      await this.#lookUp(written?.plan, error);
    }
    this.#remember(facilities);
    if (written === undefined) throw new TypeError('A transaction without an answer.');
    return written.answer;
  }

  #remember(facilities: readonly string[]): void {
    if (this.#knownHeads.size > knownHeadsMax) this.#knownHeads.clear();
    for (const facility of facilities) this.#knownHeads.add(facility);
  }

  /** The heads as they are when nobody else writes to these facilities any more. */
  async #lockHeads(client: Statements, facilities: readonly string[]): Promise<readonly HeadRow[]> {
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

async function entryIn(client: Statements, id: string): Promise<QuarantineEntry | undefined> {
  const { rows } = await client.query<QuarantineRow>(withValues('quarantineEntry', id));
  return rows[0] && quarantineEntryOf(rows[0]);
}

/** Every facility that a record of the batch can belong to. */
function facilitiesOf(batch: readonly Transmission[]): readonly string[] {
  const names = batch.flatMap((transmission) => {
    if (transmission.kind === 'rejection') return [facilityOfRejected(transmission)];
    const { scan, unlisted } = transmission;
    return unlisted === undefined ? [scan.facilityUuid] : [scan.facilityUuid, facilityOfRejected(unlisted)];
  });
  return [...new Set(names)];
}

function facilityOfRejected({ origin }: RejectedTransmission): string {
  return origin.facilityUuid ?? unreadableFacility;
}

/**
 * The PostgreSQL ledger: many processes, one set of books. {@inheritDoc Ledger}
 *
 * An `append` resolves after COMMIT was answered: on disk, and at the standbys that the server is configured to wait for. What cannot be
 * said for certain is `unavailable`. Questions and batches share a bounded pool; every wait has an end.
 */
import { type Clock, systemClock } from '../base/clock.ts';
import { ScanGateError } from '../base/errors.ts';
import { type IdSource, randomIds } from '../base/ids.ts';
import type { AuditReport } from './audit.ts';
import type { AcceptedBreaks, JournalRecord } from './journal-record.ts';
import type { Checkpoint, Decision, Ledger, LedgerStatus, Page, PageQuery, QuarantineQuery, Transmission } from './ledger.ts';
import type { LedgerLine } from './ledger-line.ts';
import { acceptBreaks, auditPostgres } from './postgres-audit.ts';
import { PostgresBooks } from './postgres-books.ts';
import { databaseError, ledgerError } from './postgres-errors.ts';
import { type PoolUse, type PostgresLedgerOptions, PostgresPool } from './postgres-pool.ts';
import { PostgresReader } from './postgres-reader.ts';
import type { QuarantineEntry, Resolution, ResolveRequest } from './quarantine-entry.ts';

export { type AppliedMigrations, type MigrateOptions, migrate } from './postgres-migrate.ts';
export type { PoolUse, PostgresLedgerOptions } from './postgres-pool.ts';

export interface PostgresLedgerSources {
  readonly clock?: Clock;
  readonly ids?: IdSource;
}

export class PostgresLedger implements Ledger {
  readonly locksFacilities = true;
  readonly #pool: PostgresPool;
  readonly #books: PostgresBooks;
  readonly #reader: PostgresReader;
  readonly #clock: Clock;
  readonly #underWay = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  private constructor(pool: PostgresPool, { clock = systemClock, ids = randomIds }: PostgresLedgerSources) {
    this.#pool = pool;
    this.#clock = clock;
    this.#books = new PostgresBooks(pool, clock, ids);
    this.#reader = new PostgresReader(pool);
  }

  /**
   * @param url as in `postgres://role:password@host:port/database`; what it leaves out is taken from the variables of libpq.
   * @throws ScanGateError of the kind `startup` when the database cannot be reached, is not migrated, or may lose what it commits.
   */
  static async open(
    url: string,
    options: PostgresLedgerOptions = {},
    sources: PostgresLedgerSources = {},
  ): Promise<PostgresLedger> {
    const pool = await opened(url, options);
    return new PostgresLedger(pool, sources);
  }

  /** For health and metrics: a pool that stays full is a database that is too slow for its senders. */
  get connections(): PoolUse {
    return this.#pool.use;
  }

  append(batch: readonly Transmission[], checkpoint?: Checkpoint): Promise<readonly Decision[]> {
    if (batch.length === 0 && checkpoint === undefined) return Promise.resolve([]);
    return this.#call(() => this.#books.append(batch, checkpoint));
  }

  resolve(request: ResolveRequest): Promise<Resolution> {
    return this.#call(() => this.#books.resolve(request));
  }

  lines(query: PageQuery): Promise<Page<LedgerLine>> {
    return this.#call(() => this.#reader.lines(query));
  }

  /** Lines before a position, or the last ones, the last first. */
  linesBefore(position: number | undefined, limit: number): Promise<readonly (LedgerLine & { readonly position: number })[]> {
    return this.#call(() => this.#reader.linesBefore(position, limit));
  }

  records(query: PageQuery): Promise<Page<JournalRecord>> {
    return this.#call(() => this.#reader.records(query));
  }

  recordsOfPick(claimKey: string): Promise<readonly JournalRecord[]> {
    return this.#call(() => this.#reader.recordsOfPick(claimKey));
  }

  recordsOfScanId(scanId: string): Promise<readonly JournalRecord[]> {
    return this.#call(() => this.#reader.recordsOfScanId(scanId));
  }

  line(entryId: string): Promise<LedgerLine | undefined> {
    return this.#call(() => this.#reader.line(entryId));
  }

  quarantined(id: string): Promise<Uint8Array | undefined> {
    return this.#call(() => this.#reader.quarantined(id));
  }

  quarantine(query: QuarantineQuery): Promise<Page<QuarantineEntry>> {
    return this.#call(() => this.#reader.quarantine(query));
  }

  quarantineEntry(id: string): Promise<QuarantineEntry | undefined> {
    return this.#call(() => this.#reader.quarantineEntry(id));
  }

  checkpoint(key: string): Promise<string | undefined> {
    return this.#call(() => this.#reader.checkpoint(key));
  }

  status(): Promise<LedgerStatus> {
    return this.#call(() => this.#reader.status());
  }

  /** Recomputes everything that is in the database, as of one moment, also while others write to it. */
  audit(): Promise<AuditReport> {
    return this.#call(() => auditPostgres(this.#pool));
  }

  /** Writes down who answers for the breaks of a facility, and lets its book and journal go on from where they end now. */
  acceptBreaks(facilityUuid: string, accepted: AcceptedBreaks): Promise<void> {
    return this.#call(() => acceptBreaks(this.#pool, this.#clock, facilityUuid, accepted));
  }

  /** Waits for what is under way. Can be called again. */
  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#underWay).then(() => this.#pool.end());
    return this.#closing;
  }

  async #call<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) {
      throw new ScanGateError('SG_LEDGER_FAILED', 'The ledger is closed. Restart the server.');
    }
    const answer = ask();
    this.#underWay.add(answer);
    try {
      return await answer;
    } catch (error) {
      throw ledgerError(error, this.#pool.url);
    } finally {
      this.#underWay.delete(answer);
    }
  }
}

async function opened(url: string, options: PostgresLedgerOptions): Promise<PostgresPool> {
  try {
    const pool = new PostgresPool(url, options);
    const client = await pool.take().catch(async (error: unknown) => {
      await pool.end();
      throw error;
    });
    client.release();
    return pool;
  } catch (error) {
    throw databaseError(error, url);
  }
}

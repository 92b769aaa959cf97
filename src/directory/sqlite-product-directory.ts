/**
 * The product directory in a SQLite file of its own beside the ledger. {@inheritDoc ProductDirectory}
 *
 * Read in the thread that admits scans: a look-up is one probe of an index, and the lock of the file takes longer than that. So what was found is
 * kept until the event loop turns: scans that arrive together ask once. What another process imports is seen in the next turn.
 */

import Database from 'better-sqlite3';
import { ScanGateError } from '../base/errors.ts';
import { messageOf } from '../base/message-of.ts';
import type { DeaSchedule } from '../scan/dea-schedule.ts';
import type { Listing } from '../scan/listing.ts';
import { ndc10Candidates } from '../scan/ndc.ts';
import type { ImportProgress, ListedPackage, ProductDirectoryWriter } from './product-directory.ts';

const schemaSql = `
CREATE TABLE IF NOT EXISTS packages (
  ndc12 TEXT PRIMARY KEY,
  ndc10 TEXT,
  product_name TEXT,
  package_form TEXT,
  units_per_container TEXT,
  dea_schedule TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS packages_ndc10 ON packages (ndc10) WHERE ndc10 IS NOT NULL;
CREATE TABLE IF NOT EXISTS imports (key TEXT PRIMARY KEY, line INTEGER NOT NULL, done INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

interface PackageRow {
  readonly product_name: string | null;
  readonly package_form: string | null;
  readonly units_per_container: string | null;
  readonly dea_schedule: DeaSchedule;
}

/** What was found since the event loop turned. */
interface Turn {
  readonly listings: Map<string, Listing | undefined>;
  isLoaded?: boolean;
}

export class SqliteProductDirectory implements ProductDirectoryWriter {
  readonly #database: Database.Database;
  readonly #listing: Database.Statement;
  readonly #ndc12Of: Database.Statement;
  readonly #anyDone: Database.Statement;
  #isLoaded = false;
  #turn: Turn | undefined;

  /** @throws ScanGateError `SG_DATA_PATH` when the file cannot be used. */
  constructor(path: string, { readonly } = { readonly: false }) {
    try {
      this.#database = new Database(path, { readonly, timeout: 5_000 });
      if (!readonly) this.#database.pragma('journal_mode = WAL');
      if (!readonly) this.#database.exec(schemaSql);
      this.#listing = this.#database.prepare(
        'SELECT product_name, package_form, units_per_container, dea_schedule FROM packages WHERE ndc12 = ?',
      );
      this.#ndc12Of = this.#database.prepare('SELECT ndc12 FROM packages WHERE ndc10 = ?').pluck();
      this.#anyDone = this.#database.prepare('SELECT 1 FROM imports WHERE done = 1 LIMIT 1').pluck();
    } catch (error) {
      throw unusable(path, error);
    }
  }

  isLoaded(): boolean {
    if (this.#isLoaded) return true;
    const turn = this.#thisTurn();
    turn.isLoaded ??= this.#anyDone.get() !== undefined;
    this.#isLoaded = turn.isLoaded;
    return this.#isLoaded;
  }

  listing(ndc12: string): Listing | undefined {
    const { listings } = this.#thisTurn();
    if (!listings.has(ndc12)) listings.set(ndc12, listingIn(this.#listing.get(ndc12) as PackageRow | undefined));
    return listings.get(ndc12);
  }

  /** Listed with these ten digits; else listed under one, and only one, of the forms that they can have. */
  ndc11Of(ndc10: string): string | undefined {
    const listed = this.#ndc12Of.all(ndc10) as string[];
    // Before a list was read to its end, what is not listed says nothing.
    if (listed.length === 0 && !this.isLoaded()) return undefined;
    const possible = ndc10Candidates(ndc10).map((ndc11) => `0${ndc11}`);
    const found = listed.length > 0 ? listed : possible.filter((ndc12) => this.listing(ndc12) !== undefined);
    return found.length === 1 ? found[0]?.slice(1) : undefined;
  }

  lineOf(key: string): number {
    return (this.#database.prepare('SELECT line FROM imports WHERE key = ? AND done = 0').pluck().get(key) as number) ?? 0;
  }

  put(packages: readonly ListedPackage[], { key, line, isDone }: ImportProgress): void {
    // A list that shows no hyphens does not take away what another has shown.
    const insert = this.#database.prepare(`
      INSERT INTO packages (ndc12, ndc10, product_name, package_form, units_per_container, dea_schedule) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (ndc12) DO UPDATE SET ndc10 = coalesce(excluded.ndc10, ndc10), product_name = excluded.product_name,
        package_form = excluded.package_form, units_per_container = excluded.units_per_container, dea_schedule = excluded.dea_schedule`);
    const note = this.#database.prepare(`
      INSERT INTO imports (key, line, done) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET line = excluded.line, done = max(done, excluded.done)`);
    const putAll = this.#database.transaction(() => {
      for (const { ndc12, ndc10, product_name, package_form, units_per_container, dea_schedule } of packages) {
        insert.run(ndc12, ndc10 ?? null, product_name ?? null, package_form ?? null, units_per_container ?? null, dea_schedule);
      }
      note.run(key, line, isDone ? 1 : 0);
    });
    this.#turn = undefined;
    try {
      putAll.immediate();
    } catch (error) {
      throw unusable(this.#database.name, error);
    }
  }

  close(): void {
    this.#database.close();
  }

  #thisTurn(): Turn {
    if (this.#turn !== undefined) return this.#turn;
    this.#turn = { listings: new Map() };
    setImmediate(() => {
      this.#turn = undefined;
    });
    return this.#turn;
  }
}

function listingIn(row: PackageRow | undefined): Listing | undefined {
  if (row === undefined) return undefined;
  const { dea_schedule, product_name, package_form, units_per_container } = row;
  return {
    dea_schedule,
    ...(product_name !== null && { product_name }),
    ...(package_form !== null && { package_form }),
    ...(units_per_container !== null && { units_per_container }),
  };
}

function unusable(path: string, error: unknown): ScanGateError {
  const why = messageOf(error);
  return new ScanGateError('SG_DATA_PATH', `The product directory ${path} cannot be used: ${why}.`, { cause: error });
}

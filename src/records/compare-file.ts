/** A file of another system against the ledger: the facilities and the days of the file, unless said otherwise. */
import type { LedgerLine } from '../ledger/ledger-line.ts';
import type { Product } from '../scan/product.ts';
import { productText } from '../scan/product.ts';
import { compareTallies, type Difference } from './compare-tallies.ts';
import type { Days } from './days.ts';
import { type OtherRow, readOtherLine } from './other-line.ts';
import { productOfLine } from './read-books.ts';
import { type Cell, type Movement, Tallies } from './tallies.ts';

export interface FileRow {
  readonly line: number;
  readonly row?: OtherRow;
  readonly fault?: string;
}

export interface FileScope {
  readonly facility?: string;
  readonly from?: string;
  readonly to?: string;
}

export interface FileComparison {
  readonly rows: number;
  /** The first and the last day that were compared; null of a file without rows. */
  readonly from: string | null;
  readonly to: string | null;
  readonly unreadable: readonly { readonly line: number; readonly message: string }[];
  readonly differences: readonly Difference[];
}

/** Every name of a product that lines of the ledger carry. */
export class ProductNames {
  readonly #names = new Map<string, string>();

  add(line: LedgerLine): void {
    const name = productOfLine(line);
    for (const other of [line.ndc12, line.gtin14]) {
      if (other !== null && !this.#names.has(other)) this.#names.set(other, name);
    }
  }

  of(product: Product): string {
    const { ndc11, ndc12, gtin14 } = product;
    const known = [ndc12, gtin14].map((name) => name && this.#names.get(name)).find((name) => name !== undefined);
    return ndc11 ?? known ?? productText(product);
  }
}

/** @param ledger all that the ledger has. */
export async function compareFile(
  rows: AsyncIterable<FileRow>,
  ledger: Tallies,
  products: ProductNames,
  days: Days,
  scope: FileScope = {},
): Promise<FileComparison> {
  const file = new FileTallies(days, products, scope);
  for await (const row of rows) file.add(row);
  const from = scope.from ?? file.days[0];
  const to = scope.to ?? file.days.at(-1);
  const here = new Tallies();
  for (const tally of ledger.all()) if (file.covers(tally.cell, from, to)) here.put(tally);
  const differences = compareTallies(here, file.tallies, days, 'a file of another system');
  return { rows: file.rows, from: from ?? null, to: to ?? null, unreadable: file.unreadable, differences };
}

class FileTallies {
  readonly tallies = new Tallies();
  readonly unreadable: { line: number; message: string }[] = [];
  rows = 0;
  readonly #zone: Days;
  readonly #products: ProductNames;
  readonly #scope: FileScope;
  readonly #facilities = new Set<string>();
  readonly #days = new Set<string>();

  constructor(zone: Days, products: ProductNames, scope: FileScope) {
    this.#zone = zone;
    this.#products = products;
    this.#scope = scope;
    if (scope.facility !== undefined) this.#facilities.add(scope.facility);
  }

  /** Those of its rows, in order. */
  get days(): readonly string[] {
    return [...this.#days].toSorted();
  }

  add({ line, row, fault }: FileRow): void {
    this.rows += 1;
    const read = row === undefined ? undefined : readOtherLine(row, this.#zone, (product) => this.#products.of(product));
    if (read?.ok === true) this.#addMovement(read.value);
    else this.unreadable.push({ line, message: fault ?? read?.error.message ?? 'The row cannot be read.' });
  }

  /** Whether a cell of the ledger is to be compared. */
  covers({ facility_uuid, day }: Cell, from: string | undefined, to: string | undefined): boolean {
    if (from === undefined || to === undefined || !this.#facilities.has(facility_uuid)) return false;
    return day >= from && day <= to;
  }

  #addMovement(movement: Movement): void {
    const { facility_uuid, day } = movement.cell;
    const { facility = facility_uuid, from = day, to = day } = this.#scope;
    if (facility !== facility_uuid || day < from || day > to) return;
    this.#facilities.add(facility_uuid);
    this.#days.add(day);
    this.tallies.add(movement);
  }
}

/** From the lines of a list of packages to what it says of each. */
import type { ListedTexts } from '../../directory/read-listing.ts';
import type { TextLine } from '../file/file-row.ts';

export interface ListedRow {
  /** The line on which it begins. */
  readonly line: number;
  /** Nothing where the row cannot be read, and `fault` says why. */
  readonly texts?: ListedTexts;
  readonly fault?: string;
}

/** Turns the lines after the header into rows. Rows come in the order of their lines. */
export interface ListingReader {
  push(line: TextLine): ListedRow[];
  /** What is left when the last line was pushed. */
  end(): ListedRow[];
}

/** Where each column is, by its name; its names are compared without case, and white space is one `_`. */
export class Header {
  /** How many columns there are. */
  readonly count: number;
  readonly #at: ReadonlyMap<string, number>;

  constructor(cells: readonly string[]) {
    this.count = cells.length;
    this.#at = new Map(cells.map((cell, index) => [cell.trim().toLowerCase().replaceAll(/\s+/g, '_'), index]));
  }

  has(...names: readonly string[]): boolean {
    return names.every((name) => this.#at.has(name));
  }

  /** The cell under the first of these names that there is; empty where there is none. */
  cell(cells: readonly string[], ...names: readonly string[]): string {
    const name = names.find((one) => this.#at.has(one));
    return name === undefined ? '' : (cells[this.#at.get(name) ?? 0]?.trim() ?? '');
  }
}

/** Movements added up by facility, product, lot, unit and day. Exact: quantities are decimal text. Memory grows with the cells alone. */
import { sumQuantities } from '../scan/quantity.ts';

export interface Cell {
  readonly facility_uuid: string;
  /** NDC in 11 digits where it is known, else in 12, else the GTIN. */
  readonly product: string;
  /** Empty where there is none. */
  readonly lot_number: string;
  readonly unit: string;
  readonly day: string;
}

export interface Movement {
  readonly cell: Cell;
  /** What it adds to the stock, signed decimal text. */
  readonly delta: string;
  /** A reference or a serial number, by which a person finds it again. */
  readonly name?: string;
}

export interface Tally {
  readonly cell: Cell;
  readonly delta: string;
  readonly lines: number;
  /** References and serial numbers: not more than `namesMax`. */
  readonly names: readonly string[];
}

const namesMax = 1_000;

export class Tallies {
  readonly #tallies = new Map<string, { cell: Cell; delta: string; lines: number; names: string[] }>();

  /** What moves nothing, such as a count, is left out. */
  add({ cell, delta, name }: Movement): void {
    if (delta === '0') return;
    const key = keyOf(cell);
    const tally = this.#tallies.get(key) ?? { cell, delta: '0', lines: 0, names: [] };
    tally.delta = sumQuantities([tally.delta, delta]);
    tally.lines += 1;
    if (name !== undefined && tally.names.length < namesMax) tally.names.push(name);
    this.#tallies.set(key, tally);
  }

  /** A tally of its own cell, whole. */
  put(tally: Tally): void {
    this.#tallies.set(keyOf(tally.cell), { ...tally, names: [...tally.names] });
  }

  of(cell: Cell): Tally | undefined {
    return this.#tallies.get(keyOf(cell));
  }

  all(): Iterable<Tally> {
    return this.#tallies.values();
  }
}

function keyOf({ facility_uuid, product, lot_number, unit, day }: Cell): string {
  return JSON.stringify([facility_uuid, day, product, lot_number, unit]);
}

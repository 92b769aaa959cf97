/**
 * Where two books differ, by facility, product, lot, unit and day, and what could be posted so that they agree.
 *
 * What adds up to the same is the same, also where one side has no line and the other a movement and its reversal.
 *
 * Nothing is edited: a proposal is a scan that a person can import. It carries an id that is made of the difference and what both sides
 * had, so that posting it twice is one entry.
 */
import { sha256Hex } from '../base/digest.ts';
import { negateQuantity, sumQuantities } from '../scan/quantity.ts';
import type { Days } from './days.ts';
import type { Cell, Tallies, Tally } from './tallies.ts';

export interface Side {
  readonly delta: string;
  readonly lines: number;
}

export interface Difference extends Cell {
  readonly kind: 'only_here' | 'only_there' | 'quantity';
  /** The ledger. Null where it has no line. */
  readonly here: Side | null;
  /** What it is compared with. Null where that has no line. */
  readonly there: Side | null;
  /** What has to be added here, signed decimal text. */
  readonly difference: string;
  /** References and serial numbers of one side alone. */
  readonly names_only_here: readonly string[];
  readonly names_only_there: readonly string[];
  /** A scan on the wire. */
  readonly correction: Readonly<Record<string, string>>;
}

/** @param what the other side is, for the reason of a correction. */
export function compareTallies(here: Tallies, there: Tallies, days: Days, what: string): Difference[] {
  const cells = new Map<string, Cell>();
  for (const { cell } of [...here.all(), ...there.all()]) cells.set(sortKey(cell), cell);
  return [...cells]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, cell]) => differenceOf(cell, here.of(cell), there.of(cell), days, what));
}

function differenceOf(cell: Cell, here: Tally | undefined, there: Tally | undefined, days: Days, what: string): Difference[] {
  if ((here?.delta ?? '0') === (there?.delta ?? '0')) return [];
  const difference = sumQuantities([there?.delta ?? '0', negateQuantity(here?.delta ?? '0')]);
  const body = {
    ...cell,
    kind: here === undefined ? 'only_there' : there === undefined ? 'only_here' : 'quantity',
    here: sideOf(here),
    there: sideOf(there),
    difference,
    names_only_here: without(here?.names, there?.names),
    names_only_there: without(there?.names, here?.names),
  } as const;
  return [{ ...body, correction: correctionOf(body, days, what) }];
}

function sideOf(tally: Tally | undefined): Side | null {
  return tally === undefined ? null : { delta: tally.delta, lines: tally.lines };
}

function without(names: readonly string[] = [], others: readonly string[] = []): string[] {
  const known = new Set(others);
  return names.filter((name) => !known.has(name));
}

/** What is missing altogether is received or dispensed; what is there with another quantity is adjusted. */
function correctionOf(found: Omit<Difference, 'correction'>, days: Days, what: string): Record<string, string> {
  const { kind, facility_uuid, product, lot_number, unit, day, difference, here, there } = found;
  const isOut = difference.startsWith('-');
  const scanType = kind === 'only_there' ? (isOut ? 'dispense' : 'receive') : 'adjust';
  const id = sha256Hex(JSON.stringify([facility_uuid, product, lot_number, unit, day, here, there])).slice(0, 32);
  return {
    facility_uuid,
    scanner_id: 'reconcile',
    scan_type: scanType,
    ...(product.length === 14 ? { gtin: product } : { ndc: product }),
    ...(lot_number !== '' && { lot_number }),
    quantity: scanType === 'dispense' ? negateQuantity(difference) : difference,
    ...(unit !== 'EA' && { unit }),
    scan_uuid: `reconcile-${id}`,
    captured_at: days.noonOf(day),
    ...(scanType === 'adjust' && {
      reason: `Reconciled with ${what}: ${day} had ${here?.delta ?? '0'}, not ${there?.delta ?? '0'}.`,
    }),
  };
}

function sortKey({ facility_uuid, day, product, lot_number, unit }: Cell): string {
  return [facility_uuid, day, product, lot_number, unit].join('\0');
}

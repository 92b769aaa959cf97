/**
 * What the lines add up to, by facility and product, against what was really moved: every readable scan once, but for those that the book
 * leaves out for the line of another. Exact, in decimals.
 */
import { sumQuantities } from '../../scan/quantity.ts';
import type { Findings } from './judgement.ts';
import type { KnownHistory, KnownScan } from './known-history.ts';

interface Cell {
  readonly facility: string;
  readonly product: string;
  readonly expected: string[];
  readonly booked: string[];
}

export function checkBalances(history: KnownHistory, leftOut: ReadonlySet<KnownScan>, findings: Findings): void {
  const cells = new Map<string, Cell>();
  const cellOf = (facility: string, product: string): Cell => {
    const key = `${facility}|${product}`;
    const cell = cells.get(key) ?? { facility, product, expected: [], booked: [] };
    cells.set(key, cell);
    return cell;
  };
  for (const scan of history.scans.values()) {
    const { readable, facility_uuid, product, delta } = scan.truth;
    if (readable && !leftOut.has(scan)) cellOf(facility_uuid, product).expected.push(delta);
  }
  for (const { line } of history.lines.values()) cellOf(line.facility_uuid, line.product).booked.push(line.delta);
  for (const { facility, product, expected, booked } of cells.values()) {
    const [right, found] = [balanceOf(expected), balanceOf(booked)];
    if (right === found) continue;
    findings.add('wrong_balance', `The balance of ${product} in ${facility} is ${found}, and should be ${right}.`);
  }
}

/** A line can hold what is no number. */
function balanceOf(deltas: readonly string[]): string {
  try {
    return sumQuantities(deltas);
  } catch {
    return 'not a number';
  }
}

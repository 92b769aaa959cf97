import { negateQuantity } from './quantity.ts';

/** What a scan does to the stock. The sign of `transfer` and `return` is not in the word: they need a direction. */
export const scanTypes = ['receive', 'dispense', 'waste', 'transfer', 'return', 'adjust', 'count'] as const;
export type ScanType = (typeof scanTypes)[number];

/** `in`: towards this facility's stock, `out`: away from it. */
export const directions = ['in', 'out'] as const;
export type Direction = (typeof directions)[number];

/** Each, millilitre, gram. A quantity is always in the unit that was scanned. */
export const units = ['EA', 'ML', 'GM'] as const;
export type Unit = (typeof units)[number];

type Effect = 'in' | 'out' | 'direction' | 'signed' | 'none';

const effects: Record<ScanType, Effect> = {
  receive: 'in',
  dispense: 'out',
  waste: 'out',
  transfer: 'direction',
  return: 'direction',
  adjust: 'signed',
  count: 'none',
};

export function needsDirection(type: ScanType): boolean {
  return effects[type] === 'direction';
}

/** What the ledger adds to the stock for this movement, as signed decimal text. A count adds nothing: it is a check point. */
export function signedDelta(type: ScanType, quantity: string, direction: Direction | undefined): string {
  const effect = effects[type];
  if (effect === 'none') return '0';
  if (effect === 'signed') return quantity;
  const side = effect === 'direction' ? direction : effect;
  return side === 'out' ? negateQuantity(quantity) : quantity;
}

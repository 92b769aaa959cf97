/** What was moved, from whatever says it in the words of the wire: a line, a record, the truth. Empty is the same as left out. */
import type { Moved } from './history.ts';

/** Fields of `Moved` that a package or a movement need not have. */
const optional = ['direction', 'lot_number', 'serial_number', 'reference'] as const;

type Said = Pick<Moved, 'scan_type' | 'quantity' | 'unit'> & { readonly [Field in (typeof optional)[number]]?: string | null };

export function movedBy(said: Said): Moved {
  const { scan_type, quantity, unit } = said;
  const carried = optional.flatMap((field) => {
    const text = said[field] ?? '';
    return text === '' ? [] : [[field, text]];
  });
  return { scan_type, quantity, unit, ...(Object.fromEntries(carried) as Partial<Moved>) };
}

/** The fields that are not as they should be, each with what it is and what it should be. */
export function differencesOfMoved(said: Moved, expected: Moved): string[] {
  return (['scan_type', 'quantity', 'unit', ...optional] as const)
    .filter((field) => said[field] !== expected[field])
    .map((field) => `${field} is ${said[field] ?? 'not there'}, not ${expected[field] ?? 'there'}`);
}

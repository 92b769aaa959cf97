import { applicationIdentifiers } from './ai-table.ts';
import type { Gs1Element } from './element-string.ts';
import { gs1Date } from './gs1-date.ts';

/** Elements that need no separator after them, and so can hide at the end of a text whose separator was dropped. */
const hidingDates = ['11', '13', '15', '17'];

/**
 * Whether a lot or serial ends in what reads like one more element: a date, or a variant, that the barcode does not have otherwise.
 * Nobody can know; a person is told.
 */
export function looksUnseparated(elements: readonly Gs1Element[], scanYear: number): boolean {
  const lot = textUnder(elements, '10');
  const serial = textUnder(elements, '21');
  const hides = (ai: string, value: string): boolean => textUnder(elements, ai) === '' && endsInElement(value, ai, scanYear);
  return hides('20', lot) || hidingDates.some((ai) => hides(ai, lot) || hides(ai, serial));
}

function textUnder(elements: readonly Gs1Element[], wanted: string): string {
  return elements.find(({ ai }) => ai === wanted)?.text ?? '';
}

function endsInElement(value: string, ai: string, scanYear: number): boolean {
  const length = applicationIdentifiers().get(ai)?.lengthMax ?? 0;
  const tail = value.slice(-length);
  if (value.length <= length + ai.length || value.slice(-length - ai.length, -length) !== ai || !/^\d+$/.test(tail)) return false;
  return ai === '20' || gs1Date(tail, scanYear, true) !== undefined;
}

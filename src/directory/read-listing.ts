/** From the texts of one listed package to what the directory keeps of it. */
import { ok, type Result } from '../base/result.ts';
import type { DeaSchedule } from '../scan/dea-schedule.ts';
import { readNdc } from '../scan/ndc.ts';
import { quoted } from '../scan/rejection.ts';
import { normaliseText } from '../scan/text.ts';
import type { ListedPackage } from './product-directory.ts';

/** As a list gives them: empty where it says nothing. */
export interface ListedTexts {
  readonly ndc: string;
  readonly name: string;
  readonly packageForm: string;
  readonly schedule: string;
  readonly unitsPerContainer: string;
}

/** @returns the package, or a sentence that says why it is none. */
export function readListing(texts: ListedTexts): Result<ListedPackage, string> {
  const ndcText = normaliseText(texts.ndc);
  const ndc = readNdc(ndcText);
  if (!ndc.ok) return { ok: false, error: ndc.error.message };
  const schedule = readSchedule(texts.schedule);
  if (schedule === undefined) return { ok: false, error: `${quoted(texts.schedule)} is no DEA schedule: CI to CV, or none.` };
  const units = normaliseText(texts.unitsPerContainer);
  if (units !== '' && !/^\d{1,9}(?:\.\d{1,6})?$/.test(units)) {
    return { ok: false, error: `${quoted(units)} is no number of units in a container.` };
  }
  const digits = ndcText.replace(/\D/g, '');
  return ok({
    ndc12: ndc.value.ndc12,
    dea_schedule: schedule,
    ...(ndcText.includes('-') && digits.length === 10 && { ndc10: digits }),
    ...present('product_name', normaliseText(texts.name)),
    ...present('package_form', normaliseText(texts.packageForm)),
    ...present('units_per_container', units),
  });
}

const romans = ['I', 'II', 'III', 'IV', 'V'] as const;

/** `CII`, `C-II`, `II` and `2` are one schedule; `none` and `0` are what is not controlled. What says nothing is refused. */
function readSchedule(text: string): DeaSchedule | undefined {
  const plain = normaliseText(text).toUpperCase();
  if (plain === 'NONE' || plain === '0') return 'none';
  const roman = plain.replace(/^C-?(?=[IV1-5])/, '').replace(/^[1-5]$/, (digit) => romans[Number(digit) - 1] ?? digit);
  const found = romans.find((name) => name === roman);
  return found && `C${found}`;
}

/**
 * How many units a container holds, by FDA's description of the package: the counts of its levels multiplied. `10 BLISTER PACK in 1
 * CARTON > 10 TABLET in 1 BLISTER PACK` holds 100. Nothing where a level has another form.
 */
export function unitsIn(description: string): string {
  const counts = description
    .split(/\s+[>/]\s+/)
    .map((level) => /^\s*(\d{1,6}(?:\.\d{1,3})?|\.\d{1,3})\s.*?\sin\s+1\s/i.exec(level)?.[1]);
  if (counts.some((count) => count === undefined)) return '';
  const product = counts.reduce((total, count) => total * Number(count), 1);
  return product < 1e9 ? String(Math.round(product * 1e6) / 1e6) : '';
}

function present<K extends string>(key: K, text: string): { [P in K]?: string } {
  return text === '' ? {} : ({ [key]: text } as { [P in K]?: string });
}

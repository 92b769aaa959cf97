/**
 * From a row to an arrival at the gate: what only a file can say is settled here, the rest by the rules of every transport.
 *
 * Local times get their offset, decimal commas become points. A row that could not be told from a new scan if the file came again is
 * refused. No time is too old for a file.
 */
import type { Arrival } from '../../gate/arrival.ts';
import { defaultTimeRules, type TimeRules } from '../../scan/occurred-at.ts';
import { quoted, type Rejection } from '../../scan/rejection.ts';
import { normaliseText } from '../../scan/text.ts';
import type { FileRow } from './file-row.ts';
import type { FileMeaning } from './import-options.ts';
import { LocalTimes } from './local-times.ts';

interface Reading {
  readonly value: unknown;
  readonly fault?: Rejection;
  readonly isAmbiguous?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

export class RowArrivals {
  readonly #hasDecimalComma: boolean;
  readonly #localTimes: LocalTimes;
  readonly #timeRules: TimeRules;

  constructor(
    { hasDecimalComma, zone }: Pick<FileMeaning, 'hasDecimalComma' | 'zone'>,
    aheadMsMax = defaultTimeRules.aheadMsMax,
  ) {
    this.#hasDecimalComma = hasDecimalComma;
    this.#localTimes = new LocalTimes(zone);
    this.#timeRules = { ageMsMax: Number.POSITIVE_INFINITY, aheadMsMax };
  }

  /** A row that is not submitted again: the times of those after it depend on it. */
  passOver({ value, fault }: FileRow, receivedAt: number): void {
    if (fault === undefined) this.#read(value, receivedAt);
  }

  /** Rows have to be given in the order of the file. */
  of(row: FileRow, receivedAt: number): Arrival {
    const reading: Reading = row.fault === undefined ? this.#read(row.value, receivedAt) : row;
    const { value, fault, isAmbiguous } = reading;
    return {
      transport: 'file',
      value,
      receivedAt,
      timeRules: this.#timeRules,
      mustBeRepeatable: true,
      raw: () => row.evidence().raw,
      ...(fault !== undefined && { fault }),
      ...(isAmbiguous === true && { flags: ['time_ambiguous'] }),
    };
  }

  #read(value: unknown, receivedAt: number): Reading {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value };
    const timed = this.#withTimes(value as Fields, receivedAt);
    const fields = timed.value as Fields;
    if (timed.fault !== undefined || !this.#hasDecimalComma || typeof fields['quantity'] !== 'string') return timed;
    return { ...timed, ...withDecimalPoint(fields, fields['quantity']) };
  }

  #withTimes(fields: Fields, receivedAt: number): Reading {
    const scanner = [fields['facility_uuid'], fields['scanner_id']].map((name) => normaliseText(String(name))).join('|');
    const asGiven = Object.fromEntries(
      timeFields.filter((field) => isTime(fields[field])).map((field) => [field, fields[field]]),
    );
    const resolved = this.#localTimes.ofRow(asGiven, scanner, receivedAt + this.#timeRules.aheadMsMax);
    if (!resolved.ok) return { value: fields, fault: resolved.error };
    const { times, isAmbiguous } = resolved.value;
    return { value: { ...fields, ...times }, isAmbiguous };
  }
}

const timeFields = ['captured_at', 'sent_at'] as const;

/** What has another JSON type is left for the gate to refuse. */
function isTime(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** In such a file 1.234 could be a thousand or a fraction: only one of the two marks is believed. */
function withDecimalPoint(fields: Fields, quantity: string): Reading {
  if (!quantity.includes('.')) return { value: { ...fields, quantity: quantity.replace(',', '.') } };
  const message = `quantity is ${quoted(quantity)}: with --decimal-comma it must have no point.`;
  return { value: fields, fault: { code: 'SG_QUANTITY_INVALID', field: 'quantity', message } };
}

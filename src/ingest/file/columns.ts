/**
 * What each column of a CSV file is, from its header.
 *
 * A column is a field of a scan by its own name or by the mapping; anything else refuses to start, unless it is to be passed over.
 * So does a file that lacks what every scan needs: all of its rows would be refused.
 */
import { ScanGateError } from '../../base/errors.ts';
import { looksLikePatientData, removedValue } from '../../scan/patient-data.ts';
import { quoted } from '../../scan/rejection.ts';
import { normaliseText } from '../../scan/text.ts';
import { type WireField, wireFields } from '../../scan/wire-schema.ts';
import { unguarded } from './csv-record.ts';
import type { FileMeaning } from './import-options.ts';

/** Of each group, every file needs one. */
const needed: readonly (readonly WireField[])[] = [
  ['facility_uuid'],
  ['scanner_id'],
  ['scan_type'],
  ['ndc', 'gtin', 'barcode', 'barcode_base64'],
  ['captured_at', 'scan_uuid'],
];

type Meaning = Pick<FileMeaning, 'columns' | 'constants' | 'ignoredColumns' | 'ignoresUnmapped'>;

export class Columns {
  readonly count: number;
  /** The field of each column; nothing for one that is passed over. */
  readonly #fields: readonly (WireField | undefined)[];
  readonly #isPatient: readonly boolean[];
  readonly #constants: Meaning['constants'];

  /** @throws ScanGateError `SG_INPUT_FILE` with one sentence that names the column. */
  constructor(file: string, header: readonly string[], meaning: Meaning) {
    const names = header.map(normaliseText);
    const fieldOfName = fieldNames(meaning);
    this.count = names.length;
    this.#constants = meaning.constants;
    this.#fields = names.map((name) => fieldOfName.get(name));
    this.#isPatient = names.map(looksLikePatientData);
    const fault =
      this.#strangerFault(names, meaning) ?? repeatFault(names) ?? this.#sourceFault(names, meaning) ?? this.#lackFault();
    if (fault !== undefined) throw new ScanGateError('SG_INPUT_FILE', `${file} ${fault}`);
  }

  get holdsPatientData(): boolean {
    return this.#isPatient.includes(true);
  }

  /** An empty cell is a field that is not there. */
  scanOf(cells: readonly string[]): Record<string, string> {
    const scan: Record<string, string> = { ...this.#constants };
    for (const [index, field] of this.#fields.entries()) {
      const cell = cells[index] ?? '';
      if (field !== undefined && normaliseText(cell) !== '') scan[field] = unguarded(cell);
    }
    return scan;
  }

  withoutPatientData(cells: readonly string[]): string[] {
    return cells.map((cell, index) => (this.#isPatient[index] === true ? removedValue : cell));
  }

  #strangerFault(names: readonly string[], { ignoredColumns, ignoresUnmapped }: Meaning): string | undefined {
    const ignored = new Set(ignoredColumns.map(normaliseText));
    const strangers = names.filter((name, index) => this.#fields[index] === undefined && !ignored.has(name));
    if (strangers.length === 0 || ignoresUnmapped) return undefined;
    if (this.#fields.every((field) => field === undefined)) {
      return `does not begin with the names of columns: its first line is ${quoted(names.join(', '))}, and none of that is a field of a scan or in --map.`;
    }
    const patient = strangers.find(looksLikePatientData);
    if (patient !== undefined) {
      return `has a column ${quoted(patient)}, which looks like patient data; ScanGate keeps none. Pass over it with --ignore-column ${quoted(patient)}.`;
    }
    const shown = strangers.map(quoted).join(', ');
    const what = strangers.length === 1 ? 'a column that is no field of a scan' : 'columns that are no fields of a scan';
    return `has ${what}: ${shown}. Say which field it is with --map FIELD=COLUMN, or pass over it with --ignore-column or --ignore-unmapped.`;
  }

  /** A field has one source. */
  #sourceFault(names: readonly string[], { columns, constants }: Meaning): string | undefined {
    const absent = Object.values(columns).find((column) => !names.includes(normaliseText(column)));
    if (absent !== undefined) return `has no column ${quoted(absent)}, which --map names.`;
    const fields = this.#fields.filter((field) => field !== undefined);
    const twice = fields.find((field, index) => fields.indexOf(field) !== index);
    if (twice !== undefined) return `has two columns for ${twice}.`;
    const both = fields.find((field) => Object.hasOwn(constants, field));
    return both === undefined ? undefined : `has a column for ${both}, which is also set to a value for the whole file.`;
  }

  #lackFault(): string | undefined {
    const present = new Set<string | undefined>([...this.#fields, ...Object.keys(this.#constants)]);
    const lacking = needed.find((group) => !group.some((field) => present.has(field)));
    if (lacking === undefined) return undefined;
    const [first] = lacking;
    return `has no column for ${lacking.join(' or ')}. Name it with --map ${first}=COLUMN, or set it for the whole file with --set ${first}=VALUE.`;
  }
}

/** Which field a name in the file stands for: its own, unless it is mapped to another or passed over. */
export function fieldNames({ columns, ignoredColumns }: Meaning): ReadonlyMap<string, WireField> {
  const own = wireFields.map((field) => [field, field] as const);
  const mapped = Object.entries(columns).map(([field, column]) => [normaliseText(column), field as WireField] as const);
  const names = new Map<string, WireField>([...own, ...mapped]);
  for (const ignored of ignoredColumns) names.delete(normaliseText(ignored));
  return names;
}

function repeatFault(names: readonly string[]): string | undefined {
  const repeated = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  return repeated === undefined ? undefined : `has two columns named ${quoted(repeated)}.`;
}

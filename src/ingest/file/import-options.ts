/** What a file means: the settings of an import, checked before the first row is read. */
import { ScanGateError } from '../../base/errors.ts';
import { looksLikePatientData } from '../../scan/patient-data.ts';
import { quoted } from '../../scan/rejection.ts';
import { type WireField, wireFields } from '../../scan/wire-schema.ts';
import type { Encoding } from './text-encoding.ts';

export const fileFormats = ['csv', 'ndjson'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** How the rows of a file become scans. Two imports with the same meaning of the same bytes are one import. */
export interface FileMeaning {
  readonly format: FileFormat;
  /** When the file does not begin with a byte-order mark; UTF-8 when left out. */
  readonly encoding?: Encoding;
  /** One character. From the header of the file when left out. */
  readonly delimiter?: string;
  /** Fields that have another name in the file. */
  readonly columns: Readonly<Partial<Record<WireField, string>>>;
  /** Fields that are the same for the whole file. */
  readonly constants: Readonly<Partial<Record<WireField, string>>>;
  /** Columns that are passed over. */
  readonly ignoredColumns: readonly string[];
  /** Passes over every column that is no field of a scan. */
  readonly ignoresUnmapped: boolean;
  /** IANA name of the zone of local times. */
  readonly zone?: string;
  /** Quantities are written as in 0,5. */
  readonly hasDecimalComma: boolean;
}

/** @throws ScanGateError `SG_CONFIG_INVALID` with one sentence. */
export function checkMeaning(meaning: FileMeaning): void {
  const { columns, constants, zone } = meaning;
  for (const field of [...Object.keys(columns), ...Object.keys(constants)]) {
    if (!wireFields.includes(field as WireField)) {
      throw invalid(`A scan has no field ${quoted(field)}; its fields are ${wireFields.join(', ')}.`);
    }
  }
  const twice = Object.keys(columns).find((field) => Object.hasOwn(constants, field));
  if (twice !== undefined) throw invalid(`${twice} is mapped to a column and set to a value; it can be only one of them.`);
  const patient = Object.values(columns).find(looksLikePatientData);
  if (patient !== undefined) {
    throw invalid(`The column ${quoted(patient)} looks like patient data, which ScanGate does not keep, so it cannot be mapped.`);
  }
  if (zone !== undefined && !isZone(zone)) {
    throw invalid(`There is no time zone ${quoted(zone)}; give an IANA name, such as America/New_York.`);
  }
}

/** The format that the name of a file stands for. */
export function formatOfName(path: string): FileFormat | undefined {
  if (/\.(?:csv|tsv|txt)$/i.test(path)) return 'csv';
  return /\.(?:ndjson|jsonl)$/i.test(path) ? 'ndjson' : undefined;
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[a-z]/i.test(name);
  } catch {
    return false;
  }
}

function invalid(message: string): ScanGateError {
  return new ScanGateError('SG_CONFIG_INVALID', message);
}

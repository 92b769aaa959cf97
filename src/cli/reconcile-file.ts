/** A file of another system: its movements, added up, and the rows that are none. */
import { ScanGateError } from '../base/errors.ts';
import { CsvRecords, delimiterOf, parseRecord, unguarded } from '../ingest/file/csv-record.ts';
import { linesOf } from '../ingest/file/file-lines.ts';
import { isBlank, type TextLine } from '../ingest/file/file-row.ts';
import { InputFile } from '../ingest/file/input-file.ts';
import type { Encoding } from '../ingest/file/text-encoding.ts';
import type { OtherRow } from '../records/other-line.ts';
import { otherFields } from '../records/other-line.ts';
import { looksLikePatientData } from '../scan/patient-data.ts';
import { quoted } from '../scan/rejection.ts';
import { normaliseText } from '../scan/text.ts';

export interface OtherFile {
  readonly path: string;
  readonly encoding?: Encoding;
  readonly delimiter?: string;
  /** Which column holds a field. */
  readonly map: Readonly<Record<string, string>>;
  /** Fields that are the same in every row. */
  readonly set: Readonly<Record<string, string>>;
}

export interface OtherFileRow {
  readonly line: number;
  readonly row?: OtherRow;
  readonly fault?: string;
}

/** Of each group, every file needs one. */
const needed = [['facility_uuid'], ['ndc', 'gtin'], ['delta', 'quantity'], ['occurred_at', 'date']];

const lineBytesMax = 1_048_576;

/** @throws ScanGateError `SG_INPUT_FILE` when it cannot be read, or its header does not have what is needed. */
export async function* rowsOf(other: OtherFile): AsyncGenerator<OtherFileRow> {
  checkFields(other);
  const file = await InputFile.open(other.path);
  try {
    let body: { readonly records: CsvRecords; readonly fields: readonly (string | undefined)[] } | undefined;
    for await (const line of linesOf(file, { encoding: other.encoding, lineBytesMax })) {
      if (body !== undefined) yield* rows(body.records.push(line), body.fields, other.set);
      else if (!isBlank(line)) body = headerOf(line, other);
    }
    if (body === undefined) throw new ScanGateError('SG_INPUT_FILE', `${other.path} has no header.`);
    yield* rows(body.records.end(), body.fields, other.set);
  } finally {
    await file.close();
  }
}

function checkFields({ map, set }: OtherFile): void {
  for (const field of [...Object.keys(map), ...Object.keys(set)]) {
    if (!otherFields.some((known) => known === field)) {
      throw new ScanGateError(
        'SG_CONFIG_INVALID',
        `There is no field ${quoted(field)}; the fields are ${otherFields.join(', ')}.`,
      );
    }
  }
  const patient = Object.values(map).find(looksLikePatientData);
  if (patient !== undefined) {
    throw new ScanGateError(
      'SG_CONFIG_INVALID',
      `The column ${quoted(patient)} looks like patient data, so it cannot be mapped.`,
    );
  }
}

function headerOf({ text }: TextLine, { path, delimiter, map, set }: OtherFile) {
  const between = delimiter ?? delimiterOf(text ?? '');
  const header = parseRecord(text ?? '', between);
  if (header.kind !== 'cells') throw new ScanGateError('SG_INPUT_FILE', `${path} has a header that cannot be read.`);
  const names = header.cells.map(normaliseText);
  const fieldOf = new Map<string, string>(otherFields.map((field) => [field, field]));
  for (const [field, column] of Object.entries(map)) {
    if (!names.includes(normaliseText(column))) {
      throw new ScanGateError('SG_INPUT_FILE', `${path} has no column ${quoted(column)}, which --map names.`);
    }
    fieldOf.delete(field);
    fieldOf.set(normaliseText(column), field);
  }
  const fields = names.map((name) => fieldOf.get(name));
  const present = new Set([...fields, ...Object.keys(set)]);
  const lacking = needed.find((group) => !group.some((field) => present.has(field)));
  if (lacking !== undefined) {
    const message = `${path} has no column for ${lacking.join(' or ')}. Name it with --map ${lacking[0]}=COLUMN, or set it with --set.`;
    throw new ScanGateError('SG_INPUT_FILE', message);
  }
  return { records: new CsvRecords(between, names.length, lineBytesMax), fields };
}

function rows(
  records: ReturnType<CsvRecords['push']>,
  fields: readonly (string | undefined)[],
  set: Readonly<Record<string, string>>,
): OtherFileRow[] {
  return records.map(({ lines, cells, fault }) => {
    const [{ number: line }] = lines;
    if (cells === undefined) return { line, fault: fault?.message ?? 'The row cannot be read.' };
    if (cells.length !== fields.length) {
      return { line, fault: `The row has ${cells.length} columns; the header has ${fields.length}.` };
    }
    const row: Record<string, string> = { ...set };
    for (const [index, field] of fields.entries()) {
      const cell = cells[index] ?? '';
      if (field !== undefined && normaliseText(cell) !== '') row[field] = unguarded(cell);
    }
    return { line, row };
  });
}

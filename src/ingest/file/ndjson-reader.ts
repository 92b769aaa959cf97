/** Lines to rows of an NDJSON file: one scan a line. Names are mapped, set and passed over as in a CSV file, row by row. */
import { findPatientData, withoutPatientData } from '../../scan/patient-data.ts';
import { readJson } from '../../scan/read-json.ts';
import { quoted, type Rejection } from '../../scan/rejection.ts';
import { normaliseText } from '../../scan/text.ts';
import type { WireField } from '../../scan/wire-schema.ts';
import { fieldNames } from './columns.ts';
import { evidenceOf, type FileRow, isBlank, type RowReader, redactedEvidence, type TextLine } from './file-row.ts';
import type { FileMeaning } from './import-options.ts';

export class NdjsonReader implements RowReader {
  readonly #constants: FileMeaning['constants'];
  readonly #fieldOfName: ReadonlyMap<string, WireField>;
  readonly #ignored: ReadonlySet<string>;
  readonly #ignoresUnmapped: boolean;
  readonly #rowBytesMax: number;

  constructor(meaning: FileMeaning, rowBytesMax: number) {
    this.#constants = meaning.constants;
    this.#fieldOfName = fieldNames(meaning);
    this.#ignored = new Set(meaning.ignoredColumns.map(normaliseText));
    this.#ignoresUnmapped = meaning.ignoresUnmapped;
    this.#rowBytesMax = rowBytesMax;
  }

  push(line: TextLine): FileRow[] {
    return isBlank(line) ? [] : [this.#row(line)];
  }

  end(): FileRow[] {
    return [];
  }

  #row(line: TextLine): FileRow {
    const unreadable = (fault: Rejection): FileRow => {
      return { line: line.number, value: this.#constants, fault, evidence: () => evidenceOf([line]) };
    };
    if (line.isCut) {
      return unreadable({ code: 'SG_ITEM_TOO_LARGE', message: `The row is longer than ${this.#rowBytesMax} bytes.` });
    }
    if (line.text === undefined) {
      return unreadable({
        code: 'SG_ENCODING_INVALID',
        message: 'The row is not text in the encoding of the file. See --encoding.',
      });
    }
    const json = readJson(line.text);
    if (!json.ok) return unreadable(json.error);
    return { line: line.number, ...this.#scanOf(json.value), evidence: () => this.#evidence(line, json.value) };
  }

  #evidence(line: TextLine, value: unknown): ReturnType<typeof evidenceOf> {
    return findPatientData(value) === undefined
      ? evidenceOf([line])
      : redactedEvidence(JSON.stringify(withoutPatientData(value)));
  }

  /** A value that is no object goes on as it is, to be refused as what it is. */
  #scanOf(value: unknown): { value: unknown; fault?: Rejection } {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value };
    const named = Object.entries(value).filter(([name]) => !this.#isIgnored(name));
    const fields = named.map(([name, inner]) => [this.#fieldOfName.get(name) ?? name, inner] as const);
    const scan = Object.fromEntries([...Object.entries(this.#constants), ...fields]);
    const clash = fields.find(([field, inner], index) => {
      const constant = Object.hasOwn(this.#constants, field) ? this.#constants[field as WireField] : inner;
      return constant !== inner || fields.findIndex(([other]) => other === field) !== index;
    });
    if (clash === undefined) return { value: scan };
    const message = `${quoted(clash[0])} has two values in this row, one of them by --map or --set.`;
    return { value: scan, fault: { code: 'SG_FIELDS_DISAGREE', field: clash[0], message } };
  }

  #isIgnored(name: string): boolean {
    return this.#ignored.has(name) || (this.#ignoresUnmapped && !this.#fieldOfName.has(name));
  }
}

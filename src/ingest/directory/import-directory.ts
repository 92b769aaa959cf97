/**
 * Files of a product directory: FDA's product.txt with package.txt, or a plain list. Some thousand packages in one transaction.
 *
 * In: files. Out: how many packages were taken, and each row that is none. An import that was stopped goes on where it stopped when
 * it is started again with the same files. A package takes the place of what is listed under its NDC; none is ever taken out.
 */
import { canonicalJson } from '../../base/canonical-json.ts';
import { sha256Hex } from '../../base/digest.ts';
import { ScanGateError } from '../../base/errors.ts';
import type { ListedPackage, ProductDirectoryWriter } from '../../directory/product-directory.ts';
import { readListing } from '../../directory/read-listing.ts';
import { delimiterOf, parseRecord } from '../file/csv-record.ts';
import { linesOf } from '../file/file-lines.ts';
import type { TextLine } from '../file/file-row.ts';
import { InputFile } from '../file/input-file.ts';
import type { Encoding } from '../file/text-encoding.ts';
import { FdaPackageReader, FdaProducts } from './fda-files.ts';
import { Header, type ListedRow, type ListingReader } from './listing-reader.ts';
import { PlainListReader } from './plain-list.ts';

export interface DirectoryImportOptions {
  /** FDA's two files in either order, or one plain list. */
  readonly paths: readonly string[];
  /** Of files without a byte-order mark: `windows-1252` for FDA's, else `utf-8`, when left out. */
  readonly encoding?: Encoding;
  readonly directory: ProductDirectoryWriter;
  readonly packagesPerTransaction?: number;
  /** Called after each transaction. */
  readonly onProgress?: (progress: { bytes: number; bytesTotal: number; packages: number }) => void;
  readonly onRefused?: (row: RefusedRow) => void;
}

export interface RefusedRow {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Of this run. */
export interface DirectoryImportSummary {
  readonly packages: number;
  readonly refused: number;
  /** Where this run went on with what another had begun. */
  readonly resumed_at_line?: number;
}

const lineBytesMax = 64 * 1024;

/** A file whose header was read. */
interface ListFile {
  readonly file: InputFile;
  readonly kind: 'fda_products' | 'fda_packages' | 'plain';
  readonly header: readonly string[];
  readonly delimiter: string;
  readonly encoding: Encoding | undefined;
}

/** @throws ScanGateError `SG_INPUT_FILE` before the first package when the files are not what they should be. */
export async function importDirectory(options: DirectoryImportOptions): Promise<DirectoryImportSummary> {
  const opened: InputFile[] = [];
  try {
    for (const path of options.paths) opened.push(await InputFile.open(path));
    const files: ListFile[] = [];
    for (const file of opened) files.push(await listFileOf(file, options.encoding));
    const { list, reader } = await readerOf(files);
    const digests = await Promise.all(opened.map((file) => file.digest()));
    const key = `directory:${sha256Hex(canonicalJson(digests.toSorted()))}`;
    return await new DirectoryImport(options, list, reader, key).run();
  } finally {
    for (const file of opened) await file.close();
  }
}

class DirectoryImport {
  readonly #options: DirectoryImportOptions;
  readonly #list: ListFile;
  readonly #reader: ListingReader;
  readonly #key: string;
  #packages = 0;
  #refused = 0;

  constructor(options: DirectoryImportOptions, list: ListFile, reader: ListingReader, key: string) {
    this.#options = options;
    this.#list = list;
    this.#reader = reader;
    this.#key = key;
  }

  async run(): Promise<DirectoryImportSummary> {
    const { directory, packagesPerTransaction = 2_000, onProgress } = this.#options;
    const resumedAfter = directory.lineOf(this.#key);
    const { file } = this.#list;
    let bytes = 0;
    let line = resumedAfter;
    let taken: ListedPackage[] = [];
    const put = (isDone: boolean): void => {
      directory.put(taken, { key: this.#key, line, isDone });
      this.#packages += taken.length;
      taken = [];
      onProgress?.({ bytes, bytesTotal: file.bytes, packages: this.#packages });
    };
    const onBytes = (read: number): void => {
      bytes = read;
    };
    for await (const row of rowsOf(this.#list, this.#reader, onBytes)) {
      if (row.line <= resumedAfter) continue;
      const listed = this.#packageOf(row);
      if (listed !== undefined) taken.push(listed);
      line = row.line;
      if (taken.length >= packagesPerTransaction) put(false);
    }
    put(true);
    return {
      packages: this.#packages,
      refused: this.#refused,
      ...(resumedAfter > 0 && { resumed_at_line: resumedAfter + 1 }),
    };
  }

  #packageOf({ line, texts, fault }: ListedRow): ListedPackage | undefined {
    const read = texts === undefined ? { ok: false as const, error: fault ?? '' } : readListing(texts);
    if (read.ok) return read.value;
    this.#refused += 1;
    this.#options.onRefused?.({ file: this.#list.file.path, line, message: read.error });
    return undefined;
  }
}

async function* rowsOf(list: ListFile, reader: ListingReader, onBytes: (bytes: number) => void): AsyncGenerator<ListedRow> {
  for await (const line of linesAfterHeader(list, onBytes)) yield* reader.push(line);
  yield* reader.end();
}

async function* linesAfterHeader({ file, encoding }: ListFile, onBytes?: (bytes: number) => void): AsyncGenerator<TextLine> {
  let isHeader = true;
  for await (const line of linesOf(file, { encoding, lineBytesMax, ...(onBytes !== undefined && { onBytes }) })) {
    if (!isHeader) yield line;
    isHeader = false;
  }
}

async function listFileOf(file: InputFile, asked: Encoding | undefined): Promise<ListFile> {
  const ofFda = asked ?? 'windows-1252';
  const text = await firstLine(file, ofFda);
  const delimiter = delimiterOf(text);
  const parsed = parseRecord(text, delimiter);
  const header = parsed.kind === 'cells' ? parsed.cells : [];
  const names = new Header(header);
  if (FdaProducts.isHeader(names)) return { file, kind: 'fda_products', header, delimiter, encoding: ofFda };
  if (FdaPackageReader.isHeader(names)) return { file, kind: 'fda_packages', header, delimiter, encoding: ofFda };
  if (PlainListReader.isHeader(names)) return { file, kind: 'plain', header, delimiter, encoding: asked };
  throw new ScanGateError(
    'SG_INPUT_FILE',
    `${file.path} is no list of packages: it begins neither as FDA's product.txt or package.txt nor with columns ndc and schedule.`,
  );
}

async function firstLine(file: InputFile, encoding: Encoding): Promise<string> {
  for await (const { text } of linesOf(file, { encoding, lineBytesMax })) return text ?? '';
  return '';
}

/** The file that lists packages, and how it is read. */
async function readerOf(files: readonly ListFile[]): Promise<{ list: ListFile; reader: ListingReader }> {
  const [only] = files;
  if (files.length === 1 && only?.kind === 'plain') {
    return { list: only, reader: new PlainListReader(only.header, only.delimiter, lineBytesMax) };
  }
  const products = files.find(({ kind }) => kind === 'fda_products');
  const list = files.find(({ kind }) => kind === 'fda_packages');
  if (files.length !== 2 || products === undefined || list === undefined) {
    throw new ScanGateError(
      'SG_INPUT_FILE',
      "Give FDA's product.txt and package.txt together, or one list of your own: the one names schedules, the other packages.",
    );
  }
  return { list, reader: new FdaPackageReader(new Header(list.header), await productsOf(products)) };
}

async function productsOf(list: ListFile): Promise<FdaProducts> {
  const products = new FdaProducts(new Header(list.header));
  for await (const line of linesAfterHeader(list)) products.add(line);
  return products;
}

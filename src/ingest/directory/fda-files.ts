/**
 * FDA's National Drug Code directory: `product.txt` and `package.txt`, tab-separated, in Windows-1252, nothing quoted
 * (https://www.fda.gov/drugs/drug-approvals-and-databases/ndc-product-file-definitions).
 */
import { unitsIn } from '../../directory/read-listing.ts';
import type { TextLine } from '../file/file-row.ts';
import type { Header, ListedRow, ListingReader } from './listing-reader.ts';

/** What `product.txt` says of a product that its packages share. */
interface FdaProduct {
  readonly name: string;
  readonly schedule: string;
  /** Dosage form and strength, as in `TABLET, 10 mg/1`. */
  readonly form: string;
}

export class FdaProducts {
  readonly #header: Header;
  readonly #products = new Map<string, FdaProduct>();

  constructor(header: Header) {
    this.#header = header;
  }

  static isHeader(header: Header): boolean {
    return header.has('productid', 'nonproprietaryname', 'deaschedule');
  }

  /** A row that breaks off says nothing: its packages are refused. */
  add({ text, isCut }: TextLine): void {
    const cells = text?.split('\t') ?? [];
    if (isCut || cells.length !== this.#header.count) return;
    const of = (name: string): string => this.#header.cell(cells, name);
    const id = of('productid');
    if (id === '') return;
    const brand = [of('proprietaryname'), of('proprietarynamesuffix')].filter((part) => part !== '').join(' ');
    const strength = `${of('active_numerator_strength')} ${of('active_ingred_unit')}`.trim();
    this.#products.set(id, {
      name: brand === '' ? of('nonproprietaryname') : brand,
      schedule: of('deaschedule'),
      form: [of('dosageformname'), strength].filter((part) => part !== '').join(', '),
    });
  }

  of(productId: string): FdaProduct | undefined {
    return this.#products.get(productId);
  }
}

export class FdaPackageReader implements ListingReader {
  readonly #header: Header;
  readonly #products: FdaProducts;

  constructor(header: Header, products: FdaProducts) {
    this.#header = header;
    this.#products = products;
  }

  static isHeader(header: Header): boolean {
    return header.has('productid', 'ndcpackagecode', 'packagedescription');
  }

  push({ number: line, text, isCut }: TextLine): ListedRow[] {
    if (text === undefined || isCut) return [{ line, fault: 'The line is not text in the encoding of the file, or too long.' }];
    const cells = text.split('\t');
    const of = (name: string): string => this.#header.cell(cells, name);
    const [id, ndc, description] = [of('productid'), of('ndcpackagecode'), of('packagedescription')];
    if (text.trim() === '') return [];
    if (cells.length !== this.#header.count) {
      return [{ line, fault: `The row has ${cells.length} columns; the header has ${this.#header.count}.` }];
    }
    const product = this.#products.of(id);
    if (product === undefined) return [{ line, fault: `The product file has no whole row of product "${id}".` }];
    const { name, schedule, form } = product;
    const packageForm = [form, description].filter((part) => part !== '').join('; ');
    // Nothing in this column says that the product is in no schedule.
    const texts = { ndc, name, packageForm, schedule: schedule === '' ? 'none' : schedule };
    return [{ line, texts: { ...texts, unitsPerContainer: unitsIn(description) } }];
  }

  end(): ListedRow[] {
    return [];
  }
}

import { describe, expect, it, test } from 'vitest';
import { FdaPackageReader, FdaProducts } from '../../../../src/ingest/directory/fda-files.ts';
import { Header, type ListedRow } from '../../../../src/ingest/directory/listing-reader.ts';
import { faultsOf, lineOf } from './listings.ts';

const productHeader = new Header(
  (
    'PRODUCTID PRODUCTNDC PRODUCTTYPENAME PROPRIETARYNAME PROPRIETARYNAMESUFFIX NONPROPRIETARYNAME DOSAGEFORMNAME ROUTENAME ' +
    'STARTMARKETINGDATE ENDMARKETINGDATE MARKETINGCATEGORYNAME APPLICATIONNUMBER LABELERNAME SUBSTANCENAME ' +
    'ACTIVE_NUMERATOR_STRENGTH ACTIVE_INGRED_UNIT PHARM_CLASSES DEASCHEDULE NDC_EXCLUDE_FLAG LISTING_RECORD_CERTIFIED_THROUGH'
  ).split(' '),
);
const packageHeader = new Header(
  'PRODUCTID PRODUCTNDC NDCPACKAGECODE PACKAGEDESCRIPTION STARTMARKETINGDATE ENDMARKETINGDATE NDC_EXCLUDE_FLAG SAMPLE_PACKAGE'.split(
    ' ',
  ),
);

interface Product {
  readonly id?: string;
  readonly brand?: string;
  readonly suffix?: string;
  readonly generic?: string;
  readonly form?: string;
  readonly strength?: string;
  readonly unit?: string;
  readonly schedule?: string;
}

/** A row of product.txt. */
function productRow({
  id = '60274-610_1',
  brand = '',
  suffix = '',
  generic = '',
  form = '',
  strength = '',
  unit = '',
  schedule = '',
}: Product) {
  const names = [id, '60274-610', 'HUMAN PRESCRIPTION DRUG', brand, suffix, generic, form, 'ORAL', '20180101', '', 'NDA'];
  return [...names, 'NDA1', 'Alkermes', 'SUBSTANCE', strength, unit, 'Opioid Agonist [EPC]', schedule, 'N', '20261231'].join(
    '\t',
  );
}

function packageRow({ id = '60274-610_1', ndc = '60274-610-01', description = '60 CAPSULE in 1 BOTTLE' } = {}): string {
  return [id, '60274-610', ndc, description, '20180101', '', 'N', 'N'].join('\t');
}

/** What the package file lists, each line of both files from line 2 on. */
function rowsOf(products: readonly string[], packages: readonly (string | undefined)[]): ListedRow[] {
  const known = new FdaProducts(productHeader);
  for (const [index, text] of products.entries()) known.add(lineOf(index + 2, text));
  const reader = new FdaPackageReader(packageHeader, known);
  return [...packages.flatMap((text, index) => reader.push(lineOf(index + 2, text))), ...reader.end()];
}

test('the two files are known by their headers, and not taken for each other', () => {
  expect([FdaProducts.isHeader(productHeader), FdaPackageReader.isHeader(productHeader)]).toEqual([true, false]);
  expect([FdaProducts.isHeader(packageHeader), FdaPackageReader.isHeader(packageHeader)]).toEqual([false, true]);
});

test('a package is listed with the name, form and schedule of its product and its own description', () => {
  const product = productRow({
    brand: 'Zohydro',
    suffix: 'ER',
    generic: 'hydrocodone bitartrate',
    form: 'CAPSULE, EXTENDED RELEASE',
    strength: '10',
    unit: 'mg/1',
    schedule: 'CII',
  });
  expect(rowsOf([product], [packageRow()])).toEqual([
    {
      line: 2,
      texts: {
        ndc: '60274-610-01',
        name: 'Zohydro ER',
        packageForm: 'CAPSULE, EXTENDED RELEASE, 10 mg/1; 60 CAPSULE in 1 BOTTLE',
        schedule: 'CII',
        unitsPerContainer: '60',
      },
    },
  ]);
});

test('a product without a brand is named by its substance, and one without a form by its package', () => {
  const [row] = rowsOf([productRow({ generic: 'lacosamide', schedule: 'CV' })], [packageRow()]);
  expect([row?.texts?.name, row?.texts?.packageForm]).toEqual(['lacosamide', '60 CAPSULE in 1 BOTTLE']);
});

test('a product whose schedule is blank is in none', () => {
  const [row] = rowsOf([productRow({ brand: 'Sterile Diluent' })], [packageRow({ ndc: '0002-0800-01' })]);
  expect([row?.texts?.ndc, row?.texts?.schedule]).toEqual(['0002-0800-01', 'none']);
});

test.each([
  [
    'one of twenty columns that breaks off before its schedule',
    productRow({ generic: 'hydrocodone', schedule: 'CII' }).split('\t').slice(0, 9).join('\t'),
  ],
  [
    'one that breaks off in the middle of it',
    productRow({ generic: 'hydrocodone', schedule: 'CII' }).split('\t').slice(0, 17).join('\t'),
  ],
])('a product row is not taken for one of no schedule: %s', (_what, row) => {
  const [listed] = rowsOf([row], [packageRow()]);
  expect(listed?.texts).toBeUndefined();
  expect(listed?.fault).toMatch(/\.$/);
});

describe('quotes', () => {
  it('are text: nothing is quoted in these files', () => {
    const [row] = rowsOf(
      [productRow({ brand: '"Zohydro', schedule: 'CII' })],
      [packageRow({ description: '60 "CAPSULE" in 1 BOTTLE' })],
    );
    expect([row?.texts?.name, row?.texts?.packageForm]).toEqual(['"Zohydro', '60 "CAPSULE" in 1 BOTTLE']);
  });
});

test('a row that is no package is named by its line, and those after it are read', () => {
  const rows = rowsOf(
    [productRow({ schedule: 'CII' })],
    [
      packageRow({ id: '99999-001_9' }),
      undefined,
      '',
      '60274-610_1\t60274-610\t60274-610-03',
      packageRow({ ndc: '60274-610-02' }),
    ],
  );
  expect(faultsOf(rows)).toEqual([
    [2, 'The product file has no whole row of product "99999-001_9".'],
    [3, 'The line is not text in the encoding of the file, or too long.'],
    [5, 'The row has 3 columns; the header has 8.'],
    [6, undefined],
  ]);
});

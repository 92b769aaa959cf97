/** Files of a product directory, as FDA and as a pharmacy would write them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lifetime } from '../support/lifetime.ts';

export function newFolder(): string {
  return lifetime.folder('scangate-directory-');
}

export function write(name: string, content: string | Uint8Array): string {
  const path = join(newFolder(), name);
  writeFileSync(path, content);
  return path;
}

const productHeader =
  'PRODUCTID\tPRODUCTNDC\tPRODUCTTYPENAME\tPROPRIETARYNAME\tPROPRIETARYNAMESUFFIX\tNONPROPRIETARYNAME\tDOSAGEFORMNAME\tROUTENAME\tSTARTMARKETINGDATE\tENDMARKETINGDATE\tMARKETINGCATEGORYNAME\tAPPLICATIONNUMBER\tLABELERNAME\tSUBSTANCENAME\tACTIVE_NUMERATOR_STRENGTH\tACTIVE_INGRED_UNIT\tPHARM_CLASSES\tDEASCHEDULE\tNDC_EXCLUDE_FLAG\tLISTING_RECORD_CERTIFIED_THROUGH';
const packageHeader =
  'PRODUCTID\tPRODUCTNDC\tNDCPACKAGECODE\tPACKAGEDESCRIPTION\tSTARTMARKETINGDATE\tENDMARKETINGDATE\tNDC_EXCLUDE_FLAG\tSAMPLE_PACKAGE';

/** `NDC of the product`, brand, generic name, form, strength, unit, schedule. */
export type Product = readonly [
  ndc: string,
  brand: string,
  name: string,
  form: string,
  strength: string,
  unit: string,
  schedule: string,
];

export function productText(products: readonly Product[]): string {
  const rows = products.map(([ndc, brand, name, form, strength, unit, schedule]) =>
    [
      ...[
        `${ndc}_id`,
        ndc,
        'HUMAN PRESCRIPTION DRUG',
        brand,
        '',
        name,
        form,
        'ORAL',
        '20180101',
        '',
        'NDA',
        'NDA018781',
        'Labeler',
      ],
      ...['SUBSTANCE', strength, unit, '', schedule, 'N', '20261231'],
    ].join('\t'),
  );
  return [productHeader, ...rows, ''].join('\r\n');
}

/** `NDC of the product`, NDC of the package, description. */
export function packageText(packages: readonly (readonly [product: string, ndc: string, description: string])[]): string {
  const rows = packages.map(([product, ndc, description]) =>
    [`${product}_id`, product, ndc, description, '20180101', '', 'N', 'N'].join('\t'),
  );
  return [packageHeader, ...rows, ''].join('\r\n');
}

/** Bytes of text in Windows-1252, for the characters between 0x80 and 0x9F that the tests use; else Latin-1. */
export function windows1252(text: string): Buffer {
  const upper: Readonly<Record<string, number>> = {
    '€': 0x80,
    '…': 0x85,
    Š: 0x8a,
    '‘': 0x91,
    '’': 0x92,
    '–': 0x96,
    '™': 0x99,
    Ÿ: 0x9f,
  };
  return Buffer.from([...text].map((character) => upper[character] ?? character.charCodeAt(0)));
}

/** Real NDCs with their schedules, in all forms in which FDA lists them. */
export const products: readonly Product[] = [
  ['60274-610', 'Zohydro™', 'hydrocodone bitartrate', 'CAPSULE, EXTENDED RELEASE', '10', 'mg/1', 'CII'],
  ['11014-0080', '', 'dexmethylphenidate', 'CAPSULE', '5', 'mg/1', 'CII'],
  ['11071-902', 'L’Été – Ÿ', 'perampanel', 'TABLET', '2', 'mg/1', 'CIII'],
  ['0591-0240', 'Lorazepam…', 'lorazepam', 'TABLET', '.5', 'mg/1', 'CIV'],
  ['16262-009', '', 'lacosamide', '', '', '', 'CV'],
  ['0002-0800', 'Sterile Diluent', 'diluent', 'INJECTION, SOLUTION', '1', 'mL/mL', ''],
];

export const packages = [
  ['60274-610', '60274-610-01', '60 CAPSULE, EXTENDED RELEASE in 1 BOTTLE'],
  ['11014-0080', '11014-0080-1', '2 POUCH in 1 CASE > 5000 CAPSULE in 1 POUCH'],
  ['11071-902', '11071-902-01', '3 BLISTER PACK in 1 CARTON / 10 TABLET in 1 BLISTER PACK'],
  ['0591-0240', '0591-0240-00', '100 TABLET in 1 BOTTLE'],
  ['16262-009', '16262-009-01', '1 DRUM in 1 DRUM'],
  ['0002-0800', '0002-0800-01', '1 VIAL in 1 CARTON (0002-0800-01)  > 10 mL in 1 VIAL'],
] as const;

export function fdaFiles(): { readonly product: string; readonly pack: string } {
  return {
    product: write('product.txt', windows1252(productText(products))),
    pack: write('package.txt', windows1252(packageText(packages))),
  };
}

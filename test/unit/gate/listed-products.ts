import type { ProductDirectory } from '../../../src/directory/product-directory.ts';
import type { Listing } from '../../../src/scan/listing.ts';

/** A directory of these packages, by NDC-12; of ten digits it knows those that are given. */
export function directoryOf(
  packages: Readonly<Record<string, Listing>>,
  { isLoaded = true, ndc10 = {} }: { isLoaded?: boolean; ndc10?: Readonly<Record<string, string>> } = {},
): ProductDirectory {
  return {
    isLoaded: () => isLoaded,
    listing: (ndc12) => packages[ndc12],
    ndc11Of: (digits) => ndc10[digits],
  };
}

/** Oxycodone of Teva, 0093-5732-01. */
export const oxycodone: Listing = {
  dea_schedule: 'CII',
  product_name: 'Oxycodone ER',
  package_form: 'TABLET, 10 mg/1; 100 TABLET in 1 BOTTLE',
  units_per_container: '100',
};

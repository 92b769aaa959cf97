import { ndc10InGtin } from '../scan/decode/gtin.ts';
import type { Listing } from '../scan/listing.ts';
import type { Product } from '../scan/product.ts';
import type { ProductDirectory } from './product-directory.ts';

/** What a directory says of a product. A case or carton holds what its unit is, in another package. */
export function listingOf({ ndc12, gtin14 = '', unitNdc11 }: Product, directory: ProductDirectory): Listing | undefined {
  if (ndc12 !== undefined) return directory.listing(ndc12);
  const ndc10 = ndc10InGtin(gtin14);
  const ndc11 = unitNdc11 ?? (ndc10 && directory.ndc11Of(ndc10));
  const listing = ndc11 === undefined ? undefined : directory.listing(`0${ndc11}`);
  if (ndc11 === undefined || listing === undefined) return undefined;
  if (gtin14.startsWith('0')) return { ...listing, ndc11 };
  const { dea_schedule, product_name } = listing;
  return { dea_schedule, ...(product_name !== undefined && { product_name }) };
}

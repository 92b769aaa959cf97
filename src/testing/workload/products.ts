/**
 * The products of the traffic: packages of the FDA's directory, in every spelling that scanners use for them. `text` is what names the
 * product in identity and book without a product directory, written down here and not computed: ten digits that begin with 0 are 4-4-2,
 * those of other labelers stand for two NDCs, so that they are the same product only in the same kind of spelling.
 */
export interface Product {
  readonly text: string;
  /** Spellings of its NDC. */
  readonly ndcs: readonly string[];
  /** The GTIN-14 that its symbol holds; `''` where a scanner sends the NDC only. */
  readonly gtin: string;
}

export const products: readonly [Product, ...Product[]] = [
  { text: '00093573201', ndcs: ['00093573201', '0093-5732-01', '00093-5732-01'], gtin: '00300935732015' },
  { text: '00093721410', ndcs: ['00093721410', '0093-7214-10', '000093721410'], gtin: '00300937214106' },
  { text: '00641605225', ndcs: ['00641605225', '0641-6052-25', '00641-6052-25'], gtin: '00306416052252' },
  { text: '00143939110', ndcs: ['00143939110', '0143-9391-10', '00143-9391-10'], gtin: '00301439391104' },
  { text: '00143924605', ndcs: ['00143924605', '0143-9246-05', '00143-9246-05'], gtin: '00301439246053' },
  { text: '00591024001', ndcs: ['00591024001', '0591-0240-01', '000591024001'], gtin: '00305910240011' },
  { text: '00641047625', ndcs: ['00641047625', '0641-0476-25', '00641-0476-25'], gtin: '00306410476252' },
  { text: '00409469933', ndcs: ['00409469933', '0409-4699-33', '00409-4699-33'], gtin: '00304094699332' },
  // Labelers of five digits, by their NDC.
  { text: '60274061001', ndcs: ['60274061001', '60274-610-01', '60274-0610-01'], gtin: '' },
  { text: '16262000901', ndcs: ['16262000901', '16262-009-01', '016262000901'], gtin: '' },
  { text: '63629199801', ndcs: ['63629199801', '63629-1998-1', '63629-1998-01'], gtin: '' },
  // Labelers of five digits, by what their symbol holds.
  { text: '00354092381012', ndcs: [], gtin: '00354092381012' },
  { text: '00367457198033', ndcs: [], gtin: '00367457198033' },
  { text: '00372152547208', ndcs: [], gtin: '00372152547208' },
  // Cartons, which are not the unit inside.
  { text: '50300935732010', ndcs: [], gtin: '50300935732010' },
  { text: '50311014008018', ndcs: [], gtin: '50311014008018' },
];

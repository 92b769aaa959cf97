/**
 * Symbology identifiers (ISO/IEC 15424, "AIM identifiers"): three characters that a scanner puts before what it read.
 *
 * Whether a symbol is GS1's decides what its text can be; the identifier itself is not data.
 */
export interface Symbology {
  /** As in `]d2`. */
  readonly id: string;
  readonly name: string;
  /** `gs1`: an element string and nothing else; `ean`: a GTIN; `plain`: anything. */
  readonly content: 'gs1' | 'ean' | 'plain';
}

const names: Readonly<Record<string, string>> = {
  A: 'Code 39',
  B: 'Telepen',
  C: 'Code 128',
  D: 'Code One',
  E: 'EAN/UPC',
  F: 'Codabar',
  G: 'Code 93',
  H: 'Code 11',
  I: 'ITF',
  J: 'DotCode',
  K: 'Code 16K',
  L: 'PDF417',
  M: 'MSI',
  N: 'Anker',
  O: 'Codablock',
  P: 'Plessey',
  Q: 'QR Code',
  R: '2 of 5',
  S: '2 of 5',
  T: 'Code 49',
  U: 'MaxiCode',
  X: 'other',
  Y: 'system expansion',
  Z: 'no bar code',
  c: 'Channel Code',
  d: 'Data Matrix',
  e: 'GS1 DataBar',
  h: 'Han Xin',
  o: 'OCR',
  p: 'PosiCode',
  s: 'SuperCode',
  u: 'Ultracode',
  z: 'Aztec',
};

const gs1Carriers = new Set(['C1', 'd2', 'e0', 'e1', 'e2', 'e3', 'J1', 'Q3', 'z1']);

const known = new Map<string, Symbology | undefined>();

/** The symbology of an identifier, or nothing where there is none such. */
export function symbologyOf(id: string): Symbology | undefined {
  if (!known.has(id)) known.set(id, readIdentifier(id));
  return known.get(id);
}

function readIdentifier(id: string): Symbology | undefined {
  const [, letter = '', modifier = ''] = id;
  const name = names[letter];
  if (name === undefined || !/[0-9A-Z]/.test(modifier)) return undefined;
  const content = gs1Carriers.has(letter + modifier) ? 'gs1' : letter === 'E' ? 'ean' : 'plain';
  return { id, name: content === 'gs1' ? `GS1 ${name.replace('GS1 ', '')}` : name, content };
}

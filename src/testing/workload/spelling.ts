/**
 * One content as scanners send it: parsed fields, a GS1 element string as text or as bytes, a GS1 Digital Link. Two listeners, and two
 * scans of one content, may spell it differently; a retransmission repeats what it was.
 */
import type { Draft } from '../../base/draft.ts';
import type { WireScan } from '../../scan/wire-schema.ts';
import type { Content } from './content.ts';
import type { Random } from './random.ts';

/** Sends GS in front of every element that follows one of variable length. */
const gs = '\u001D';

/** What was scanned, into the fields of a scan that says already where. */
export function spell(wire: Draft<WireScan>, content: Content, random: Random): void {
  const { act, amount, reference } = content;
  const quantity = random.pick(amount.spellings);
  if (quantity !== undefined) wire.quantity = quantity;
  if (amount.unit !== 'EA' || random.perMille(100)) wire.unit = amount.unit;
  if (act.direction !== undefined) wire.direction = act.direction;
  if (reference !== '') wire.reference = reference;
  spellPackage(wire, content, random);
}

function spellPackage(wire: Draft<WireScan>, content: Content, random: Random): void {
  const { product } = content;
  const spelling = product.gtin === '' ? 0 : random.between(product.ndcs.length === 0 ? 1 : 0, 4);
  if (spelling === 2) wire.barcode = `${random.pick(['', ']d2', ']C1'])}${elementString(content, random.perMille(500))}`;
  else if (spelling === 3) wire.barcode_base64 = Buffer.from(`]d2${elementString(content, true)}`, 'latin1').toString('base64');
  else if (spelling === 4) wire.barcode = digitalLink(content);
  else {
    if (spelling === 1) wire.gtin = product.gtin;
    else wire.ndc = product.ndcs[random.below(product.ndcs.length)] ?? product.text;
    if (content.lot !== '') wire.lot_number = content.lot;
    if (content.serial !== '') wire.serial_number = content.serial;
    wire.expiration_date = content.expiry.date;
  }
}

/** AI 01, 17, 10 and 21; serial before lot, or lot before serial. */
export function elementString({ product, lot, serial, expiry }: Content, isSerialFirst: boolean): string {
  const lotElement = lot === '' ? '' : `10${lot}`;
  const serialElement = serial === '' ? '' : `21${serial}`;
  const separator = lot === '' || serial === '' ? '' : gs;
  const [first, second] = isSerialFirst ? [serialElement, lotElement] : [lotElement, serialElement];
  return `01${product.gtin}17${expiry.yymmdd}${first}${separator}${second}`;
}

function digitalLink({ product, lot, serial, expiry }: Content): string {
  const lotPath = lot === '' ? '' : `/10/${encodeURIComponent(lot)}`;
  const serialPath = serial === '' ? '' : `/21/${encodeURIComponent(serial)}`;
  return `https://id.gs1.org/01/${product.gtin}${lotPath}${serialPath}?17=${expiry.yymmdd}`;
}

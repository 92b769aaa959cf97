/** What is scanned: everything that tells one scan from another, but for time and id. */
import type { WireScan } from '../../scan/wire-schema.ts';
import type { Moved } from '../history.ts';
import { movedBy } from '../moved.ts';
import { type Product, products } from './products.ts';
import { type Random, randomOf } from './random.ts';

export interface Content {
  readonly product: Product;
  /** `''` where there is none. */
  readonly lot: string;
  readonly serial: string;
  readonly expiry: Expiry;
  readonly amount: Amount;
  readonly act: Act;
  readonly reference: string;
  /** All of it in one text. */
  readonly text: string;
}

type Drawn = Omit<Content, 'expiry' | 'text'>;

interface Expiry {
  readonly date: string;
  /** As in AI 17. */
  readonly yymmdd: string;
}

interface Amount {
  readonly text: string;
  readonly unit: 'EA' | 'ML';
  readonly spellings: readonly [Spelling, ...Spelling[]];
}

/** `undefined`: left out. */
type Spelling = WireScan['quantity'];

interface Act {
  readonly type: 'dispense' | 'receive' | 'waste' | 'transfer' | 'return';
  readonly direction?: 'in' | 'out';
  readonly sign: '' | '-';
}

const dispense: Act = { type: 'dispense', sign: '-' };

const otherActs: readonly [Act, ...Act[]] = [
  { type: 'receive', sign: '' },
  { type: 'waste', sign: '-' },
  { type: 'transfer', direction: 'in', sign: '' },
  { type: 'transfer', direction: 'out', sign: '-' },
  { type: 'return', direction: 'in', sign: '' },
  { type: 'return', direction: 'out', sign: '-' },
];

/** Case and leading zeros are data: some of these differ in nothing else. */
const lots = ['A1207', 'a1207', '0A1207', 'B22/9-X', 'LOT_77', '000431', '431', 'KX(5)%2', ''] as const;

const expiries: readonly [Expiry, ...Expiry[]] = [
  { date: '2027-08-31', yymmdd: '270800' },
  { date: '2028-02-29', yymmdd: '280229' },
  { date: '2029-12-15', yymmdd: '291215' },
];

const one: Amount = { text: '1', unit: 'EA', spellings: [undefined, 1, '1', '1.0'] };

const otherAmounts: readonly [Amount, ...Amount[]] = [
  { text: '30', unit: 'EA', spellings: [30, '30', '30.000'] },
  { text: '90', unit: 'EA', spellings: [90, '090'] },
  { text: '0.5', unit: 'ML', spellings: [0.5, '0.5', '0.50'] },
  { text: '12.25', unit: 'ML', spellings: [12.25, '12.250000'] },
];

/**
 * @param place facility and scanner in one text.
 * @param reference of this scan alone, or `''`.
 */
export function contentOf(random: Random, place: string, serial: string, reference: string): Content {
  const product = random.pick(products);
  const lot = random.pick(lots);
  const act = random.perMille(850) ? dispense : random.pick(otherActs);
  const amount = random.perMille(600) ? one : random.pick(otherAmounts);
  return whole(place, { product, lot, serial, act, amount, reference });
}

/** What differs from it in one dimension and in nothing else. @param mark of this scan alone. */
export function nearTwinOf(content: Content, random: Random, place: string, mark: string): Content {
  const { lot, act, amount } = content;
  const { direction } = act;
  const unit = amount.unit === 'EA' ? 'ML' : 'EA';
  const type = content.act.type === 'waste' ? 'dispense' : 'waste';
  const changes: [Partial<Drawn>, ...Partial<Drawn>[]] = [
    { serial: `T${mark}` },
    { lot: lot === lot.toUpperCase() && lot !== lot.toLowerCase() ? lot.toLowerCase() : `${lot}Z` },
    { amount: { ...amount, unit } },
    { amount: { text: `${amount.text}5`, unit: amount.unit, spellings: [`${amount.text}5`] } },
    { reference: `RT-${mark}` },
    direction === undefined
      ? { act: { type, sign: '-' } }
      : { act: direction === 'in' ? { ...act, direction: 'out', sign: '-' } : { ...act, direction: 'in', sign: '' } },
  ];
  return whole(place, { ...content, ...random.pick(changes) });
}

/** What was drawn, with what follows from it: a lot has one expiry, whoever scans it. */
function whole(place: string, drawn: Drawn): Content {
  const { product, lot, serial, act, amount, reference } = drawn;
  const text = `${place}|${product.text}|${lot}|${amount.text}|${act.type}|${serial}|${act.direction ?? ''}|${amount.unit}|${reference}`;
  return { ...drawn, expiry: randomOf(0, `expiry of ${product.text} ${lot}`).pick(expiries), text };
}

export function movedOf({ act, amount, lot, serial, reference }: Content): Moved {
  const { type: scan_type, direction } = act;
  const carried = { lot_number: lot, serial_number: serial, reference, ...(direction !== undefined && { direction }) };
  return movedBy({ scan_type, quantity: amount.text, unit: amount.unit, ...carried });
}

/** What a line of it adds to the stock. */
export function deltaOf({ act, amount }: Content): string {
  return act.sign + amount.text;
}

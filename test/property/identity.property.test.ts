import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identify, identityText } from '../../src/identity/identify.ts';
import { defaultScannerClass } from '../../src/identity/scanner-class.ts';
import type { Scan } from '../../src/scan/scan.ts';
import { readScan, receivedAt, type SeededNumbers, scanOf, withSeed } from '../support/scans.ts';

/** What makes two scans different, one entry a dimension; `null` where a scan does not have it. */
type Dimensions = readonly [
  facility: string,
  scanner: string,
  product: string,
  lot: string | null,
  quantity: string,
  movement: `${'receive' | 'dispense' | 'waste' | 'adjust' | 'count'}` | `${'transfer' | 'return'}/${'in' | 'out'}`,
  serial: string | null,
  unit: 'EA' | 'ML' | 'GM',
  reference: string | null,
  trustedId: string | null,
];

function scanWith(dimensions: Dimensions): Scan {
  const [facilityUuid, scannerId, product, lot, quantity, movement, serial, unit, reference, trustedId] = dimensions;
  const [scanType, direction] = movement.split('/') as [Scan['scanType'], Scan['direction']];
  return {
    facilityUuid,
    scannerId,
    scanType,
    product: product.length === 11 ? { ndc11: product } : { gtin14: product },
    quantity,
    unit,
    receivedAt,
    occurredAt: receivedAt,
    timeBasis: 'receipt',
    flags: [],
    asSent: {},
    ...(lot !== null && { lotNumber: lot }),
    ...(direction !== undefined && { direction }),
    ...(serial !== null && { serialNumber: serial }),
    ...(reference !== null && { reference }),
    ...(trustedId !== null && { scanId: trustedId }),
  };
}

const textOf = (dimensions: Dimensions) => identityText(scanWith(dimensions), { distinctIds: 'trust' });

// A small world of values that try to be mistaken for one another, so that equal and nearly equal scans are common.
const texts = [
  'A',
  'a',
  '1',
  '0',
  'EA',
  'in',
  'dispense',
  'serial=A',
  'unit=ML',
  'reference=A',
  'scan=A',
  'A serial=A',
  '=',
  '-',
] as const;
const optionalTexts = [null, ...texts] as const;
const products = ['00093721410', '00093721411', '00009372141000', '10304060512013', '00304060512016'] as const;
const quantities = ['1', '0', '-1', '10', '0.1', '0.000001'] as const;
const movements = [
  'receive',
  'dispense',
  'waste',
  'adjust',
  'count',
  'transfer/in',
  'transfer/out',
  'return/in',
  'return/out',
] as const;
const units = ['EA', 'ML', 'GM'] as const;

const drawn = (numbers: SeededNumbers): Dimensions => [
  numbers.pick(texts),
  numbers.pick(texts),
  numbers.pick(products),
  numbers.pick(optionalTexts),
  numbers.pick(quantities),
  numbers.pick(movements),
  numbers.pick(optionalTexts),
  numbers.pick(units),
  numbers.pick(optionalTexts),
  numbers.pick(optionalTexts),
];

describe('the identity text', () => {
  it('differs for a million pairs that differ in one or more dimensions, and is equal for equal ones', () => {
    withSeed((numbers) => {
      let equal = 0;
      let different = 0;
      for (let pair = 0; pair < 1_000_000; pair += 1) {
        const one = drawn(numbers);
        const another = drawn(numbers);
        // Most of the dimensions of one, so that the two are near.
        const other = one.map((value, at) => (numbers.below(8) === 0 ? another[at] : value)) as unknown as Dimensions;
        const sameDimensions = one.every((value, at) => value === other[at]);
        if ((textOf(one) === textOf(other)) !== sameDimensions) {
          throw new Error(`${JSON.stringify(one)} and ${JSON.stringify(other)} are both named ${textOf(one)}.`);
        }
        if (sameDimensions) equal += 1;
        else different += 1;
      }
      expect(equal).toBeGreaterThan(100_000);
      expect(different).toBeGreaterThan(500_000);
    });
  });

  const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => !text.includes('|'));
  const anyOptionalText = fc.option(anyText);
  const anyDimensions: fc.Arbitrary<Dimensions> = fc.tuple(
    anyText,
    anyText,
    fc.constantFrom(...products),
    anyOptionalText,
    fc.constantFrom(...quantities),
    fc.constantFrom(...movements),
    anyOptionalText,
    fc.constantFrom(...units),
    anyOptionalText,
    anyOptionalText,
  );

  it('differs for any two scans that differ in exactly one dimension', () => {
    fc.assert(
      fc.property(anyDimensions, anyDimensions, fc.nat({ max: 9 }), (one, another, at) => {
        fc.pre(one[at] !== another[at]);
        const other = one.map((value, dimension) => (dimension === at ? another[at] : value)) as unknown as Dimensions;

        expect(textOf(other)).not.toBe(textOf(one));
        expect(textOf([...one])).toBe(textOf(one));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('content identity and claim key', () => {
  it('differ for every one of 20,000 different scans', () => {
    withSeed((numbers) => {
      const seen = new Map<string, string>();
      const contents = new Set<string>();
      const claimKeys = new Set<string>();
      while (seen.size < 20_000) {
        const dimensions = drawn(numbers);
        const identity = identify(scanWith(dimensions), { ...defaultScannerClass, distinctIds: 'trust' });
        seen.set(JSON.stringify(dimensions), identity.content);
        contents.add(identity.content);
        claimKeys.add(identity.claimKey);
      }
      expect(contents.size).toBe(20_000);
      expect(claimKeys.size).toBe(20_000);
    });
  });

  it('tells a claim key of one window from that of any other', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 946_684_800_000, max: 4_102_444_800_000 }),
        fc.integer({ min: 1, max: 86_400_000 }),
        (at, windowMs) => {
          const scannerClass = { ...defaultScannerClass, windowMs };
          const start = at - (at % windowMs);
          const keyAt = (occurredAt: number) => identify({ ...scanOf(), occurredAt }, scannerClass).claimKey;

          expect(keyAt(start)).toBe(keyAt(at));
          expect(keyAt(start + windowMs - 1)).toBe(keyAt(at));
          expect(keyAt(start + windowMs)).not.toBe(keyAt(at));
          expect(keyAt(start - 1)).not.toBe(keyAt(at));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

/** One fact, and the JSON values that may stand for it. */
type Spellings = (numbers: SeededNumbers) => unknown;

const padding = ['', ' ', '\t', '\r\n', '\u200B', '\uFEFF', '\u00A0', '\u2060 '] as const;

function textSpelling(text: string): Spellings {
  return (numbers) => {
    const spelled = text.normalize(numbers.pick(['NFC', 'NFD']));
    const cut = numbers.below(spelled.length + 1);
    const hidden = numbers.pick(['', '', '\u200B', '\u00AD']);
    return numbers.pick(padding) + spelled.slice(0, cut) + hidden + spelled.slice(cut) + numbers.pick(padding);
  };
}

function quantitySpelling(whole: number, tenths: number): Spellings {
  const shortest = tenths === 0 ? `${whole}` : `${whole}.${tenths}`;
  const longest = `${whole}.${tenths}`;
  return (numbers) =>
    numbers.pick([Number(shortest), shortest, longest, `${longest}00`, `0${shortest}`, `+${shortest}`, ` ${longest}\r\n`]);
}

/** RFC 3339 in any offset, from another implementation of the calendar than ours, or a count. */
function instantSpelling(epochMs: number): Spellings {
  return (numbers) => {
    const offsetMinutes = numbers.pick([0, 0, 60, -300, 345, 840, -720, 765]);
    const local = new Date(epochMs + offsetMinutes * 60_000).toISOString().slice(0, -1);
    const hours = String(Math.floor(Math.abs(offsetMinutes) / 60)).padStart(2, '0');
    const minutes = String(Math.abs(offsetMinutes) % 60).padStart(2, '0');
    const sign = offsetMinutes < 0 ? '-' : '+';
    const offset = offsetMinutes === 0 ? numbers.pick(['Z', 'z', '+00:00', '-00:00']) : `${sign}${hours}:${minutes}`;
    return numbers.pick([
      epochMs,
      String(epochMs),
      `${epochMs}000`,
      local + offset,
      `${local}000${offset}`,
      local.replace('T', ' ') + offset,
    ]);
  };
}

const productSpellings: readonly [Record<string, string[]>, ...Record<string, string[]>[]] = [
  { ndc: ['00093721410', '0093-7214-10', '00093-7214-10'] },
  { ndc: ['63323072303', '63323-723-03', '63323-0723-03'] },
  { ndc: ['11014008001', '11014-0080-1', '11014-0080-01'] },
  { gtin: ['312345678906', '0312345678906', '00312345678906'] },
  { gtin: ['10304060512013'] },
];

function drawnSpellings(numbers: SeededNumbers): Record<string, Spellings> {
  const text = () => textSpelling(numbers.pick(['A1207', '00a1207', 'LOT\u00C97', '\u1E69\u0323', '\uAC01', '1E5', '__proto__']));
  const [[productField, product = []] = ['ndc', []]] = Object.entries(numbers.pick(productSpellings));
  const optional: Record<string, Spellings> = {
    lot_number: text(),
    serial_number: text(),
    scan_uuid: text(),
    reference: text(),
    expiration_date: textSpelling('2027-02-28'),
    captured_at: instantSpelling(receivedAt - numbers.below(86_400_000)),
  };
  return {
    facility_uuid: text(),
    scanner_id: text(),
    scan_type: () => 'dispense',
    quantity: quantitySpelling(1 + numbers.below(999), numbers.below(10)),
    [productField]: (draw) => draw.pick([product[0] ?? '', ...product]),
    ...Object.fromEntries(Object.entries(optional).filter(() => numbers.below(2) === 0)),
  };
}

/** JSON text of one spelling of each field, in any order, some characters escaped. */
function spelled(fields: Readonly<Record<string, Spellings>>, numbers: SeededNumbers): string {
  const members = Object.entries(fields).map(
    ([field, spelling]) => `${JSON.stringify(field)}:${JSON.stringify(spelling(numbers))}`,
  );
  for (let at = members.length - 1; at > 0; at -= 1) {
    const other = numbers.below(at + 1);
    [members[at], members[other]] = [members[other] ?? '', members[at] ?? ''];
  }
  const json = `{${members.join(numbers.pick([',', ', ', ',\n']))}}`;
  return numbers.below(2) === 0
    ? json
    : json.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

describe('the identity of a scan', () => {
  it('is one for all spellings of its JSON: order, escapes, quantity, time, text, NDC and GTIN', () => {
    withSeed((numbers) => {
      const seen = new Set<string>();
      for (let run = 0; run < 8_000; run += 1) {
        const fields = drawnSpellings(numbers);
        const [first, second] = [spelled(fields, numbers), spelled(fields, numbers)];
        const [one, other] = [first, second].map((json) =>
          identify(readScan(JSON.parse(json)), { ...defaultScannerClass, distinctIds: 'trust' }),
        );
        if (JSON.stringify(one) !== JSON.stringify(other)) throw new Error(`These are named differently:\n${first}\n${second}`);
        if (first !== second) seen.add(first);
      }
      expect(seen.size).toBeGreaterThan(6_000);
    });
  });
});

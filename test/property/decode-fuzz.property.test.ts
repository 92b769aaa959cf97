import { describe, expect, it } from 'vitest';
import { cleanRead } from '../../src/scan/decode/clean.ts';
import { decodeBarcode } from '../../src/scan/decode/decode.ts';
import { hibcCheckCharacter } from '../../src/scan/decode/hibc.ts';
import type { ScannerProfile } from '../../src/scan/decode/profile.ts';
import { type Reading, type ReadingPart, refusals } from '../../src/scan/decode/reading.ts';
import { certainCases, policyCases } from '../support/decode-cases.ts';
import { type SeededNumbers, withSeed } from '../support/scans.ts';

const runs = 1_000_000;
const caseInputs = [...certainCases, ...policyCases].filter(({ kind }) => kind !== 'transport').map(({ input }) => input);
/** A symbol that says its product twice is in no case: one wrong digit makes it contradict itself. */
const seeds = [...caseInputs, '010030406051201671500406051201'];
const profiles: readonly [ScannerProfile, ...ScannerProfile[]] = [
  {},
  {},
  { eightDigits: 'gtin8' },
  { eightDigits: 'upce' },
  { separatorAliases: ['<GS>', '#', '\\u001d', ' '] },
  { capsLock: true, prefix: '01', suffix: '12' },
  { keyboardLayout: 'fr-azerty' },
];
const tokens = [
  '\u001d', '\u001d\u001d', ']d2', ']C1', ']E0', ']E4', ']Q1', ']A0', '(01)', '(10)', '*', '+', '+$$', '$', '/', '/14D', '/S', '?', '&',
  '=', '%', '%2F', '%', '-', '.', '01', '00', '10', '17', '21', '30', '7003', '715', '3100', '8', '9', 'E+1', 'https://a/01/', '/10/', '/21/',
  '\r\n', ' ', '\t', '\u0000', '\u007f', 'à', '\ud800', '\u{1f48a}', '<GS>', '00304060512016', '261231', 'AB12',
] as const; // biome-ignore format: a table.

describe('decodeBarcode', () => {
  it(`reads ${runs} damaged barcodes without an exception, and gives nothing that they do not hold`, () => {
    expect(caseInputs).toHaveLength(138);
    withSeed((numbers) => {
      const met = new Map<string, number>();
      for (let run = 0; run < runs; run += 1) {
        const input = mutated(numbers);
        const outcome = outcomeOf(input, numbers.pick(profiles), numbers.below(200) + 1950);
        met.set(outcome, (met.get(outcome) ?? 0) + 1);
      }
      expect(met.get('ok')).toBeGreaterThan(runs / 20);
      // A check that met nothing has checked nothing: all carriers, and all reasons but those of fields other than the barcode.
      const reasons = Object.keys(refusals).filter((reason) => !['no_product', 'ndc_must_be_string'].includes(reason));
      expect(reasons.filter((reason) => !met.has(reason))).toEqual([]);
    });
  });
});

describe('a barcode of a megabyte', () => {
  // What grows with the square of the length takes minutes for these, and fails.
  const length = 1_000_000;
  const counted = `+$$8${'05805'.repeat(length / 5)}1`;

  it.each([
    ['spaces inside', `10A${' '.repeat(length)}B`, 'ai_too_long'],
    ['separators', '\u001d'.repeat(length), 'empty'],
    ['one date again and again', '11260101'.repeat(length / 8), 'ok'],
    ['weights that all differ', Array.from({ length: length / 10 }, (_, at) => `3100${100_000 + at}`).join(''), 'repeated_ai'],
    ['symbology identifiers', ']d2'.repeat(length / 3), 'unknown_ai'],
    ['brackets', '(10)'.repeat(length / 4), 'empty_element'],
    ['open brackets', `(10)${'('.repeat(length)}`, 'ai_too_long'],
    ['the parts of a path', `https://a${'/01/01'.repeat(length / 6)}`, 'bad_qualifier_order'],
    ['questions to a resolver', `https://a/01/00304060512016?${'17=261231&'.repeat(length / 10)}`, 'ok'],
    ['percent signs', `https://a/01/${'%'.repeat(length)}`, 'bad_escape'],
    ['digits', '1'.repeat(length), 'ok'],
    ['stars', '*'.repeat(length), 'unknown_ai'],
    ['HIBC quantities', counted + hibcCheckCharacter(counted), 'bad_date'],
    ['halves of surrogate pairs', '\ud800'.repeat(length), 'bad_charset'],
  ])('is read in one pass when it holds %s', (_, input, outcome) => {
    expect(input.length).toBeGreaterThanOrEqual(length - 2);
    expect(outcomeOf(input, {}, 2026)).toBe(outcome);
  });
});

/** The reason of a refusal, or `ok`; an error names the input. */
function outcomeOf(input: string, profile: ScannerProfile, scanYear: number): string {
  try {
    const reading = decodeBarcode(input, { scanYear, profile });
    if (!reading.ok) return reading.error.reason;
    const cleaned = cleanRead(input, profile);
    if (!cleaned.ok) throw new Error('What cannot be cleaned was read.');
    checkHeld(reading.value, cleaned.value.text);
    return 'ok';
  } catch (cause) {
    throw new Error(`${JSON.stringify(input.slice(0, 2_000))} with ${JSON.stringify(profile)}: ${String(cause)}`, { cause });
  }
}

/** Whether every field of a reading stands in the text. */
function checkHeld(reading: Reading, text: string): void {
  for (const part of reading.parts) {
    if (!isHeld(part, reading, text)) throw new Error(`${part.source} "${part.text}" is not at ${part.at} of "${text}".`);
  }
  const said: readonly (readonly [string | undefined, RegExp])[] = [
    [reading.lotNumber, /^(AI 10|HIBC lot)$/],
    [reading.serialNumber, /^(AI 21|HIBC serial)$/],
    [reading.sscc, /^AI 00$/],
    [reading.hibc?.lic, /^HIBC labeler$/],
    [reading.hibc?.pcn, /^HIBC product$/],
  ];
  for (const [value, source] of said) {
    const parts = reading.parts.filter((part) => source.test(part.source));
    if (value === undefined ? parts.length > 0 : !parts.some((part) => part.text === value))
      throw new Error(`${source.source} holds ${parts[0]?.text} and was read as ${value}.`);
  }
  checkDerived(reading);
  checkProduct(reading);
}

function isHeld({ source, text, at }: ReadingPart, { carrier }: Reading, all: string): boolean {
  if (carrier !== 'gs1_digital_link') return all.startsWith(text, at);
  // Percent-decoded, and a GTIN with its zeros.
  const [inPath = ''] = /^[^/?#]*/.exec(all.slice(at)) ?? [];
  const [inQuery = ''] = /^[^#&;]*/.exec(all.slice(at)) ?? [];
  return [inPath, inQuery].some((raw) => unescaped(raw)?.padStart(source === 'AI 01' ? 14 : 0, '0') === text);
}

function unescaped(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

/** Dates and counts are computed: there has to be a part to compute them from, and no such part may be passed over. */
function checkDerived({ expirationDate, productionDate, count, parts }: Reading): void {
  const has = (source: RegExp): boolean => parts.some((part) => source.test(part.source));
  const computed: readonly (readonly [unknown, RegExp])[] = [
    [expirationDate, /^(AI 17|AI 7003|HIBC expiration)$/],
    [productionDate, /^(AI 11|HIBC production)$/],
    [count, /^(AI 30|HIBC quantity)$/],
  ];
  for (const [value, source] of computed) {
    if ((value !== undefined) !== has(source)) throw new Error(`${source.source} was read as ${String(value)}.`);
  }
  if (expirationDate !== undefined && Number.isNaN(Date.parse(expirationDate))) throw new Error(`${expirationDate} is no date.`);
}

function checkProduct({ gtin14, ndc11, ndc12, carrier, parts }: Reading): void {
  const digits = parts.map(({ text }) => text.replaceAll(/\D/g, ''));
  const isUpcE = carrier === 'gtin' && digits[0]?.length === 8;
  if (gtin14 !== undefined && !isUpcE && !digits.some((text) => text !== '' && text.padStart(14, '0') === gtin14))
    throw new Error(`GTIN ${gtin14} is in none of ${digits.join()}.`);
  const shorter = [0, 5, 9].map((at) => (ndc11 ?? '').slice(0, at) + (ndc11 ?? '').slice(at + 1));
  const forms = [ndc12, ndc11, ...shorter].filter((form) => form !== undefined && form !== '');
  if (ndc12 !== undefined && !digits.some((text) => forms.some((form) => text.includes(form ?? '-'))))
    throw new Error(`NDC ${ndc12} is in none of ${digits.join()}.`);
}

function mutated(numbers: SeededNumbers): string {
  const kind = numbers.below(100);
  if (kind === 0) return randomBytes(numbers);
  let text = seedOf(numbers);
  if (kind === 1 && numbers.below(50) === 0) text = text.repeat(numbers.below(400));
  for (let times = numbers.below(4); times > 0; times -= 1) text = mutatedOnce(text, numbers);
  return text;
}

function seedOf(numbers: SeededNumbers): string {
  return seeds[numbers.below(seeds.length)] ?? '';
}

function randomBytes(numbers: SeededNumbers): string {
  return Array.from({ length: numbers.below(60) }, () => String.fromCharCode(numbers.below(256))).join('');
}

const mutations: readonly [Mutation, ...Mutation[]] = [
  (text, at) => text.slice(0, at),
  (text, at) => text.slice(at),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at, numbers) => text.slice(0, at) + numbers.pick(tokens) + text.slice(at),
  (text, at, numbers) => text.slice(0, at) + numbers.pick(tokens) + text.slice(at + 1),
  (text, at, numbers) => text.slice(0, at) + String.fromCharCode(0x20 + numbers.below(0x5f)) + text.slice(at + 1),
  (text, at, numbers) => text.slice(0, at) + String(numbers.below(10)) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2),
  (text, at, numbers) => text.slice(0, at) + text.slice(at).repeat(1 + numbers.below(3)),
  (text, at, numbers) => text.slice(0, at) + seedOf(numbers).slice(at),
  (text, _, numbers) => numbers.pick(tokens) + text,
  (text, _, numbers) => text + numbers.pick(tokens),
  (text) => text.toLowerCase(),
  (text, _, numbers) => '0'.repeat(numbers.below(15)) + text.replaceAll(/\d/g, () => (numbers.below(2) === 0 ? '0' : '1')),
];

type Mutation = (text: string, at: number, numbers: SeededNumbers) => string;

function mutatedOnce(text: string, numbers: SeededNumbers): string {
  return numbers.pick(mutations)(text, numbers.below(text.length + 1), numbers);
}

/**
 * GS1 application identifiers: what each holds. GS1 General Specifications, section 3, and its Barcode Syntax Dictionary.
 *
 * A row is the identifier, with `n` for a digit that only says where a decimal point is, and the parts of its value: `N6` is six
 * digits, `X..20` one to twenty characters of set 82, `Y` set 39, `Z` set 64; a part in brackets may be left out. `check` marks a
 * value whose first part ends in a check digit, `date` one that begins with YYMMDD.
 */
const rows = `
00 N18 check
01-03 N14 check
10 X..20
11-13 N6 date
15-17 N6 date
20 N2
21-22 X..20
235 X..28
240-241 X..30
242 N..6
243 X..20
250-251 X..30
253 N13 [X..17] check
254 X..20
255 N13 [N..12] check
30 N..8
310n-316n N6
320n-337n N6
340n-357n N6
360n-369n N6
37 N..8
390n N..15
391n N3 N..15
392n N..15
393n N3 N..15
394n N4
395n N6
400-401 X..30
402 N17 check
403 X..30
410-417 N13 check
420 X..20
421 N3 X..9
422 N3
423 N3 [N..12]
424 N3
425 N3 [N..12]
426 N3
427 X..3
4300-4301 X..35
4302-4306 X..70
4307 X2
4308 X..30
4309 N20
4310-4311 X..35
4312-4316 X..70
4317 X2
4318 X..20
4319 X..30
4320 X..35
4321-4323 N1
4324-4325 N10
4326 N6 date
4330-4333 N6 [X1]
7001 N13
7002 X..30
7003 N10 date
7004 N..4
7005 X..12
7006 N6 date
7007 N6 [N6] date
7008 X..3
7009 X..10
7010 X..2
7011 N6 [N4] date
7020-7022 X..20
7023 X..30
7030-7039 N3 X..27
7040 N1 X3
7041 X..4
710-717 X..20
7230-7239 X2 X..28
7240 X..20
7241 N2
7242 X..25
7250 N8
7251 N12
7252 N1
7253-7257 X..40
7258 X3
7259 X..40
8001 N14
8002 X..20
8003 N14 [X..16] check
8004 X..30
8005 N6
8006 N14 N4 check
8007 X..34
8008 N8 [N..4]
8009 X..50
8010 Y..30
8011 N..12
8012 X..20
8013 X..25
8014 X..25
8017-8018 N18 check
8019 N..10
8020 X..25
8026 N14 N4 check
8030 Z..90
8110 X..70
8111 N4
8112 X..70
8200 X..70
90 X..30
91-99 X..90
`;

export interface ApplicationIdentifier {
  readonly ai: string;
  /** How a part of a reading names it. */
  readonly source: string;
  readonly lengthMin: number;
  readonly lengthMax: number;
  /** Its length is known from its first two digits alone, so that no separator has to follow (General Specifications 7.8.5). */
  readonly predefined: boolean;
  /** Matches a whole value. */
  readonly form: RegExp;
  /** How many digits from the start end in a modulo-10 check digit; 0 where there is none. */
  readonly checkedLength: number;
  readonly isDate: boolean;
}

const predefinedPrefixes = new Set('00 01 02 03 04 11 12 13 14 15 16 17 18 19 20 31 32 33 34 35 36 41'.split(' '));

/** Character sets of GS1, as the inside of a character class. */
const characters: Readonly<Record<string, string>> = {
  N: '0-9',
  X: `!"%&'()*+,\\-./0-9:;<=>?A-Z_a-z`,
  Y: '#\\-/0-9A-Z',
  Z: '\\-0-9A-Z_a-z=',
};

interface Table {
  /** Every identifier, its decimal digit spelt out, by its text. */
  readonly byText: ReadonlyMap<string, ApplicationIdentifier>;
  /** By the first two digits: how long the identifiers are that begin with them. */
  readonly lengthByPrefix: ReadonlyMap<number, number>;
}

let read: Table | undefined;

/** Read for the first barcode: five hundred patterns, which a start need not wait for. */
function table(): Table {
  if (read === undefined) {
    const byText = readRows();
    read = { byText, lengthByPrefix: new Map([...byText.keys()].map((ai) => [Number(ai.slice(0, 2)), ai.length])) };
  }
  return read;
}

/** Every identifier, by its text. */
export function applicationIdentifiers(): Table['byText'] {
  return table().byText;
}

/** The identifier at this place of a text. */
export function identifierAt(text: string, at: number): ApplicationIdentifier | undefined {
  const { byText, lengthByPrefix } = table();
  const prefix = (text.charCodeAt(at) - 0x30) * 10 + (text.charCodeAt(at + 1) - 0x30);
  const length = lengthByPrefix.get(prefix) ?? 0;
  return length === 0 ? undefined : byText.get(text.slice(at, at + length));
}

function readRows(): Map<string, ApplicationIdentifier> {
  const byText = new Map<string, ApplicationIdentifier>();
  for (const row of rows.trim().split('\n')) {
    const [range = '', ...parts] = row.split(' ');
    for (const ai of identifiersOf(range)) byText.set(ai, describe(ai, parts));
  }
  return byText;
}

function identifiersOf(range: string): string[] {
  const [first = '', last = first] = range.replaceAll('n', '').split('-');
  const count = Number(last) - Number(first) + 1;
  const bases = Array.from({ length: count }, (_, index) => String(Number(first) + index).padStart(first.length, '0'));
  return range.includes('n') ? bases.flatMap((base) => Array.from({ length: 10 }, (_, digit) => `${base}${digit}`)) : bases;
}

function describe(ai: string, parts: readonly string[]): ApplicationIdentifier {
  const values = parts.filter((part) => part !== 'check' && part !== 'date').map(readPart);
  const sum = (pick: (part: Part) => number): number => values.reduce((total, part) => total + pick(part), 0);
  return {
    ai,
    source: `AI ${ai}`,
    lengthMin: sum((part) => (part.optional ? 0 : part.min)),
    lengthMax: sum((part) => part.max),
    predefined: predefinedPrefixes.has(ai.slice(0, 2)),
    form: new RegExp(`^${values.map(({ pattern }) => pattern).join('')}$`),
    checkedLength: parts.includes('check') ? (values[0]?.max ?? 0) : 0,
    isDate: parts.includes('date'),
  };
}

interface Part {
  readonly min: number;
  readonly max: number;
  readonly optional: boolean;
  readonly pattern: string;
}

function readPart(text: string): Part {
  const optional = text.startsWith('[');
  const [, set = 'X', range = '', digits = '0'] = /^\[?([NXYZ])(\.\.)?(\d+)\]?$/.exec(text) ?? [];
  const max = Number(digits);
  const min = range === '' ? max : 1;
  const pattern = `[${characters[set] ?? ''}]{${min},${max}}`;
  return { min, max, optional, pattern: optional ? `(?:${pattern})?` : pattern };
}

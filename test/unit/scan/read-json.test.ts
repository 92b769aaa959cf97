import { describe, expect, test } from 'vitest';
import { readJson, readJsonDocument } from '../../../src/scan/read-json.ts';

function readOf(text: string): unknown {
  const read = readJson(text);
  return read.ok ? read.value : read.error;
}

function codeOf(text: string): string | undefined {
  const read = readJson(text);
  return read.ok ? undefined : read.error.code;
}

describe('JSON as the engine reads it', () => {
  test.each([
    '{}',
    '[]',
    'null',
    '"text"',
    ' {"a" : [1, {"b": "c"}], "d":null}\n',
    '{"a":"\\"} ] , : {"}',
    '{"a":"\\\\"}',
    '{"\\u0061":1}',
    '{"a":{"k":1},"b":{"k":2},"c":[{"k":3},{"k":4}]}',
    '{"":{"":1}}',
    '[1,2.5,-3,0,-0,1e3,1E+2,2e-2,0.000001,123456789012345]',
    '[9007199254740991,-9007199254740991,0.1,1.0,100.00,0e5]',
  ])('%s is what JSON.parse says', (text) => {
    expect(readOf(text)).toEqual(JSON.parse(text));
  });

  test('keys that mean something to JavaScript are keys like any other', () => {
    const value = readOf('{"__proto__":{"a":1},"constructor":2}') as object;
    expect(Object.entries(value)).toEqual([
      ['__proto__', { a: 1 }],
      ['constructor', 2],
    ]);
  });
});

describe('what the engine would read as something else', () => {
  test.each([
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '1234567890123456789',
    '1e16',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1234567890123456',
    '123456789.123456789',
    '1.00000000000000000001',
  ])('the number %s cannot be held exactly', (number) => {
    expect(codeOf(`{"a":${number}}`)).toBe('SG_NUMBER_INEXACT');
    expect(codeOf(`["x",${number}]`)).toBe('SG_NUMBER_INEXACT');
    expect(codeOf(`{"a":"${number}"}`)).toBeUndefined();
  });

  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":{"c":1,"d":2,"c":3}}',
    '[{"a":1,"a":2}]',
    '{"a":1,"\\u0061":2}',
    '{"a b":{},"a\\u0020b":[]}',
    '{"__proto__":1,"__proto__":2}',
  ])('in %s a key stands twice', (text) => {
    expect(codeOf(text)).toBe('SG_KEY_REPEATED');
  });

  test('a fault is named with its path and a sentence', () => {
    expect(readOf('{"a":{"b":{"c":1,"c":2}}}')).toEqual({
      code: 'SG_KEY_REPEATED',
      field: 'a.b.c',
      message: 'The key "a.b.c" stands twice in one object. Send it once.',
    });
    expect(readOf('{"a":[{"b":12345678901234567890}]}')).toEqual({
      code: 'SG_NUMBER_INEXACT',
      field: 'a.b',
      message: 'The number "12345678901234567890" in "a.b" would be rounded. Send it as text, in quotation marks.',
    });
  });
});

describe('nesting', () => {
  test('eight levels are read and nine are refused, an array of items not counted', () => {
    expect(codeOf(`${'['.repeat(9)}${']'.repeat(9)}`)).toBeUndefined();
    expect(codeOf(`${'['.repeat(10)}${']'.repeat(10)}`)).toBe('SG_ITEM_TOO_DEEP');
    expect(codeOf(`${'{"a":'.repeat(8)}1${'}'.repeat(8)}`)).toBeUndefined();
    expect(codeOf(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`)).toBe('SG_ITEM_TOO_DEEP');
  });

  test('a million brackets are refused at once, and brackets in text do not count', () => {
    expect(codeOf('['.repeat(1_000_000))).toBe('SG_ITEM_TOO_DEEP');
    expect(codeOf(`"${'['.repeat(1_000_000)}"`)).toBeUndefined();
    expect(codeOf(`"\\"${'{'.repeat(1_000)}"`)).toBeUndefined();
  });
});

describe('what is no JSON', () => {
  test.each(['', ' ', '{', '{"a":1,}', '{"a":1} {"b":2}', "{'a':1}", '{"a":01}', 'NaN', '"half', '\u00a0{}', '{"a":"\n"}'])(
    '%j is refused',
    (text) => {
      expect(codeOf(text)).toBe('SG_JSON_INVALID');
    },
  );

  test.each([
    '{"actor":"Zebedee", "x": Quux}',
    'Zebedee Quux',
    '{"actor":Zebedee}',
    `{"a":"${'x'.repeat(100)}", Zebedee, "b":"${'y'.repeat(100)}"}`,
    `{"Zebedee":"Quux" "${'y'.repeat(100)}"}`,
  ])('the reason does not repeat the text of %s', (text) => {
    const read = readJson(text);
    expect(read.ok ? '' : read.error.message).toMatch(/^This is not JSON: .+\.$/);
    expect(read.ok ? '' : read.error.message).not.toMatch(/Zebedee|ebedee|Quux|uux|xx|yy/);
  });
});

describe('a document', () => {
  const itemsOf = (text: string) => {
    const read = readJsonDocument(text);
    return read.ok ? read.value.items.map((item) => [item.text, item.fault?.code]) : read.error.code;
  };

  test('an array gives each item with its own text and its own fault', () => {
    expect(itemsOf(' [ {"a":1} ,{"a":1,"a":2},"x, ]", 9007199254740993 ,[1, [2]], null ] ')).toEqual([
      ['{"a":1}', undefined],
      ['{"a":1,"a":2}', 'SG_KEY_REPEATED'],
      ['"x, ]"', undefined],
      ['9007199254740993', 'SG_NUMBER_INEXACT'],
      ['[1, [2]]', undefined],
      ['null', undefined],
    ]);
  });

  test('anything else is one item, from its first character to its last', () => {
    expect(itemsOf('\n {"a":[1,2]} \n')).toEqual([['{"a":[1,2]}', undefined]]);
    expect(itemsOf('"x"')).toEqual([['"x"', undefined]]);
    expect(itemsOf('[]')).toEqual([]);
    expect(itemsOf('[')).toBe('SG_JSON_INVALID');
  });

  test('one item of an array may be as deep as one that stands alone', () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(itemsOf(`[1,${deep(8)},${deep(9)}]`)).toEqual([
      ['1', undefined],
      [deep(8), undefined],
      [deep(9), 'SG_ITEM_TOO_DEEP'],
    ]);
  });

  test('a text of a million quotes and backslashes is read in linear time', () => {
    const text = JSON.stringify({ a: '"\\'.repeat(500_000) });
    const begunAt = performance.now();
    expect(itemsOf(text)).toEqual([[text, undefined]]);
    expect(performance.now() - begunAt).toBeLessThan(2_000);
  });
});

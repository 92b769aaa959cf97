import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/base/canonical-json.ts';

describe('canonicalJson', () => {
  it('sorts keys by UTF-16 code unit, as the example of RFC 8785 section 3.2.3 does', () => {
    const value = JSON.parse(
      '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",' +
        '"\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
    );

    expect(canonicalJson(value)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis",' +
        '"\u20ac":"Euro Sign","\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  it('writes numbers and text as the example of RFC 8785 section 3.2.2 does', () => {
    const value = JSON.parse(
      '{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],' +
        '"string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/", "literals": [null, true, false]}',
    );

    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('writes one text whatever the order of the keys, at every depth', () => {
    expect(canonicalJson({ b: { y: 1, x: [{ q: 2, p: 1 }] }, a: 0 })).toBe('{"a":0,"b":{"x":[{"p":1,"q":2}],"y":1}}');
    expect(canonicalJson({ a: 0, b: { x: [{ p: 1, q: 2 }], y: 1 } })).toBe('{"a":0,"b":{"x":[{"p":1,"q":2}],"y":1}}');
  });

  it('keeps the order of an array', () => {
    expect(canonicalJson([3, 1, 2])).toBe('[3,1,2]');
  });

  it('leaves out a member that is undefined', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it('writes minus zero as 0', () => {
    expect(canonicalJson(-0)).toBe('0');
  });

  it('keeps __proto__ and constructor as keys like any other', () => {
    expect(canonicalJson(JSON.parse('{"constructor":1,"__proto__":{"b":2,"a":1}}'))).toBe(
      '{"__proto__":{"a":1,"b":2},"constructor":1}',
    );
  });

  it.each([
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['an infinite number', { amount: Number.POSITIVE_INFINITY }],
    ['a bigint', [1n]],
    ['a function', () => 1],
    ['half of a surrogate pair', { lot_number: '\uD800' }],
    ['half of a surrogate pair in a key', { '\uDC00': 1 }],
  ])('throws a TypeError for %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});

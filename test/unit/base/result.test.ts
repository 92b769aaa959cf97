import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../../src/base/result.ts';

describe('a result', () => {
  it('tells a good end, also one that is falsy, from a bad one', () => {
    expect(ok(undefined)).toEqual({ ok: true, value: undefined });
    expect(ok(0)).toEqual({ ok: true, value: 0 });
    expect(fail('why')).toEqual({ ok: false, error: 'why' });
  });
});

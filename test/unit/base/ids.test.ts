import { describe, expect, it } from 'vitest';
import { randomIds } from '../../../src/base/ids.ts';

describe('randomIds', () => {
  it('makes version 7 identifiers of RFC 9562, in lower case', () => {
    expect(randomIds.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('makes a new one each time, each sorting after the one before', () => {
    const made = Array.from({ length: 10_000 }, () => randomIds.uuid());

    expect(new Set(made).size).toBe(10_000);
    expect(made.toSorted()).toEqual(made);
  });
});

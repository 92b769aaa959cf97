import { describe, expect, it } from 'vitest';
import { assertNever } from '../../../src/base/assert-never.ts';

describe('assertNever', () => {
  it('throws with the value that no case took', () => {
    expect(() => assertNever({ outcome: 'lost' } as never)).toThrow('Unexpected value: {"outcome":"lost"}');
  });
});

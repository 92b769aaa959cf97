import { describe, expect, it } from 'vitest';
import { defaultScannerClass } from '../../../src/identity/scanner-class.ts';

describe('defaultScannerClass', () => {
  it('has the window and guard of the recipe, and lets content decide', () => {
    expect(defaultScannerClass).toMatchObject({ windowMs: 3_000, guardMs: 500, distinctIds: 'ignore' });
  });
});

import { describe, expect, it } from 'vitest';
import { flags } from '../../../src/scan/scan.ts';
import { pageAt, tableUnder } from './markdown.ts';

describe('docs/reference/flags.md', () => {
  it('lists the flags of the code with their meaning', () => {
    const expected = Object.entries(flags).map(([Flag, Meaning]) => ({ Flag, Meaning }));
    expect(tableUnder(pageAt('docs/reference/flags.md'), 'Every flag')).toEqual(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { refusals } from '../../../src/scan/decode/reading.ts';
import { pageAt, tableUnder } from './markdown.ts';

describe('docs/reference/barcodes.md', () => {
  it('lists the reasons of the code with their meaning', () => {
    const expected = Object.entries(refusals).map(([Reason, Meaning]) => ({ Reason, Meaning }));
    expect(tableUnder(pageAt('docs/reference/barcodes.md'), 'Reasons')).toEqual(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { hibcCheckCharacter } from '../../../../src/scan/decode/hibc.ts';
import { type BarcodeCase, certainCases, factsOf } from '../../../support/decode-cases.ts';

/** About the resending of messages: barcodes have no part in them. */
const isTransport = ({ kind }: BarcodeCase): boolean => kind === 'transport';
const barcodes = certainCases.filter((barcode) => !isTransport(barcode));
const accepted = barcodes.filter(({ expected }) => expected['result'] === 'ok');
const refused = barcodes.filter(({ expected }) => expected['result'] !== 'ok');

/** What a case says of its own text, and not of what is understood: the shape of its hyphens, the character that links two symbols. */
const aboutTheText = ['format', 'linkChar', 'checkChar'];
/** For people, as part of the message. */
const aboutTheMessage = ['ai', 'expected', 'expectedDigit'];

describe('a barcode whose meaning is certain', () => {
  it('is one of 108, beside six of transports', () => {
    expect(barcodes).toHaveLength(108);
    expect(certainCases.filter(isTransport)).toHaveLength(6);
    expect(new Set(certainCases.map(({ id }) => id)).size).toBe(114);
    expect([accepted.length, refused.length]).toEqual([78, 30]);
  });

  it.each(accepted)('is read as what it says: $id', (barcode) => {
    const { warn, ...expected } = without(barcode.expected, aboutTheText);
    const understood = factsOf(barcode);

    expect(understood).toMatchObject(expected);
    if (expected['ai'] !== undefined) expect(understood['ai']).toEqual(expected['ai']);
    if (warn !== undefined) expect(understood['flags']).toContain(warn);
    else expect(understood['flags'] ?? []).not.toContain('possible_missing_separator');
  });

  it.each(accepted)('is given no lot, serial or expiry that it does not have: $id', (barcode) => {
    const { lot, serial, expiry, expiryMonth } = barcode.expected;
    const understood = factsOf(barcode);

    if (lot === undefined) expect(understood['lot']).toBeUndefined();
    if (serial === undefined) expect(understood['serial']).toBeUndefined();
    if (expiry === undefined && expiryMonth === undefined) expect(understood['expiry']).toBeUndefined();
  });

  it.each(refused)('is refused for the right reason: $id', (barcode) => {
    const { ai, expected: right, ...expected } = without(barcode.expected, ['expectedDigit']);
    const understood = factsOf(barcode);

    expect(understood).toMatchObject(expected);
    if (ai !== undefined) expect(understood['message']).toContain(`(${String(ai)})`);
    if (right !== undefined) expect(understood['message']).toContain(`should be "${String(right)}"`);
  });

  it('has no fact that is not looked at', () => {
    const named = new Set(barcodes.flatMap(({ expected }) => Object.keys(expected)));
    const understood = new Set(barcodes.flatMap((barcode) => Object.keys(factsOf(barcode))));
    const unseen = [...named].filter((name) => !understood.has(name) && ![...aboutTheText, ...aboutTheMessage].includes(name));

    expect(unseen).toEqual(['warn']);
  });

  it('closes with the check character that its case names, if it is HIBC', () => {
    const closed = barcodes.flatMap(({ input, expected: { checkChar } }) =>
      checkChar === undefined ? [] : [{ input, checkChar }],
    );

    expect(closed).toHaveLength(2);
    for (const { input, checkChar } of closed) expect(hibcCheckCharacter(input.slice(0, -1))).toBe(checkChar);
  });
});

function without(facts: BarcodeCase['expected'], names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([name]) => !names.includes(name)));
}

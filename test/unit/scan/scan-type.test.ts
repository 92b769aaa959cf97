import { describe, expect, it } from 'vitest';
import { type Direction, needsDirection, type ScanType, scanTypes, signedDelta } from '../../../src/scan/scan-type.ts';

describe('needsDirection', () => {
  it('says so of the types whose word does not tell the sign', () => {
    expect(scanTypes.filter(needsDirection)).toEqual(['transfer', 'return']);
  });
});

describe('signedDelta', () => {
  it.each<[ScanType, string, Direction | undefined, string]>([
    ['receive', '30', undefined, '30'],
    ['dispense', '30', undefined, '-30'],
    ['dispense', '0.000001', undefined, '-0.000001'],
    ['waste', '0.5', undefined, '-0.5'],
    ['transfer', '2', 'out', '-2'],
    ['transfer', '2', 'in', '2'],
    ['return', '1', 'in', '1'],
    ['return', '1', 'out', '-1'],
    ['adjust', '8', undefined, '8'],
    ['adjust', '-2.5', undefined, '-2.5'],
    ['count', '10', undefined, '0'],
    ['count', '0', undefined, '0'],
  ])('of a %s of %s (direction %s) is %s', (type, quantity, direction, delta) => {
    expect(signedDelta(type, quantity, direction)).toBe(delta);
  });
});

import { describe, expect, test } from 'vitest';
import { parseClaimValue, pendingValue } from '../../../src/claim/claim-value.ts';

describe('the value of a claim', () => {
  test('names time and token while it is pending', () => {
    expect(pendingValue(1_772_712_000_000, 'a-b')).toBe('p|1772712000000|a-b');
    expect(parseClaimValue('p|1772712000000|a-b')).toEqual({ occurredAt: 1_772_712_000_000, token: 'a-b' });
  });

  test('names the entry as well once it is committed, whatever an entry id may hold', () => {
    expect(parseClaimValue('c|-5|a|entry|1')).toEqual({ occurredAt: -5, token: 'a', entryId: 'entry|1' });
  });

  test.each([
    '',
    '1',
    'p',
    'p||a',
    'p|5',
    'p|5|',
    'p|5|a|b',
    'p|1e3|a',
    'p| 5|a',
    'c|5|a',
    'c|5|a|',
    'c|5||e',
    'P|5|a',
    'xp|5|a',
    'p|5|a\n|',
  ])('%j is none', (value) => {
    expect(parseClaimValue(value)).toBeUndefined();
  });
});

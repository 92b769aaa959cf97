import { expect, it } from 'vitest';
import { checks } from '../../../src/service/doctor/catalogue.ts';
import { pageAt, tableUnder } from './markdown.ts';

it('docs/reference/checks.md lists every check, how bad it can be, what it means and what to do', () => {
  const expected = Object.entries(checks).map(([Check, { worst, means, todo }]) => ({
    Check,
    'At worst': worst,
    'What it means': means,
    'What to do': todo,
  }));
  expect(tableUnder(pageAt('docs/reference/checks.md'), 'Every check')).toEqual(expected);
  expect(expected.length).toBeGreaterThan(20);
});

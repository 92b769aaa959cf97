import { describe, expect, it } from 'vitest';
import { violationKinds } from '../../../src/testing/checker/judgement.ts';
import { exportedNames } from './exported-names.ts';
import { fieldsOfInterface } from './interface-fields.ts';
import { pageAt, tableUnder } from './markdown.ts';

const page = pageAt('docs/reference/testing.md');

describe('docs/reference/testing.md', () => {
  it('lists every exported name, and no other', () => {
    const names = exportedNames('src/testing/index.ts');
    expect(names).toContain('checkHistory');
    expect(
      tableUnder(page, 'Exported names')
        .map((row) => row['Name'])
        .sort(),
    ).toEqual(names.sort());
  });

  it.each([
    ['run', 'RunEvent'],
    ['scan', 'ScanEvent'],
    ['sent', 'SentEvent'],
    ['answered', 'AnsweredEvent'],
    ['fault', 'FaultEvent'],
    ['problem', 'ProblemEvent'],
    ['line', 'LineEvent'],
    ['record', 'RecordEvent'],
    ['quarantined', 'QuarantinedEvent'],
    ['head', 'HeadEvent'],
  ])('lists the fields of the event %s', (heading, name) => {
    const expected = fieldsOfInterface('src/testing/history.ts', name).map((field) => ({
      Field: field.name,
      Always: field.isOptional ? 'no' : 'yes',
    }));
    expect(tableUnder(page, heading).map(({ Field, Always }) => ({ Field, Always }))).toEqual(expected);
  });

  it('lists all that can be found, in order', () => {
    expect(tableUnder(page, 'What can be found').map((row) => row['Kind'])).toEqual(Object.keys(violationKinds));
  });
});

import { describe, expect, it, test } from 'vitest';
import { SqliteProductDirectory } from '../../../src/directory/sqlite-product-directory.ts';

const hydrocodone = { ndc12: '060274061001', ndc10: '6027461001', dea_schedule: 'CII', product_name: 'Hydrocodone' } as const;
const methylphenidate = { ndc12: '011014008101', ndc10: '1101400811', dea_schedule: 'CII' } as const;
const done = { key: 'list', line: 3, isDone: true };
const underWay = { key: 'list', line: 2, isDone: false };

function open(): SqliteProductDirectory {
  return new SqliteProductDirectory(':memory:');
}

describe('a directory is loaded', () => {
  it('not before anything was imported, nor while the first import is under way', () => {
    const directory = open();
    expect(directory.isLoaded()).toBe(false);
    directory.put([hydrocodone], underWay);
    expect(directory.isLoaded()).toBe(false);
    expect(directory.listing('060274061001')).toEqual({ dea_schedule: 'CII', product_name: 'Hydrocodone' });
  });

  it('when an import has come to its end, even of a list without packages', () => {
    const directory = open();
    directory.put([], { ...done, line: 0 });
    expect(directory.isLoaded()).toBe(true);
  });

  it('while the list that has come to its end is imported once more', () => {
    const directory = open();
    directory.put([hydrocodone], done);
    directory.put([hydrocodone], underWay);
    expect(directory.isLoaded()).toBe(true);
  });

  it('while another list is imported after the first', () => {
    const directory = open();
    directory.put([hydrocodone], done);
    directory.put([methylphenidate], { ...underWay, key: 'other' });
    expect(directory.isLoaded()).toBe(true);
  });
});

test('how far an import came is known until it has come to its end', () => {
  const directory = open();
  expect(directory.lineOf('list')).toBe(0);
  directory.put([hydrocodone], underWay);
  expect([directory.lineOf('list'), directory.lineOf('other')]).toEqual([2, 0]);
  directory.put([methylphenidate], done);
  expect(directory.lineOf('list')).toBe(0);
});

test('what is not listed is not known', () => {
  const directory = open();
  directory.put([hydrocodone], done);
  expect(directory.listing('060274061002')).toBeUndefined();
  expect(directory.listing('')).toBeUndefined();
});

test('a package takes the place of what was listed under its NDC, in all that it says', () => {
  const directory = open();
  directory.put([{ ...hydrocodone, package_form: 'CAPSULE', units_per_container: '60' }], done);
  directory.put([{ ndc12: '060274061001', dea_schedule: 'CIII' }], { ...done, key: 'next' });
  expect(directory.listing('060274061001')).toEqual({ dea_schedule: 'CIII' });
});

describe('ten bare digits', () => {
  it('are those of the package that is listed with its hyphens', () => {
    const directory = open();
    directory.put([hydrocodone, methylphenidate], done);
    expect([directory.ndc11Of('6027461001'), directory.ndc11Of('1101400811')]).toEqual(['60274061001', '11014008101']);
  });

  it('are those of the one package that they can have come from, where the list shows no hyphens', () => {
    const directory = open();
    directory.put([{ ndc12: '063323072303', dea_schedule: 'CII' }], done);
    expect(directory.ndc11Of('6332372303')).toBe('63323072303');
  });

  it('stay undecided where the list holds both packages that they can have come from', () => {
    const directory = open();
    // 86055-001-01 and 86055-0010-1: ten digits 8605500101 both.
    directory.put(
      [
        { ndc12: '086055000101', dea_schedule: 'CII' },
        { ndc12: '086055001001', dea_schedule: 'none' },
      ],
      done,
    );
    expect(directory.ndc11Of('8605500101')).toBeUndefined();
  });

  it('are not known where neither package is listed', () => {
    const directory = open();
    directory.put([hydrocodone], done);
    expect(directory.ndc11Of('6332372303')).toBeUndefined();
  });

  it('keep the hyphens that one list has shown, when another shows none', () => {
    const directory = open();
    directory.put([hydrocodone], done);
    directory.put(
      [
        { ndc12: '060274061001', dea_schedule: 'CIII' },
        { ndc12: '060274610001', dea_schedule: 'none' },
      ],
      {
        ...done,
        key: 'next',
      },
    );
    expect(directory.ndc11Of('6027461001')).toBe('60274061001');
  });
});

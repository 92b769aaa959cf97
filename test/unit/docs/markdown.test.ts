import { describe, expect, it } from 'vitest';
import { anchorsOf, brokenLink, fencesOf, linksOf, type Page, pathsNamed, tableUnder } from './markdown.ts';

function page(...lines: readonly string[]): Page {
  return { path: 'docs/page.md', text: `${lines.join('\n')}\n` };
}

describe('tableUnder', () => {
  const codes = page(
    '# `Codes`',
    '',
    'Words.',
    '',
    '| Code | About |',
    '| --- | --- |',
    '| `A` | One \\| two |',
    '| `B` | `x` and y |',
    '',
    '## None',
    '# Other',
  );

  it('gives rows by the names of their columns', () => {
    expect(tableUnder(codes, 'Codes')).toEqual([
      { Code: 'A', About: 'One | two' },
      { Code: 'B', About: '`x` and y' },
    ]);
  });

  it('says so when there is nothing to be seen', () => {
    expect(() => tableUnder(codes, 'Missing')).toThrow('docs/page.md has no heading "Missing".');
    expect(() => tableUnder(codes, 'None')).toThrow('no table with rows under "None"');
  });
});

describe('links', () => {
  const linked = page(
    'See [a](../README.md#b), [c](https://example.org) and `[d](e.md)`.',
    '```sh',
    '[f](g.md)',
    '```',
    '[h](#i-j)',
    '# I, j',
  );

  it('are those of the text, without other sites and without code', () => {
    expect(linksOf(linked)).toEqual(['../README.md#b', '#i-j']);
  });

  it('lead to a file that is there and to a heading of it', () => {
    expect(brokenLink(linked, '../README.md')).toBeUndefined();
    expect(brokenLink(linked, '../../elsewhere.md')).toContain('does not exist');
    expect(brokenLink(linked, 'missing.md')).toBe('docs/page.md: missing.md does not exist.');
    expect(brokenLink(linked, '../README.md#missing')).toBe('docs/page.md: ../README.md#missing is no heading.');
  });

  it('name headings as a code host does', () => {
    expect(anchorsOf(page('# The way, of a `scan`', '```sh', '# not one', '```', '## What is not promised?'))).toEqual([
      'the-way-of-a-scan',
      'what-is-not-promised',
    ]);
  });
});

describe('code', () => {
  it('is found by its language', () => {
    expect(fencesOf(page('```sh', 'a', '```', '```json', '{}', '```', '```console', 'b', 'c', '```'), 'sh', 'console')).toEqual([
      'a\n',
      'b\nc\n',
    ]);
  });

  it('names files of the repository', () => {
    expect(pathsNamed(page('Read `src/base/ids.ts` and `test/fault/`, not `npm test`.'))).toEqual([
      'src/base/ids.ts',
      'test/fault/',
    ]);
  });
});

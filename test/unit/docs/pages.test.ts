import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allPages, brokenLink, exists, linksOf, pageAt, pathsNamed, repositoryRoot, tableUnder } from './markdown.ts';

const pages = allPages();

/** The pages that a page leads to; of a folder, all that are in it. */
function pagesLinkedFrom(path: string): string[] {
  const files = linksOf(pageAt(path)).map((target) => join(path, '..', target.split('#')[0] ?? ''));
  return files.flatMap((file) =>
    pages.map((page) => page.path).filter((page) => page === file || (file.endsWith('/') && page.startsWith(file))),
  );
}

describe('the pages', () => {
  it('lead nowhere that does not exist', () => {
    const links = pages.flatMap((page) => linksOf(page).map((target) => ({ page, target })));
    expect(links.length).toBeGreaterThan(10);
    expect(links.map(({ page, target }) => brokenLink(page, target)).filter((broken) => broken !== undefined)).toEqual([]);
  });

  it('name no file of the repository that does not exist', () => {
    const named = pages.flatMap((page) => pathsNamed(page).map((path) => ({ page: page.path, path })));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ path }) => !path.includes('*') && !exists(path))).toEqual([]);
  });

  it('can all be reached from the README', () => {
    const reached = new Set<string>();
    for (let next = ['README.md']; next.length > 0; next = next.flatMap(pagesLinkedFrom).filter((path) => !reached.has(path))) {
      for (const path of next) reached.add(path);
    }
    expect(pages.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
  });

  it('never promise "exactly once" without the sentence that says what is meant', () => {
    const saying = pages.filter(({ text }) => /exactly[- ]once/i.test(text));
    expect(saying.filter(({ text }) => !text.includes('at-least-once')).map(({ path }) => path)).toEqual([]);
  });
});

describe('docs/dependencies.md', () => {
  const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;

  it.each([
    ['At run time', 'dependencies'],
    ['For development', 'devDependencies'],
    ['Overrides', 'overrides'],
  ])('gives a reason for each: %s', (heading, key) => {
    const rows = tableUnder(pageAt('docs/dependencies.md'), heading);
    expect(rows.map((row) => row['Package'])).toEqual(Object.keys(manifest[key] ?? {}).sort());
    expect(rows.filter((row) => !/^[A-Z].{15,}\.$/.test(row['Why'] ?? ''))).toEqual([]);
  });
});

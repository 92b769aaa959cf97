import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const repositoryRoot = join(import.meta.dirname, '..', '..', '..');

/** A page of the documentation. */
export interface Page {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

export function pageAt(path: string): Page {
  return { path, text: readFileSync(join(repositoryRoot, path), 'utf8') };
}

/** README, change log and everything under docs. */
export function allPages(): Page[] {
  const names = readdirSync(join(repositoryRoot, 'docs'), { recursive: true }).map(String);
  const docs = names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  return ['README.md', 'CHANGELOG.md', ...docs.sort()].map(pageAt);
}

/**
 * The rows of the first table under a heading, each by the names of its columns. Code marks are taken off a cell that is one piece of
 * code.
 *
 * @throws when there is no such heading, or no row under it: a check that saw nothing has checked nothing.
 */
export function tableUnder({ path, text }: Page, heading: string): Record<string, string>[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && headingText(line) === heading);
  if (start === -1) throw new Error(`${path} has no heading "${heading}".`);
  const after = lines.slice(start + 1);
  const section = after.slice(0, nextHeading(after));
  const first = section.findIndex((line) => line.startsWith('|'));
  const table = section.slice(first);
  const end = table.findIndex((line) => !line.startsWith('|'));
  const [header = [], , ...rows] = table.slice(0, end === -1 ? undefined : end).map(cellsOf);
  if (first === -1 || rows.length === 0) throw new Error(`${path} has no table with rows under "${heading}".`);
  return rows.map((cells) => Object.fromEntries(header.map((name, index) => [name, plain(cells[index] ?? '')])));
}

function nextHeading(lines: readonly string[]): number | undefined {
  const next = lines.findIndex((line) => /^#+ /.test(line));
  return next === -1 ? undefined : next;
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function plain(cell: string): string {
  return /^`([^`]*)`$/.exec(cell)?.[1] ?? cell;
}

function headingText(line: string): string {
  return line
    .replace(/^#+\s+/, '')
    .replaceAll('`', '')
    .trim();
}

/** Fenced blocks of one language. */
export function fencesOf({ text }: Page, ...languages: readonly string[]): string[] {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, language = '']) => languages.includes(language))
    .map(([, , code = '']) => code);
}

/** Where each link of a page leads, as it is written; without those to other sites. */
export function linksOf({ text }: Page): string[] {
  const prose = text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
}

/** Why a link leads nowhere, or nothing when it does. */
export function brokenLink(page: Page, target: string): string | undefined {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? page.path : relative(repositoryRoot, join(repositoryRoot, dirname(page.path), file));
  if (path.startsWith('..') || !existsSync(join(repositoryRoot, path))) return `${page.path}: ${target} does not exist.`;
  if (anchor === undefined) return undefined;
  return anchorsOf(pageAt(path)).includes(anchor) ? undefined : `${page.path}: ${target} is no heading.`;
}

/** As GitHub makes them. */
export function anchorsOf({ text }: Page): string[] {
  const headings = text
    .replace(/^```.*?^```$/gms, '')
    .split('\n')
    .filter((line) => /^#+ /.test(line));
  return headings.map((line) =>
    headingText(line)
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Paths of this repository that a page names in code marks, as in `test/fault/…`. */
export function pathsNamed({ text }: Page): string[] {
  return [...text.matchAll(/`((?:src|test|docs|scripts)\/[^`\s]*)`/g)].map(([, path = '']) => path);
}

export function exists(path: string): boolean {
  return statSync(join(repositoryRoot, path), { throwIfNoEntry: false }) !== undefined;
}

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';

/** A file of the repository. Checks take them as text, so that each check can be tried on a planted violation. */
export interface SourceFile {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** What a check found. A check that saw nothing has checked nothing. */
export interface Report {
  /** How many things were looked at, and what they are. */
  readonly seen: number;
  readonly problems: readonly string[];
}

const repositoryRoot = join(import.meta.dirname, '..', '..');

/** The files of a folder, or the one file of that name, whose names end in one of these. */
export function filesOf(folderOrFile: string, ...endings: readonly string[]): SourceFile[] {
  const at = join(repositoryRoot, folderOrFile);
  const paths = statSync(at).isFile() ? [at] : filesUnder(at);
  return paths
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .map((path) => ({ path: relative(repositoryRoot, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function filesUnder(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const trees = new WeakMap<SourceFile, ts.SourceFile>();

export function treeOf(file: SourceFile): ts.SourceFile {
  const tree = trees.get(file) ?? ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2023, true);
  trees.set(file, tree);
  return tree;
}

/** Every node of a tree, parents first. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  for (const child of children) yield* nodesOf(child);
}

/** `path:line`, as editors and people understand it. */
export function placeOf(node: ts.Node): string {
  const tree = node.getSourceFile();
  return `${tree.fileName}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** One report of a check that looks at each file by itself. */
export function reportOf<T>(things: readonly T[], problemsOf: (thing: T) => readonly string[]): Report {
  return { seen: things.length, problems: things.flatMap(problemsOf) };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from './markdown.ts';

/** The names that an entry of the package exports. @param sources only of these files, as they are imported there. */
export function exportedNames(entry: string, sources?: readonly string[]): string[] {
  const text = readFileSync(join(repositoryRoot, entry), 'utf8');
  const tree = ts.createSourceFile(entry, text, ts.ScriptTarget.ES2023, true);
  return tree.statements.filter(ts.isExportDeclaration).flatMap(({ moduleSpecifier, exportClause }) => {
    const source = moduleSpecifier?.getText().slice(1, -1) ?? '';
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
    return sources === undefined || sources.includes(source) ? exportClause.elements.map(({ name }) => name.text) : [];
  });
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from './markdown.ts';

/**
 * The properties of an interface, read from the source: types are gone when it runs.
 *
 * @throws when the file has no such interface.
 */
export function fieldsOfInterface(path: string, name: string): { readonly name: string; readonly isOptional: boolean }[] {
  const tree = ts.createSourceFile(path, readFileSync(join(repositoryRoot, path), 'utf8'), ts.ScriptTarget.ES2023, true);
  const found = tree.statements.filter(ts.isInterfaceDeclaration).find((statement) => statement.name.text === name);
  if (found === undefined) throw new Error(`${path} has no interface ${name}.`);
  return found.members
    .filter(ts.isPropertySignature)
    .map((member) => ({ name: member.name.getText(), isOptional: member.questionToken !== undefined }));
}

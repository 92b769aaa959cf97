import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { guardCodes } from '../../../src/gate/guard-contract.ts';
import { exportedNames } from './exported-names.ts';
import { fieldsOfInterface } from './interface-fields.ts';
import { pageAt, repositoryRoot, tableUnder } from './markdown.ts';

const page = pageAt('docs/reference/library.md');
const sources = ['./gate/claim-once.ts', './gate/guard.ts', './gate/guard-contract.ts'];

/** The object types in a member of a union, which may be put together of several. */
function literalsIn(type: ts.TypeNode): ts.TypeLiteralNode[] {
  if (ts.isParenthesizedTypeNode(type)) return literalsIn(type.type);
  if (ts.isIntersectionTypeNode(type)) return type.types.flatMap(literalsIn);
  return ts.isTypeLiteralNode(type) ? [type] : [];
}

/** The values that the property `name` has in the members of a union. */
function tagsOf(union: string, name: string): string[] {
  const path = join(repositoryRoot, 'src/gate/guard-contract.ts');
  const tree = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2023, true);
  const found = tree.statements.filter(ts.isTypeAliasDeclaration).find((alias) => alias.name.text === union);
  const members = found !== undefined && ts.isUnionTypeNode(found.type) ? found.type.types.flatMap(literalsIn) : [];
  return members.flatMap((member) =>
    member.members
      .filter(ts.isPropertySignature)
      .filter((property) => property.name.getText() === name)
      .map((property) => property.type?.getText().slice(1, -1) ?? ''),
  );
}

const inCode = (cell: string | undefined): string[] => [...(cell ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

describe('docs/reference/library.md', () => {
  const rows = tableUnder(page, 'Exported names');
  const about = (name: string) => rows.find((row) => row['Name'] === name)?.['What it is'];

  it('lists every exported name, and no other', () => {
    const names = exportedNames('src/index.ts', sources);
    expect(names).toContain('createGuard');
    expect(rows.map((row) => row['Name']).sort()).toEqual(names.sort());
  });

  it('lists every outcome', () => {
    const outcomes = tagsOf('GuardAnswer', 'outcome');
    expect(outcomes).toHaveLength(3);
    expect(tableUnder(page, 'Outcomes').map((row) => row['Outcome'])).toEqual(outcomes);
    expect(inCode(about('GuardAnswer')).slice(1)).toEqual(outcomes);
  });

  it('lists every end of a commit', () => {
    const kinds = tagsOf('CommitEnd', 'kind');
    expect(kinds).toHaveLength(3);
    expect(inCode(about('CommitEnd'))).toEqual(kinds);
  });

  it('lists every code with which an answer is unavailable, in order', () => {
    expect(tableUnder(page, 'Nothing is known').map((row) => row['Code'])).toEqual(guardCodes);
  });

  it('lists what a commit is given', () => {
    const fields = fieldsOfInterface('src/gate/guard-contract.ts', 'CommitLease').map(({ name }) => name);
    expect(inCode(about('CommitLease'))).toEqual(fields);
  });

  it.each([
    ['GuardOptions', 'src/gate/guard.ts'],
    ['ClaimOnceOptions', 'src/gate/claim-once.ts'],
  ])('names every setting of %s', (name, path) => {
    const fields = fieldsOfInterface(path, name).map((field) => field.name);
    expect(inCode(about(name))).toEqual(fields);
  });

  it('describes every setting of a guard that is a time or a window', () => {
    const fields = fieldsOfInterface('src/gate/guard.ts', 'GuardOptions').map((field) => field.name);
    const settings = tableUnder(page, 'Settings of a guard').map((row) => row['Setting']);
    expect(settings).toEqual(fields.filter((name) => !['claims', 'clock', 'ids'].includes(name)));
  });
});

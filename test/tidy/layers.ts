/**
 * The folders of `src/` are the stops of a scan. Imports go downward only, stops on one level never import each other, and what decides
 * is given its ports: only `service/` and `cli/` know an adapter.
 */
import { posix } from 'node:path';
import ts from 'typescript';
import { nodesOf, placeOf, type Report, type SourceFile, treeOf } from './source-file.ts';

const stops = ['base', 'scan', 'identity', 'directory', 'claim', 'ledger', 'gate'] as const;

/** What each folder may import beside itself. The empty name is the root of `src/`, which is the public API. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  scan: ['base'],
  identity: ['base', 'scan'],
  directory: ['base', 'scan'],
  claim: ['base', 'scan', 'identity'],
  ledger: ['base', 'scan', 'identity'],
  gate: ['base', 'scan', 'identity', 'directory', 'claim', 'ledger'],
  records: ['base', 'scan', 'identity', 'claim', 'ledger'],
  ingest: stops,
  service: [...stops, 'ingest'],
  cli: [...stops, 'records', 'ingest', 'service', 'testing'],
  testing: stops,
  '': stops,
};

/** These folders do no input or output themselves. */
const pure: readonly string[] = ['scan', 'identity', 'gate'];
/** These folders take ports, never adapters. */
const portsOnly: readonly string[] = ['gate', 'ingest'];
const adapter = /\/(?:memory|sqlite|redis|recipe|postgres|etcd)-[^/]*$/;

export interface Import {
  readonly from: string;
  /** Path of the imported file, or the name of a package. */
  readonly to: string;
  readonly place: string;
}

/** Every import of a file: statements, re-exports, `import()` as a call and as a type. */
export function importsOf(file: SourceFile): Import[] {
  return [...nodesOf(treeOf(file))].flatMap((node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined) return [];
    const to = specifier.startsWith('.') ? posix.join(posix.dirname(file.path), specifier) : specifier;
    return [{ from: file.path, to, place: placeOf(node) }];
  });
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : undefined;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return textOf(node.arguments[0]);
  return undefined;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** Looks at imports, not at files: a parser that finds none has seen nothing. */
export function checkLayers(files: readonly SourceFile[]): Report {
  const imports = files.flatMap(importsOf);
  return { seen: imports.length, problems: imports.flatMap(problemsOf) };
}

function problemsOf({ from, to, place }: Import): string[] {
  const folder = folderOf(from);
  const allowed = mayImport[folder];
  if (allowed === undefined) return [`${place}: src/${folder} has no place among the stops.`];
  if (!to.startsWith('src/'))
    return pure.includes(folder) && to.startsWith('node:') ? [`${place}: ${folder}/ is pure, not ${to}.`] : [];
  const target = folderOf(to);
  if (target !== folder && !allowed.includes(target))
    return [`${place}: ${shown(folder)} must not import ${shown(target)} (${to}).`];
  if (portsOnly.includes(folder) && adapter.test(to)) return [`${place}: ${folder}/ takes ports, never the adapter ${to}.`];
  return [];
}

function folderOf(path: string): string {
  const [, folder = '', ...rest] = path.split('/');
  return rest.length === 0 ? '' : folder;
}

function shown(folder: string): string {
  return folder === '' ? 'src/index.ts' : `${folder}/`;
}

/** How files are made: their length, that of their functions, and how they export. */
import ts from 'typescript';
import { nodesOf, placeOf, type Report, reportOf, type SourceFile, treeOf } from './source-file.ts';

export const fileLinesMax = 400;
const functionLinesMax = 70;
export const decisionLinesMax = 60;
export const readmeLinesMax = 149;

export function lineCount(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

export function checkFileLengths(files: readonly SourceFile[], linesMax: number): Report {
  return reportOf(files, ({ path, text }) =>
    lineCount(text) > linesMax ? [`${path} has ${lineCount(text)} lines; at most ${linesMax} are allowed.`] : [],
  );
}

/** Looks at functions, methods and arrows that have a body. A suite of tests is a list, not a function. */
export function checkFunctionLengths(files: readonly SourceFile[]): Report {
  const functions = files.flatMap((file) => [...nodesOf(treeOf(file))].filter(isFunction)).filter((node) => !isSuite(node));
  return reportOf(functions, (node) => {
    const lines = lineCount(node.getText());
    return lines > functionLinesMax
      ? [`${placeOf(node)}: a function of ${lines} lines; at most ${functionLinesMax} are allowed.`]
      : [];
  });
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

function isSuite(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && /^(?:describe|suite)\b/.test(node.parent.expression.getText());
}

/** Looks at statements that export. */
export function checkExports(files: readonly SourceFile[]): Report {
  const statements = files.flatMap((file) => treeOf(file).statements.filter(exports));
  return reportOf(statements, (statement) => {
    if (ts.isExportDeclaration(statement) && statement.exportClause?.kind !== ts.SyntaxKind.NamedExports)
      return [`${placeOf(statement)}: export * hides what is public; name it.`];
    return isDefault(statement) ? [`${placeOf(statement)}: a default export has no name to search for.`] : [];
  });
}

function exports(statement: ts.Statement): boolean {
  return (
    ts.isExportDeclaration(statement) || ts.isExportAssignment(statement) || hasModifier(statement, ts.SyntaxKind.ExportKeyword)
  );
}

function isDefault(statement: ts.Statement): boolean {
  if (ts.isExportAssignment(statement) || hasModifier(statement, ts.SyntaxKind.DefaultKeyword)) return true;
  const clause = ts.isExportDeclaration(statement) ? statement.exportClause : undefined;
  return clause !== undefined && ts.isNamedExports(clause) && clause.elements.some(({ name }) => name.text === 'default');
}

function hasModifier(statement: ts.Statement, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some((modifier) => modifier.kind === kind);
}

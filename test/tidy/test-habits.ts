/** What tests may not do: stand twice under one name, be passed over, or be tried again until they pass. */
import ts from 'typescript';
import { nodesOf, placeOf, type Report, reportOf, type SourceFile, treeOf } from './source-file.ts';

const runners = ['it', 'test', 'describe', 'suite'];
const passingOver = ['skip', 'only', 'todo', 'skipIf', 'runIf', 'fails'];

/** Looks at the calls that make tests and suites. */
export function checkTestTitles(files: readonly SourceFile[]): Report {
  const calls = files.flatMap(titledCallsOf);
  const first = new Map<string, string>();
  const problems = calls.flatMap(({ node, name }) => {
    const key = `${node.getSourceFile().fileName}: ${name}`;
    const earlier = first.get(key);
    first.set(key, earlier ?? placeOf(node));
    return earlier === undefined || !isTest(node) ? [] : [`${placeOf(node)}: "${name}" stands at ${earlier} already.`];
  });
  return { seen: calls.length, problems };
}

interface TitledCall {
  readonly node: ts.CallExpression;
  /** The titles of the suites around it and its own. */
  readonly name: string;
}

function titledCallsOf(file: SourceFile): TitledCall[] {
  return [...nodesOf(treeOf(file))].filter(ts.isCallExpression).flatMap((node) => {
    const title = titleOf(node);
    return title === undefined ? [] : [{ node, name: [...suitesAround(node), title].join(' > ') }];
  });
}

/** `it('…')`, `describe('…')`, `it.each(…)('…')`. */
function titleOf(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !runners.includes(rootOf(node.expression))) return undefined;
  const [title] = node.arguments;
  return title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))
    ? title.getText().slice(1, -1)
    : undefined;
}

function suitesAround(node: ts.Node): string[] {
  const titles: string[] = [];
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) titles.unshift(titleOf(at) ?? '');
  return titles.filter((title) => title !== '');
}

function isTest(node: ts.CallExpression): boolean {
  return ['it', 'test'].includes(rootOf(node.expression));
}

/** The name that a chain of calls and properties begins with. */
function rootOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node)) {
    return rootOf(ts.isTaggedTemplateExpression(node) ? node.tag : node.expression);
  }
  return '';
}

/** Looks at the calls that make tests and suites, and at the contexts that are given to them. */
export function checkNoneIsPassedOver(files: readonly SourceFile[]): Report {
  const calls = files.flatMap(titledCallsOf);
  const problems = files.flatMap((file) =>
    [...nodesOf(treeOf(file))].filter(ts.isPropertyAccessExpression).flatMap((node) => {
      const isOfRunner = runners.includes(rootOf(node.expression)) && passingOver.includes(node.name.text);
      const isOfContext = node.name.text === 'skip' && ts.isCallExpression(node.parent) && node.parent.expression === node;
      return isOfRunner || isOfContext ? [`${placeOf(node)}: .${node.name.text} passes over a test.`] : [];
    }),
  );
  return { seen: calls.length, problems };
}

/** Looks at every property of the test runner's settings, and of the options of tests. */
export function checkNoneIsRetried(files: readonly SourceFile[]): Report {
  const properties = files.flatMap((file) => [...nodesOf(treeOf(file))].filter(isProperty));
  return reportOf(properties, (node) =>
    node.name.getText().replace(/['"]/g, '') === 'retry' ? [`${placeOf(node)}: retry hides a race instead of showing it.`] : [],
  );
}

function isProperty(node: ts.Node): node is ts.PropertyAssignment | ts.ShorthandPropertyAssignment {
  return ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
}

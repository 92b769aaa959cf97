/** Each check of this folder, tried on what it has to find, and on the nearest thing that is allowed. */
import { describe, expect, it } from 'vitest';
import { checkLayers, importsOf } from './layers.ts';
import { checkExports, checkFileLengths, checkFunctionLengths, lineCount } from './shape.ts';
import type { Report, SourceFile } from './source-file.ts';
import { checkNoneIsPassedOver, checkNoneIsRetried, checkTestTitles } from './test-habits.ts';
import { checkLockFile, checkOldestNode, checkWords } from './text-habits.ts';

function planted(path: string, ...lines: readonly string[]): SourceFile {
  return { path, text: `${lines.join('\n')}\n` };
}

type Check = (files: readonly SourceFile[]) => Report;

function problemsIn(check: Check, path: string, ...lines: readonly string[]): readonly string[] {
  return check([planted(path, ...lines)]).problems;
}

describe('checkLayers', () => {
  it.each([
    ['src/scan/a.ts', "import { g } from '../gate/gate.ts';", 'scan/ must not import gate/ (src/gate/gate.ts)'],
    ['src/scan/a.ts', "import type { G } from '../gate/gate.ts';", 'scan/ must not import gate/'],
    ['src/claim/a.ts', "export { l } from '../ledger/ledger.ts';", 'claim/ must not import ledger/'],
    ['src/ledger/a.ts', "type C = import('../claim/claim-store.ts').ClaimStore;", 'ledger/ must not import claim/'],
    ['src/base/a.ts', "const s = await import('../scan/scan.ts');", 'base/ must not import scan/'],
    ['src/ingest/http/a.ts', "import '../../service/serve.ts';", 'ingest/ must not import service/'],
    ['src/service/a.ts', "import { c } from '../cli/main.ts';", 'service/ must not import cli/'],
    ['src/service/a.ts', "import { c } from '../testing/index.ts';", 'service/ must not import testing/'],
    ['src/testing/a.ts', "import { c } from '../ingest/http/answer.ts';", 'testing/ must not import ingest/'],
    ['src/index.ts', "export { serve } from './service/serve.ts';", 'src/index.ts must not import service/'],
    ['src/gate/a.ts', "import { d } from '../directory/sqlite-product-directory.ts';", 'gate/ takes ports, never the adapter'],
    ['src/directory/a.ts', "import { l } from '../ledger/ledger.ts';", 'directory/ must not import ledger/'],
    ['src/gate/a.ts', "import { m } from '../ledger/memory-ledger.ts';", 'gate/ takes ports, never the adapter'],
    ['src/ingest/file/a.ts', "import { s } from '../../ledger/sqlite-books.ts';", 'ingest/ takes ports, never the adapter'],
    ['src/gate/a.ts', "import { r } from '../claim/redis-claim-store.ts';", 'gate/ takes ports, never the adapter'],
    ['src/scan/a.ts', "import { readFileSync } from 'node:fs';", 'scan/ is pure'],
    ['src/shared/a.ts', "import { x } from '../base/ids.ts';", 'src/shared has no place among the stops'],
  ])('finds in %s: %s', (path, line, problem) => {
    const [found] = problemsIn(checkLayers, path, '/** Why. */', line);
    expect(found).toContain(`${path}:2: `);
    expect(found).toContain(problem);
  });

  it.each([
    ['src/gate/a.ts', "import { l } from '../ledger/ledger.ts';"],
    ['src/gate/a.ts', "import { b } from './batcher.ts';"],
    ['src/service/a.ts', "import { s } from '../ledger/sqlite-ledger.ts';"],
    ['src/ledger/sqlite-ledger.ts', "import { t } from './sqlite-thread.ts';"],
    ['src/cli/a.ts', "import { readFileSync } from 'node:fs';"],
    ['src/scan/a.ts', "// import { g } from '../gate/gate.ts';", "import { o } from '../base/result.ts';"],
  ])('allows in %s: %s', (path, ...lines) => {
    expect(problemsIn(checkLayers, path, ...lines)).toEqual([]);
  });

  it('sees nothing in a file that imports nothing', () => {
    expect(importsOf(planted('src/base/a.ts', "const text = 'import x from y';"))).toEqual([]);
    expect(checkLayers([]).seen).toBe(0);
  });
});

describe('checkFileLengths', () => {
  it('finds a file of one line too many', () => {
    expect(problemsIn((files) => checkFileLengths(files, 2), 'src/a.ts', '1', '2', '3')).toEqual([
      'src/a.ts has 3 lines; at most 2 are allowed.',
    ]);
    expect(problemsIn((files) => checkFileLengths(files, 3), 'src/a.ts', '1', '2', '3')).toEqual([]);
  });

  it('counts a last line that nothing ends', () => {
    expect(lineCount('1\n2')).toBe(2);
    expect(lineCount('1\n2\n')).toBe(2);
  });
});

describe('checkFunctionLengths', () => {
  const body = (lines: number) => Array.from({ length: lines }, (_, index) => `  f(${index});`);

  it.each([
    ['a function', 'export function long() {', '}'],
    ['an arrow', 'const long = () => {', '};'],
    ['a method', 'class A { long() {', '} }'],
    ['the body of a test', "it('is long', () => {", '});'],
  ])('finds %s of 71 lines', (_, opening, closing) => {
    expect(problemsIn(checkFunctionLengths, 'src/a.ts', opening, ...body(69), closing)).toHaveLength(1);
    expect(problemsIn(checkFunctionLengths, 'src/a.ts', opening, ...body(68), closing)).toEqual([]);
  });

  it('takes a suite for the list that it is', () => {
    expect(problemsIn(checkFunctionLengths, 'test/a.test.ts', "describe('a', () => {", ...body(100), '});')).toEqual([]);
  });
});

describe('checkExports', () => {
  it.each([
    ["export * from './a.ts';"],
    ["export * as all from './a.ts';"],
    ['export default 1;'],
    ['export default function named() {}'],
    ["export { a as default } from './a.ts';"],
  ])('finds %s', (line) => {
    expect(problemsIn(checkExports, 'src/a.ts', line)).toHaveLength(1);
  });

  it('allows what has a name', () => {
    const lines = ["export { a } from './a.ts';", 'export const b = 1;', 'export class C {}', 'export type D = string;'];
    expect(checkExports([planted('src/a.ts', ...lines)])).toEqual({ seen: 4, problems: [] });
  });
});

describe('checkTestTitles', () => {
  it('finds a title that stands twice in one suite, however it is called', () => {
    const found = problemsIn(
      checkTestTitles,
      'test/a.test.ts',
      "describe('a', () => { it('works', f); test('works', f); it.each([1])('works', f); });",
    );
    expect(found).toEqual([
      'test/a.test.ts:1: "a > works" stands at test/a.test.ts:1 already.',
      'test/a.test.ts:1: "a > works" stands at test/a.test.ts:1 already.',
    ]);
  });

  it('allows one title in two suites, and in two files', () => {
    const lines = ["describe('a', () => { it('works', f); });", "describe('b', () => { it('works', f); });"];
    const files = [planted('test/a.test.ts', ...lines), planted('test/b.test.ts', ...lines)];
    expect(checkTestTitles(files)).toEqual({ seen: 8, problems: [] });
  });
});

describe('checkNoneIsPassedOver', () => {
  it.each([
    ["it.skip('a', f);"],
    ["it.only('a', f);"],
    ["it.todo('a');"],
    ["describe.skip('a', f);"],
    ["test.skipIf(noRedis)('a', f);"],
    ["it.each([1]).skip('a', f);"],
    ["it('a', (context) => { context.skip(); });"],
  ])('finds %s', (line) => {
    expect(problemsIn(checkNoneIsPassedOver, 'test/a.test.ts', line)).toHaveLength(1);
  });

  it('allows a field of that name', () => {
    expect(
      problemsIn(checkNoneIsPassedOver, 'test/a.test.ts', "it('a', () => { expect(row.skip).toBe(settings.only); });"),
    ).toEqual([]);
  });
});

describe('checkNoneIsRetried', () => {
  it.each([
    ['export const config = { test: { retry: 2 } };'],
    ["it('a', { 'retry': 1 }, f);"],
    ['const retry = 3; f({ retry });'],
  ])('finds %s', (line) => {
    expect(problemsIn(checkNoneIsRetried, 'vitest.config.ts', line)).toHaveLength(1);
  });

  it('allows other settings', () => {
    expect(checkNoneIsRetried([planted('vitest.config.ts', 'f({ testTimeout: 5_000, retryAfter: 1 });')])).toEqual({
      seen: 2,
      problems: [],
    });
  });
});

describe('checkOldestNode', () => {
  it.each([['Map.groupBy(a, b)'], ['Promise.withResolvers()'], ['await Array.fromAsync(rows)'], ['known.union(others)']])(
    'finds %s',
    (line) => {
      expect(problemsIn(checkOldestNode, 'src/a.ts', line)).toHaveLength(1);
    },
  );

  it('allows what Node.js 20 has', () => {
    expect(problemsIn(checkOldestNode, 'src/a.ts', 'rows.toSorted().findLast(f); text.isWellFormed(); z.Union([a]);')).toEqual(
      [],
    );
  });
});

describe('checkLockFile', () => {
  const lock = (fields: Readonly<Record<string, unknown>>): Report =>
    checkLockFile({ path: 'package-lock.json', text: JSON.stringify({ packages: { 'node_modules/a': fields } }) });

  it('finds where a package was fetched from', () => {
    expect(lock({ version: '1.0.0', resolved: 'file:a.tgz' }).problems).toHaveLength(1);
    expect(lock({ version: '1.0.0', tarball: 'https://registry.example.com/a.tgz' }).problems).toHaveLength(1);
  });

  it('allows the home page of who asks for money', () => {
    expect(lock({ integrity: 'sha512-x', funding: 'https://github.com/sponsors/a' })).toEqual({ seen: 1, problems: [] });
  });

  it('sees nothing in an empty lock file', () => {
    expect(checkLockFile({ path: 'package-lock.json', text: '{}' }).seen).toBe(0);
  });
});

describe('checkWords', () => {
  it.each([
    ['// See issue #12.'],
    ['// As issue 12 asks.'],
    ['Closes #3'],
    ['// TODO'],
    ['// TODO: later'],
    ['// FIXME: wrong'],
    ['class ScanHelper {} // a helper'],
    ['Written in an earlier session.'],
    ['cd /home/somebody/scangate'],
    ['As in the situation b07.'],
  ])('finds %s', (line) => {
    expect(problemsIn(checkWords, 'docs/a.md', 'Good.', line)).toHaveLength(1);
  });

  it.each([
    ['A persistent session of the broker is kept.'],
    ['// TODO: until the directory of NDCs is there, ten digits are refused.'],
    ['id 9b39-0d2f-b07-8a11 and `0xa07`'],
    ['curl http://127.0.0.1:8080/v1/scans'],
    ['Data lies in /var/lib/scangate.'],
  ])('allows %s', (line) => {
    expect(problemsIn(checkWords, 'docs/a.md', line)).toEqual([]);
  });
});

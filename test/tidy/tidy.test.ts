import { afterAll, describe, expect, it } from 'vitest';
import { checkLayers } from './layers.ts';
import { checkExports, checkFileLengths, checkFunctionLengths, decisionLinesMax, fileLinesMax, readmeLinesMax } from './shape.ts';
import { filesOf, type Report } from './source-file.ts';
import { checkNoneIsPassedOver, checkNoneIsRetried, checkTestTitles } from './test-habits.ts';
import { checkLockFile, checkOldestNode, checkWords } from './text-habits.ts';

const sources = filesOf('src', '.ts');
const tests = filesOf('test', '.ts', '.js');
const testFiles = tests.filter(({ path }) => path.endsWith('.test.ts'));
const readme = filesOf('README.md', '.md');
const pages = [...readme, ...filesOf('CHANGELOG.md', '.md'), ...filesOf('docs', '.md')];
const decisions = filesOf('docs/decisions', '.md');
const [lockFile] = filesOf('package-lock.json', '.json');

const seen: string[] = [];

/** Says how many things were looked at: a check that saw nothing has checked nothing. */
function holds(what: string, report: Report): void {
  seen.push(`${report.seen} ${what}`);
  expect(report.problems).toEqual([]);
  expect(report.seen, `no ${what} were seen`).toBeGreaterThan(0);
}

describe('the repository', () => {
  it('is there to be looked at', () => {
    seen.push(`${sources.length} files of src`, `${tests.length} files of test`, `${pages.length} pages`);
    expect(sources.length).toBeGreaterThan(50);
    expect(testFiles.length).toBeGreaterThan(10);
    expect(pages.length).toBeGreaterThan(10);
  });

  it('imports downward only, and ports rather than adapters', () => {
    holds('imports', checkLayers(sources));
  });

  it('has no file that is too long to read', () => {
    holds('files', checkFileLengths([...sources, ...tests, ...filesOf('scripts', '')], fileLinesMax));
  });

  it('has no function that is too long to see at once', () => {
    holds('functions', checkFunctionLengths([...sources, ...tests]));
  });

  it('exports by name only', () => {
    holds('exports', checkExports(sources));
  });

  it('has no two tests of one name in a file', () => {
    holds('titles', checkTestTitles(testFiles));
  });

  it('passes over no test', () => {
    holds('tests and suites', checkNoneIsPassedOver(testFiles));
  });

  it('tries no test again', () => {
    holds('settings of tests', checkNoneIsRetried([...filesOf('vitest.config.ts', '.ts'), ...testFiles]));
  });

  it('uses only what the oldest supported Node.js has', () => {
    holds('files for Node.js 20', checkOldestNode(sources));
  });

  it('installs from whichever registry a site uses', () => {
    if (lockFile === undefined) throw new Error('There is no package-lock.json.');
    holds('locked packages', checkLockFile(lockFile));
  });

  it('keeps each decision to one page', () => {
    holds('decisions', checkFileLengths(decisions, decisionLinesMax));
  });

  it('keeps the README under 150 lines', () => {
    holds('README', checkFileLengths(readme, readmeLinesMax));
  });

  it('speaks of the product alone', () => {
    const others = tests.filter(({ path }) => !path.startsWith('test/tidy/'));
    holds('files of text', checkWords([...sources, ...others, ...pages]));
  });
});

afterAll(() => {
  process.stdout.write(`tidy: looked at ${seen.join(', ')}.\n`);
});

// Prints the closing line "N passed, N failed" from Vitest's report. No test at all, or a skipped one, is a failure, and so is each check
// beside the tests that failed: how many did is the second argument. The third is how Vitest itself ended: where it failed and no test did,
// or where it has left no report, that is one failure more.
import { readFileSync } from 'node:fs';

const [, , path, checksFailed = '0', vitestStatus = '0'] = process.argv;
const report = reportAt(path);
const { numPassedTests: passed, numFailedTests: failed, numTotalTests: total } = report;
const left = total - passed - failed;
if (left > 0) console.log(`${left} tests did not run; each counts as failed.`);
// A file that failed, and none of its tests did: it could not be loaded, or what ends it has failed.
const isBroken = ({ status, assertionResults }) =>
  status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
const brokenFiles = report.testResults.filter(isBroken).length;
if (brokenFiles > 0) console.log(`${brokenFiles} test files could not be loaded or ended; each counts as failed.`);
const ofTests = failed + left + brokenFiles;
const isRunBroken = ofTests === 0 && (vitestStatus !== '0' || total === 0);
if (isRunBroken) console.log('The run of the tests itself failed, or there were none; it counts as one failed.');
const allFailed = ofTests + Number(isRunBroken) + Number(checksFailed);
console.log(`${passed} passed, ${allFailed} failed`);
process.exit(allFailed === 0 ? 0 : 1);

/** One of no tests where Vitest has left none. */
function reportAt(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numTotalTests: 0, testResults: [] };
  }
}

// Prints the closing line "N passed, N failed" from Vitest's report. No test at all, or a skipped one, is a failure, and so is each check
// beside the tests that failed: how many did is the second argument.
import { readFileSync } from 'node:fs';

const [, , path, checksFailed = '0'] = process.argv;
const report = JSON.parse(readFileSync(path, 'utf8'));
const { numPassedTests: passed, numFailedTests: failed, numTotalTests: total } = report;
const left = total - passed - failed;
if (left > 0) console.log(`${left} tests did not run; each counts as failed.`);
// A file that failed, and none of its tests did: it could not be loaded, or what ends it has failed.
const isBroken = ({ status, assertionResults }) =>
  status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
const brokenFiles = report.testResults.filter(isBroken).length;
if (brokenFiles > 0) console.log(`${brokenFiles} test files could not be loaded or ended; each counts as failed.`);
const allFailed = failed + left + brokenFiles + Number(checksFailed);
console.log(`${passed} passed, ${allFailed} failed`);
process.exit(total > 0 && allFailed === 0 ? 0 : 1);

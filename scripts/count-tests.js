// Prints the closing line "N passed, N failed" from Vitest's report. No test at all, or a skipped one, is a failure.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { numPassedTests: passed, numFailedTests: failed, numTotalTests: total } = report;
const left = total - passed - failed;
if (left > 0) console.log(`${left} tests did not run; each counts as failed.`);
const brokenFiles = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
if (brokenFiles > 0) console.log(`${brokenFiles} test files could not be loaded; each counts as failed.`);
console.log(`${passed} passed, ${failed + left + brokenFiles} failed`);
process.exit(total > 0 && passed === total && brokenFiles === 0 ? 0 : 1);

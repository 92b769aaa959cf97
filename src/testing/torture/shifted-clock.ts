/**
 * Loaded before everything else of a worker: its clock differs from the true one by as many ms as the file says that `CLOCK_OFFSET_FILE`
 * names, and is set anew when the process gets a `SIGUSR2`. Everything of ours asks `Date.now`, and nothing else.
 */
import { readFileSync } from 'node:fs';

const trueNow = Date.now.bind(Date);
const path = process.env['CLOCK_OFFSET_FILE'] ?? '';
let offsetMs = readOffset();

Date.now = () => trueNow() + offsetMs;
process.on('SIGUSR2', () => {
  offsetMs = readOffset();
});

function readOffset(): number {
  return Number(readFileSync(path, 'utf8'));
}

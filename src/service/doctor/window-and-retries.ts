/** The window of each class of scanners against how long its clients go on retrying. */
import type { ScannerClass } from '../../identity/scanner-class.ts';
import { type Finding, finding } from './finding.ts';

/** @param retryHorizonMs the time from the first attempt of a client to its last. The window is half-open: at its end a scan is new. */
export function windowFindings(classes: readonly ScannerClass[], retryHorizonMs: number): Finding[] {
  return classes.map(({ name, windowMs }) => {
    const numbers = `clients retry for ${retryHorizonMs} ms, the window is ${windowMs} ms`;
    if (retryHorizonMs < windowMs)
      return finding('window-and-retries', `class ${name}`, 'ok', `All retries fall into it: ${numbers}.`);
    const late = `retries are outside of it from ${windowMs} ms on, for up to ${retryHorizonMs - windowMs} ms`;
    return finding('window-and-retries', `class ${name}`, 'warning', `Too short: ${numbers}; ${late}.`);
  });
}

import { ScanGateError } from '../base/errors.ts';
import type { ScannerClass } from '../identity/scanner-class.ts';

/** A year: whatever is longer was not meant. */
const msMax = 366 * 24 * 60 * 60 * 1_000;

/** @throws ScanGateError `SG_CONFIG_INVALID`. Zero is zero, never "for ever". */
export function demandMs(what: string, value: number, min: number): void {
  if (!Number.isSafeInteger(value) || value < min || value > msMax)
    throw new ScanGateError('SG_CONFIG_INVALID', `${what} has to be a whole number of milliseconds from ${min} to ${msMax}.`);
}

/** @throws ScanGateError `SG_CONFIG_INVALID`. */
export function demandClass({ name, windowMs, guardMs }: ScannerClass): void {
  demandMs(`The window of the scanner class ${name}`, windowMs, 1);
  demandMs(`The guard of the scanner class ${name}`, guardMs, 0);
}

import { identityText } from '../../src/identity/identify.ts';
import { defaultScannerClass } from '../../src/identity/scanner-class.ts';
import type { ScanContext } from '../../src/scan/parse-scan.ts';
import type { Scan } from '../../src/scan/scan.ts';
import { refusalOf, scanOf, wireScan } from './scans.ts';

/** A scan that says of its package only what `changes` says. */
const nothingBeside = { ndc: undefined, lot_number: undefined };

/** The scan of a barcode, with whatever else was sent. */
export function barcodeScan(
  barcode: string,
  changes: Readonly<Record<string, unknown>> = {},
  context: Partial<ScanContext> = {},
): Scan {
  return scanOf({ ...nothingBeside, barcode, ...changes }, context);
}

/** Why the scan of a barcode is none. */
export function barcodeRefusal(
  barcode: string | undefined,
  changes: Readonly<Record<string, unknown>> = {},
  context: Partial<ScanContext> = {},
): ReturnType<typeof refusalOf>['rejection'] {
  return refusalOf(wireScan({ ...nothingBeside, barcode, ...changes }), context).rejection;
}

/** What two scans have in common that are one. */
export function identityOf(scan: Scan): string {
  return identityText(scan, defaultScannerClass);
}

export function base64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64');
}

// What a peer is told to take for one and the same request: as good a key as its user could find without a window.
import { defaultScannerClass, identityText } from 'scangate';

/** The scan id where the device gives one, else what was scanned where and when. A retry has the same. */
export function requestKeyOf(scan) {
  if (scan.scanId !== undefined) return `${scan.facilityUuid}|${scan.scannerId}|id=${scan.scanId}`;
  return `${identityText(scan, defaultScannerClass)}|at=${scan.occurredAt}`;
}

import type { ScannerProfile } from '../scan/decode/profile.ts';

/** How the scans of one kind of device are judged. Recorded with every decision, because settings change and records do not. */
export interface ScannerClass {
  readonly name: string;
  /** W: how long two scans of one content are one physical scan. */
  readonly windowMs: number;
  /** How much longer than W a claim is kept. */
  readonly guardMs: number;
  /** `trust`: every trigger has its own scan id, so different ids are different scans. `ignore`: content within W decides. */
  readonly distinctIds: 'ignore' | 'trust';
  /** From this gap on, a suppression by content alone could have been a second pull of the trigger and is put up for review. */
  readonly reviewGapMs: number;
  /** What has to be known of the device to read its barcodes; nothing is repaired without it. */
  readonly profile?: ScannerProfile;
}

export const defaultScannerClass: ScannerClass = {
  name: 'default',
  windowMs: 3_000,
  guardMs: 500,
  distinctIds: 'ignore',
  reviewGapMs: 400,
};

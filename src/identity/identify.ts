/**
 * From a scan to the names that decide over it.
 *
 * In: a scan and the class of its scanner. Out: content identity, claim key, fingerprint. Pure. Because no part can hold the
 * separator, be empty or be null, different dimensions always give different texts; a lot that is not there is an empty part,
 * which no lot can be.
 */
import { canonicalJson } from '../base/canonical-json.ts';
import { sha256Hex } from '../base/digest.ts';
import { productText } from '../scan/product.ts';
import { recordedScan } from '../scan/recorded-scan.ts';
import type { Scan } from '../scan/scan.ts';
import { movementOf } from './movement.ts';
import type { ScannerClass } from './scanner-class.ts';

export const claimKeyPrefix = 'scan:idem:';

export interface ScanIdentity {
  /** SHA-256 of the identity text, 64 hexadecimal digits. */
  readonly content: string;
  /** Names the pick, should this scan be the one that is committed. With no optional part it is the recipe's own key. */
  readonly claimKey: string;
  /** SHA-256 of the movement: tells a retransmission from a conflict under one scan id. */
  readonly fingerprint: string;
}

/** What a store that is keyed by contents, or by picks as the recipe is, claims a scan by. */
export function claimedKey(
  { content, claimKey }: Pick<ScanIdentity, 'content' | 'claimKey'>,
  keyedBy: 'content' | 'pick',
): string {
  return keyedBy === 'pick' ? claimKey : claimKeyPrefix + content;
}

export function identify(scan: Scan, scannerClass: ScannerClass): ScanIdentity {
  const text = identityText(scan, scannerClass);
  const windowIndex = Math.floor(scan.occurredAt / scannerClass.windowMs);
  return {
    content: sha256Hex(text),
    claimKey: claimKeyPrefix + sha256Hex(`${text}|${windowIndex}`),
    fingerprint: sha256Hex(canonicalJson(movementOf(recordedScan(scan)))),
  };
}

export function identityText(scan: Scan, scannerClass: Pick<ScannerClass, 'distinctIds'>): string {
  const parts = [
    scan.facilityUuid,
    scan.scannerId,
    productText(scan.product),
    scan.lotNumber ?? '',
    scan.quantity,
    scan.scanType,
  ];
  if (scan.serialNumber !== undefined) parts.push(`serial=${scan.serialNumber}`);
  if (scan.direction !== undefined) parts.push(`direction=${scan.direction}`);
  if (scan.unit !== 'EA') parts.push(`unit=${scan.unit}`);
  if (scan.reference !== undefined) parts.push(`reference=${scan.reference}`);
  if (scannerClass.distinctIds === 'trust' && scan.scanId !== undefined) parts.push(`scan=${scan.scanId}`);
  return parts.join('|');
}

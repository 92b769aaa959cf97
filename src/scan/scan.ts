import { type Carrier, readingFlags } from './decode/reading.ts';
import type { Product } from './product.ts';
import type { Direction, ScanType, Unit } from './scan-type.ts';
import type { WireField } from './wire-schema.ts';

/** What a decision wants a person to know. None of them changes an outcome. */
export const flags = {
  ...readingFlags,
  clock_suspect: 'The device gave a time that cannot be right, or is more than 5 s ahead.',
  late: 'The scan was made more than 60 s before it arrived.',
  out_of_order: 'The scan was made before another of the same scanner that had already arrived.',
  time_ambiguous: 'A local time that the clock change of its zone repeats; the order of the file decided.',
  possible_under_count: 'Suppressed, and it could have been a second scan: to be reviewed.',
  serial_already_out: 'This serial had left the stock already, and no receipt or return of it came between: to be reviewed.',
  possible_double_count: 'Committed soon after another of the same content: to be reviewed.',
} as const;

export type Flag = keyof typeof flags;

/** A validated, normalised transmission. Times are epoch milliseconds, UTC. */
export interface Scan {
  readonly facilityUuid: string;
  readonly scannerId: string;
  readonly scanType: ScanType;
  readonly product: Product;
  readonly lotNumber?: string;
  readonly serialNumber?: string;
  readonly expirationDate?: string;
  /** Normalised decimal text; negative only for an adjust. */
  readonly quantity: string;
  readonly unit: Unit;
  readonly direction?: Direction;
  readonly scanId?: string;
  readonly reference?: string;
  readonly reason?: string;
  readonly actor?: string;
  /** The barcode that the package was read from, where it was. */
  readonly barcode?: { readonly carrier: Carrier; readonly symbology?: string };
  /** Device's clock, as claimed. `NaN` where the device said so. */
  readonly capturedAt?: number;
  /** Device's clock, as claimed. */
  readonly sentAt?: number;
  /** Gate's clock. */
  readonly receivedAt: number;
  /** The time of the scan, by the rules of `occurredAtOf`. */
  readonly occurredAt: number;
  readonly timeBasis: 'device' | 'receipt';
  readonly flags: readonly Flag[];
  /** The fields whose text was changed by normalisation, as they came: evidence, never compared. */
  readonly asSent: Readonly<Partial<Record<WireField, string | number>>>;
}

/** Where a transmission came from, as far as that can be read even when it is not a scan. */
export interface Origin {
  readonly facilityUuid?: string;
  readonly scannerId?: string;
  readonly scanId?: string;
}

/** The facility under which the journal keeps what names none. No scan may use it. */
export const unreadableFacility = '-';

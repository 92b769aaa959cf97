import type { Movement } from '../identity/movement.ts';
import type { Span } from '../identity/window.ts';
import type { Product } from '../scan/product.ts';
import type { EntryRef } from './entry-ref.ts';
import { genesisHash } from './hash-chain.ts';
import type { LedgerLine } from './ledger-line.ts';

/** Where a facility's book and journal end. */
export interface Head {
  readonly lastLine: number;
  readonly lastSeq: number;
  readonly hash: string;
}

export const emptyHead: Head = { lastLine: 0, lastSeq: 0, hash: genesisHash };

/** A committed line, as far as the rules ask for it. */
export interface KnownLine extends Span {
  readonly entry: EntryRef;
  readonly claimKey: string;
  readonly scanId?: string;
}

/** What was answered to a scan id the first time (R1). */
export interface KnownScanId {
  readonly fingerprint: string;
  /** The line that was committed under this id, or that it was suppressed for. */
  readonly line: KnownLine;
}

/** What a decision may ask of the books, read inside the transaction that will write its outcome. */
export interface BookState {
  head(facilityUuid: string): Head;
  knownScanId(facilityUuid: string, scannerId: string, scanId: string): KnownScanId | undefined;
  /** What the first transmission under a known scan id said, to name what a later one says differently. */
  movement(facilityUuid: string, scannerId: string, scanId: string): Movement;
  /** The nearest lines of one content, at or before and after an instant. */
  nearestLines(facilityUuid: string, content: string, occurredAt: number): readonly KnownLine[];
  /** What the last movement of a serial added to the stock, signed decimal text; counts are no movements. */
  lastDeltaOfSerial(facilityUuid: string, product: Product, serialNumber: string): string | undefined;
  /** The latest trustworthy time of a scanner's scans so far. */
  lastOccurredAt(facilityUuid: string, scannerId: string): number | undefined;
}

/** The books as they will be when what the batch has decided so far is written. */
export class BatchState implements BookState {
  readonly #stored: BookState;
  readonly heads = new Map<string, Head>();
  readonly scanIds = new Map<string, KnownScanId & { movement: Movement }>();
  readonly lastOccurred = new Map<string, number>();
  readonly #lines = new Map<string, KnownLine[]>();
  readonly #serials = new SerialMovements();

  constructor(stored: BookState) {
    this.#stored = stored;
  }

  head(facilityUuid: string): Head {
    return this.heads.get(facilityUuid) ?? this.#stored.head(facilityUuid);
  }

  knownScanId(facilityUuid: string, scannerId: string, scanId: string): KnownScanId | undefined {
    const key = joined(facilityUuid, scannerId, scanId);
    return this.scanIds.get(key) ?? this.#stored.knownScanId(facilityUuid, scannerId, scanId);
  }

  movement(facilityUuid: string, scannerId: string, scanId: string): Movement {
    const inBatch = this.scanIds.get(joined(facilityUuid, scannerId, scanId));
    return inBatch?.movement ?? this.#stored.movement(facilityUuid, scannerId, scanId);
  }

  nearestLines(facilityUuid: string, content: string, occurredAt: number): readonly KnownLine[] {
    const stored = this.#stored.nearestLines(facilityUuid, content, occurredAt);
    return [...stored, ...(this.#lines.get(joined(facilityUuid, content)) ?? [])];
  }

  lastOccurredAt(facilityUuid: string, scannerId: string): number | undefined {
    return this.lastOccurred.get(joined(facilityUuid, scannerId)) ?? this.#stored.lastOccurredAt(facilityUuid, scannerId);
  }

  lastDeltaOfSerial(facilityUuid: string, product: Product, serialNumber: string): string | undefined {
    return (
      this.#serials.lastDelta(facilityUuid, product, serialNumber) ??
      this.#stored.lastDeltaOfSerial(facilityUuid, product, serialNumber)
    );
  }

  moved(line: LedgerLine): void {
    this.#serials.add(line);
  }

  addLine(facilityUuid: string, content: string, line: KnownLine): void {
    const key = joined(facilityUuid, content);
    const lines = this.#lines.get(key);
    if (lines === undefined) this.#lines.set(key, [line]);
    else lines.push(line);
  }

  addScanId(facilityUuid: string, scannerId: string, scanId: string, known: KnownScanId & { movement: Movement }): void {
    this.scanIds.set(joined(facilityUuid, scannerId, scanId), known);
  }

  sawScanner(facilityUuid: string, scannerId: string, occurredAt: number): void {
    const last = this.lastOccurredAt(facilityUuid, scannerId) ?? occurredAt;
    this.lastOccurred.set(joined(facilityUuid, scannerId), Math.max(last, occurredAt));
  }
}

/** What each serial was moved by, in order. */
export class SerialMovements {
  readonly #lines = new Map<string, LedgerLine[]>();

  add(line: LedgerLine): void {
    if (line.serial_number === null || line.delta === '0') return;
    const key = joined(line.facility_uuid, line.serial_number);
    this.#lines.set(key, [...(this.#lines.get(key) ?? []), line]);
  }

  /** One package can be known by its NDC at one time and by its GTIN at another. */
  lastDelta(facilityUuid: string, { ndc12, gtin14 }: Product, serialNumber: string): string | undefined {
    const lines = this.#lines.get(joined(facilityUuid, serialNumber)) ?? [];
    return lines.findLast((line) => line.ndc12 === ndc12 || line.gtin14 === gtin14)?.delta;
  }
}

/** No part can hold the separator: it is refused in every text of a scan. */
export function joined(...parts: string[]): string {
  return parts.join('|');
}

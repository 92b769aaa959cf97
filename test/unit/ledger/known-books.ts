import type { Movement } from '../../../src/identity/movement.ts';
import { type BookState, emptyHead, type Head, type KnownLine, type KnownScanId } from '../../../src/ledger/book-state.ts';
import { noon } from '../../../src/testing/wire-scans.ts';

/** What there is in the books, written down by hand. Of any content, any scanner and any facility that is asked for. */
export interface Known {
  readonly head?: Head;
  readonly lines?: readonly KnownLine[];
  readonly scanIds?: Readonly<Record<string, KnownScanId & { readonly movement: Movement }>>;
  readonly lastOccurredAt?: number;
}

export function knownBooks({ head = emptyHead, lines = [], scanIds = {}, lastOccurredAt }: Known): BookState {
  return {
    head: () => head,
    knownScanId: (_facility, _scanner, scanId) => scanIds[scanId],
    movement: (_facility, _scanner, scanId) => {
      const known = scanIds[scanId];
      if (known === undefined) throw new TypeError(`${scanId} is not known.`);
      return known.movement;
    },
    lastDeltaOfSerial: () => undefined,
    nearestLines: () => lines,
    lastOccurredAt: () => lastOccurredAt,
  };
}

/** Line number `line`, of a scan so many milliseconds after noon. */
export function knownLine(line: number, ms: number, changes: Partial<KnownLine> = {}): KnownLine {
  return {
    entry: { id: `entry-${line}`, facility_uuid: 'F', line },
    claimKey: `scan:idem:${line}`,
    occurredAt: noon + ms,
    windowMs: 3_000,
    ...changes,
  };
}

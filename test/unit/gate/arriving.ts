import type { Arrival } from '../../../src/gate/arrival.ts';
import type { Verdict } from '../../../src/gate/verdict.ts';
import { inWords } from '../../../src/testing/decision-words.ts';
import { noon, type WireChanges, wireScan } from '../../../src/testing/wire-scans.ts';

/** The arrival of a JSON value, as a transport hands it over. */
export function arrival(value: unknown): Arrival {
  return {
    value,
    receivedAt: noon,
    transport: 'library',
    raw: () => ({ bytes: new TextEncoder().encode(JSON.stringify(value)) }),
  };
}

/** The arrival of a scan that was captured so many milliseconds after noon. */
export function arriving(capturedMs: number, changes: WireChanges = {}): Arrival {
  return arrival(wireScan(capturedMs, changes));
}

/** A verdict in a few words: a decision, or the code of why there is none. */
export function verdictInWords({ decision }: Verdict): string {
  return decision.outcome === 'unavailable' ? decision.code : inWords(decision);
}

/** Resolves when everything has gone on that waited for nothing but its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

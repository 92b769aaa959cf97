import type { ScanTransmission } from '../../src/ledger/ledger.ts';
import type { PostgresLedger } from '../../src/ledger/postgres-ledger.ts';
import { scanAt } from '../../src/testing/wire-scans.ts';

export const batchScans = 20;

/** Of each id another content: nothing but the id makes a duplicate. */
export const scanOf = (id: string): ScanTransmission => scanAt(0, { scan_uuid: id, lot_number: id });

export interface Sent {
  readonly acknowledged: string[];
  /** Of the batch that was refused. */
  readonly refused: string[];
  readonly error: unknown;
}

/** Sends batch after batch until one is refused; the ids that were acknowledged, and those that were not. */
export async function sendUntilRefused(
  ledger: PostgresLedger,
  prefix: string,
  acknowledge: (count: number) => void,
): Promise<Sent> {
  const acknowledged: string[] = [];
  for (let batch = 0; ; batch += 1) {
    const ids = Array.from({ length: batchScans }, (_, index) => `${prefix}.${batch}.${index}`);
    try {
      await ledger.append(ids.map(scanOf));
    } catch (error) {
      return { acknowledged, refused: ids, error };
    }
    acknowledged.push(...ids);
    acknowledge(batchScans);
  }
}

/**
 * Writes what was planned for a batch: a few statements, each with all rows of its table.
 *
 * Lines first, because records refer to them; heads last, because a head is where its book and journal end.
 */
import type { Checkpoint } from './ledger.ts';
import type { Plan, QuarantinedInput } from './plan-batch.ts';
import { RowsMissing } from './postgres-errors.ts';
import {
  insertLines,
  insertQuarantined,
  insertRecords,
  insertResolutions,
  insertSuppressedScanIds,
  type RowsStatement,
  saveHeads,
  saveScanners,
  withRows,
  withValues,
} from './postgres-statements.ts';
import type { Statements } from './postgres-watch.ts';
import { headRow, recordRow } from './stored-rows.ts';

/** How many inputs go to quarantine at once: each can be of megabytes. */
const quarantinedAtOnce = 20;

/** @throws RowsMissing when a line met a constraint that the books did not show: somebody writes without the lock of the facility. */
export async function writePlan(client: Statements, plan: Plan, checkpoint?: Checkpoint): Promise<void> {
  const inserted = await write(client, insertLines, plan.lines);
  if (inserted < plan.lines.length) throw new RowsMissing(plan.lines.length - inserted);
  await write(client, insertRecords, plan.records.map(recordRow));
  await write(
    client,
    insertSuppressedScanIds,
    plan.suppressedScanIds.map(({ facilityUuid, scannerId, scanId, known, journalSeq }) => ({
      scan_uuid: scanId,
      scanner_id: scannerId,
      facility_uuid: facilityUuid,
      fingerprint: known.fingerprint,
      entry_id: known.line.entry.id,
      journal_seq: journalSeq,
    })),
  );
  await writeQuarantined(client, plan.quarantined);
  await write(
    client,
    insertResolutions,
    plan.resolved.map(({ quarantineId, facilityUuid, journalSeq }) => ({
      quarantine_id: quarantineId,
      facility_uuid: facilityUuid,
      journal_seq: journalSeq,
    })),
  );
  await write(
    client,
    saveHeads,
    [...plan.heads].map(([facilityUuid, head]) => headRow(facilityUuid, head)),
  );
  await write(
    client,
    saveScanners,
    plan.scanners.map(({ facilityUuid, scannerId, occurredAt }) => ({
      facility_uuid: facilityUuid,
      scanner_id: scannerId,
      last_occurred_at: occurredAt,
    })),
  );
  if (checkpoint !== undefined) await client.query(withValues('saveCheckpoint', checkpoint.key, checkpoint.value));
}

/** How many rows were written. */
async function write<Row extends object>(
  client: Statements,
  statement: RowsStatement<Row>,
  rows: readonly Row[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const { rowCount } = await client.query(withRows(statement, rows));
  return rowCount ?? 0;
}

async function writeQuarantined(client: Statements, inputs: readonly QuarantinedInput[]): Promise<void> {
  for (let from = 0; from < inputs.length; from += quarantinedAtOnce) {
    const rows = inputs
      .slice(from, from + quarantinedAtOnce)
      .map(({ id, facilityUuid, journalSeq, bytes }) => [id, facilityUuid, journalSeq, Buffer.from(bytes)] as const);
    await client.query(insertQuarantined(rows));
  }
}

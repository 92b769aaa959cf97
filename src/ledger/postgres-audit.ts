/**
 * The audit of the books in PostgreSQL, as of one moment, and what a person answers for afterwards.
 *
 * Records and lines are read page by page, each page with what it refers to, so that memory is bounded and no row costs a question of
 * its own. The rules are those of every store.
 */
import type { Clock } from '../base/clock.ts';
import { Audit, type AuditLookups, type AuditReport, type StoredHead } from './audit.ts';
import { chainRecord } from './chain-record.ts';
import { type FacilityAudit, type ReadRecord, readRecord } from './facility-audit.ts';
import { type AcceptedBreaks, type JournalRecord, resolvedBy } from './journal-record.ts';
import { auditStatementMs, PostgresAuditRows } from './postgres-audit-rows.ts';
import type { PostgresPool } from './postgres-pool.ts';
import { insertRecords, saveHeads, withRows, withValues } from './postgres-statements.ts';
import { inSnapshot, inTransaction } from './postgres-transaction.ts';
import { headOf, headRow, recordRow } from './stored-rows.ts';

export function auditPostgres(pool: PostgresPool): Promise<AuditReport> {
  return inSnapshot(pool, auditStatementMs, async (client) => {
    const rows = new PostgresAuditRows(client);
    const [suppressedScanIds, quarantined, resolved] = [
      await rows.counts('suppressed_scan_ids'),
      await rows.counts('quarantine'),
      await rows.counts('quarantine_resolutions'),
    ];
    const audit = new Audit({
      suppressedScanIdCounts: () => suppressedScanIds,
      quarantinedCounts: () => quarantined,
      resolutionCounts: () => resolved,
    });
    for (const name of await rows.facilities()) {
      const page = new Page();
      const facility = audit.facility(name, page);
      await giveRows(rows, name, page, facility);
      audit.end(facility.end(await rows.head(name)));
    }
    return audit.report(await rows.overlaps());
  });
}

async function giveRows(rows: PostgresAuditRows, name: string, page: Page, facility: FacilityAudit): Promise<void> {
  for await (const stored of rows.records(name)) {
    const records = stored.map(readRecord);
    await page.fillForRecords(rows, name, records);
    for (const record of records) facility.record(record);
  }
  for await (const lines of rows.lines(name)) {
    const seqs = lines.map((line) => line.journal_seq);
    page.records = new Map((await rows.recordsOf(name, seqs)).map((record) => [record.seq, record]));
    for (const line of lines) facility.line(line);
  }
}

/** What the rows of one page refer to. */
class Page implements AuditLookups {
  records: ReadonlyMap<number, { readonly outcome: string; readonly entry_id: string | null }> = new Map();
  #lines: ReadonlyMap<string, ReturnType<AuditLookups['line']>> = new Map();
  #scanIds: ReadonlyMap<string, ReturnType<AuditLookups['scanId']>> = new Map();
  #quarantined: ReadonlyMap<string, string> = new Map();
  #resolutions: ReadonlyMap<string, ReturnType<AuditLookups['resolution']>> = new Map();

  async fillForRecords(rows: PostgresAuditRows, facility: string, read: readonly ReadRecord[]): Promise<void> {
    const texts = (of: (record: JournalRecord) => unknown): string[] => [
      ...new Set(read.map(({ record }) => record && of(record)).filter(isText)),
    ];
    const entryIds = [...texts((record) => record.entry?.id), ...texts((record) => record.of?.id)];
    this.#lines = new Map((await rows.linesOf(entryIds)).map((line) => [line.entry_id, line]));
    const names = read.flatMap(({ record }) => {
      const { scanner_id: scannerId, scan_uuid: scanId } = record?.scan ?? {};
      return isText(scannerId) && isText(scanId) ? [{ scannerId, scanId }] : [];
    });
    const bound = await rows.scanIds(facility, names);
    // The first of two wins.
    this.#scanIds = new Map(bound.toReversed().map((row) => [scanIdKey(row.scanner_id, row.scan_uuid), row]));
    const quarantined = await rows.quarantined(texts((record) => record.rejection?.quarantine_id));
    this.#quarantined = new Map(quarantined.map(({ id, sha256 }) => [id, sha256]));
    const resolutions = await rows.resolutions(texts(resolvedBy));
    this.#resolutions = new Map(resolutions.map((row) => [row.quarantine_id, row]));
  }

  record(_facility: string, seq: number): ReturnType<AuditLookups['record']> {
    return this.records.get(seq);
  }

  line(entryId: string): ReturnType<AuditLookups['line']> {
    return this.#lines.get(entryId);
  }

  scanId(_facility: string, scannerId: string, scanId: string): ReturnType<AuditLookups['scanId']> {
    return this.#scanIds.get(scanIdKey(scannerId, scanId));
  }

  quarantinedSha256(id: string): string | undefined {
    return this.#quarantined.get(id);
  }

  resolution(quarantineId: string): ReturnType<AuditLookups['resolution']> {
    return this.#resolutions.get(quarantineId);
  }
}

/** A damaged record can hold anything; what is not text that the database can hold names nothing there. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

function scanIdKey(scannerId: string, scanId: string): string {
  return JSON.stringify([scannerId, scanId]);
}

/**
 * Writes down who answers for the breaks of a facility, and lets its book and journal go on from where they end now. One transaction,
 * which the role of the gate may do. Nothing that is there is changed but the head.
 *
 * @throws whatever the database says: nothing is known to be written then, and it can be done again after another audit.
 */
export function acceptBreaks(pool: PostgresPool, clock: Clock, facilityUuid: string, accepted: AcceptedBreaks): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query(withValues('addHeadAtEnd', facilityUuid));
    await client.query(withValues('lockHeads', [facilityUuid]));
    // In a statement of its own: it sees what the writer before had committed.
    const { rows } = await client.query<StoredHead>(withValues('bookEnd', facilityUuid));
    const [end] = rows;
    const body = { transport: 'library', outcome: 'breaks_accepted', flags: [], accepted } as const;
    const { chained, head } = chainRecord(headOf(end), facilityUuid, clock.nowMs(), body);
    await client.query(withRows(insertRecords, [recordRow(chained)]));
    await client.query(withRows(saveHeads, [headRow(facilityUuid, head)]));
  });
}

/**
 * The books in one SQLite file, synchronous: runs in the thread of the ledger, or in a command that only reads.
 *
 * Each batch is one immediate transaction, so that what a decision read cannot change before its outcome is written, whichever
 * process else writes to the file. Errors of SQLite leave as coded errors; the transaction is then rolled back.
 */
import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Clock } from '../base/clock.ts';
import { sha256Hex } from '../base/digest.ts';
import type { IdSource } from '../base/ids.ts';
import { type Movement, movementOf } from '../identity/movement.ts';
import type { Product } from '../scan/product.ts';
import { type AuditReport, type AuditSource, audit, type StoredHead, type StoredRecord, type StoredResolution } from './audit.ts';
import type { BookState, Head, KnownLine, KnownScanId } from './book-state.ts';
import { chainRecord } from './chain-record.ts';
import type { AcceptedBreaks, JournalRecord } from './journal-record.ts';
import type { Checkpoint, Decision, LedgerStatus, Page, PageQuery, QuarantineQuery, Transmission } from './ledger.ts';
import type { LedgerLine } from './ledger-line.ts';
import { type Plan, planBatch } from './plan-batch.ts';
import { planResolution } from './plan-resolution.ts';
import type { QuarantineEntry, Resolution, ResolveRequest } from './quarantine-entry.ts';
import { appendError, fileError, type OpenOptions, openLedgerFile } from './sqlite-file.ts';
import { prepareStatements, type Statements } from './sqlite-statements.ts';
import {
  type HeadRow,
  headOf,
  type KnownLineRow,
  knownLine,
  nextCursor,
  parseRecord,
  type QuarantineRow,
  quarantineEntryOf,
  recordRow,
  type ScanIdRow,
} from './stored-rows.ts';

export class SqliteBooks implements BookState {
  readonly path: string;
  readonly #database: Database.Database;
  readonly #sql: Statements;
  readonly #clock: Clock;
  readonly #ids: IdSource;
  readonly #appendInTransaction: (batch: readonly Transmission[], checkpoint: Checkpoint | undefined) => Decision[];
  readonly #resolveInTransaction: (request: ResolveRequest) => Resolution;

  constructor(path: string, clock: Clock, ids: IdSource, options: OpenOptions) {
    this.path = path;
    this.#database = openLedgerFile(path, options);
    this.#sql = prepareStatements(this.#database);
    this.#clock = clock;
    this.#ids = ids;
    this.#appendInTransaction = this.#database.transaction(this.#planAndWrite.bind(this)).immediate;
    this.#resolveInTransaction = this.#database.transaction(this.#planAndResolve.bind(this)).immediate;
  }

  append(batch: readonly Transmission[], checkpoint?: Checkpoint): Decision[] {
    try {
      return this.#appendInTransaction(batch, checkpoint);
    } catch (error) {
      throw appendError(error, this.path);
    }
  }

  resolve(request: ResolveRequest): Resolution {
    try {
      return this.#resolveInTransaction(request);
    } catch (error) {
      throw appendError(error, this.path);
    }
  }

  head(facilityUuid: string): Head {
    return headOf(this.#sql.head.get(facilityUuid) as HeadRow | undefined);
  }

  knownScanId(facilityUuid: string, scannerId: string, scanId: string): KnownScanId | undefined {
    const row = this.#scanIdRow(facilityUuid, scannerId, scanId);
    return row === undefined ? undefined : { fingerprint: row.fingerprint, line: knownLine(row) };
  }

  movement(facilityUuid: string, scannerId: string, scanId: string): Movement {
    const seq = this.#scanIdRow(facilityUuid, scannerId, scanId)?.journal_seq;
    const { scan } = parseRecord(this.#sql.recordBySeq.get(facilityUuid, seq));
    if (scan === undefined) throw new TypeError(`Record ${seq} of ${facilityUuid} holds no scan.`);
    return movementOf(scan);
  }

  nearestLines(facilityUuid: string, content: string, occurredAt: number): readonly KnownLine[] {
    const rows = [
      this.#sql.lineBefore.get(content, facilityUuid, occurredAt),
      this.#sql.lineAfter.get(content, facilityUuid, occurredAt),
    ];
    return (rows as (KnownLineRow | undefined)[]).filter((row) => row !== undefined).map(knownLine);
  }

  lastDeltaOfSerial(facilityUuid: string, { ndc12, gtin14 }: Product, serialNumber: string): string | undefined {
    return this.#sql.lastDeltaOfSerial.get(serialNumber, facilityUuid, ndc12 ?? null, gtin14 ?? null) as string | undefined;
  }

  lastOccurredAt(facilityUuid: string, scannerId: string): number | undefined {
    return this.#sql.scanner.get(facilityUuid, scannerId) as number | undefined;
  }

  lines(query: PageQuery): Page<LedgerLine> {
    const rows = this.#page(query, this.#sql.linesPage, this.#sql.facilityLinesPage) as (LedgerLine & { position: number })[];
    return { items: rows.map(({ position: _, ...line }) => line), next: nextCursor(rows, query) };
  }

  /** Lines before a position, or the last ones, the last first. */
  linesBefore(position: number | undefined, limit: number): (LedgerLine & { readonly position: number })[] {
    return this.#sql.linesBefore.all(position ?? null, limit) as (LedgerLine & { readonly position: number })[];
  }

  records(query: PageQuery): Page<JournalRecord> {
    const rows = this.#page(query, this.#sql.recordsPage, this.#sql.facilityRecordsPage) as {
      position: number;
      record: string;
    }[];
    return { items: rows.map((row) => parseRecord(row.record)), next: nextCursor(rows, query) };
  }

  recordsOfPick(claimKey: string): JournalRecord[] {
    return this.#recordsOfEntries(this.#sql.entriesOfClaim.all(claimKey));
  }

  recordsOfScanId(scanId: string): JournalRecord[] {
    const ofPicks = this.#recordsOfEntries(this.#sql.entriesOfScanId.all({ scan_uuid: scanId }));
    return [...ofPicks, ...this.#sql.rejectedOfScanId.all(scanId).map(parseRecord)];
  }

  line(entryId: string): LedgerLine | undefined {
    return this.#sql.lineByEntry.get(entryId) as LedgerLine | undefined;
  }

  quarantined(id: string): Uint8Array | undefined {
    return this.#sql.quarantined.get(id) as Uint8Array | undefined;
  }

  quarantine({ facilityUuid, after = '0', limit, isOpen = false }: QuarantineQuery): Page<QuarantineEntry> {
    const query = { after: Number(after), facility: facilityUuid ?? null, open: isOpen ? 1 : 0, limit };
    const rows = this.#sql.quarantinePage.all(query) as QuarantineRow[];
    return { items: rows.map(quarantineEntryOf), next: nextCursor(rows, { after }) };
  }

  quarantineEntry(id: string): QuarantineEntry | undefined {
    const row = this.#sql.quarantineEntry.get(id) as QuarantineRow | undefined;
    return row && quarantineEntryOf(row);
  }

  checkpoint(key: string): string | undefined {
    return this.#sql.checkpoint.get(key) as string | undefined;
  }

  status(): LedgerStatus {
    const committedAt = this.#sql.lastDecidedAt.get() as number | undefined;
    const bytes = sizeOf(this.path) + sizeOf(`${this.path}-wal`);
    return { kind: 'sqlite', path: this.path, bytes, ...(committedAt !== undefined && { committedAt }) };
  }

  /**
   * Recomputes everything that is in the file, as of one moment, also while a server writes to it.
   *
   * @throws ScanGateError when the file is so damaged that it cannot be read to its end.
   */
  audit(): AuditReport {
    try {
      return this.#database.transaction(() => audit(this.#auditSource()))();
    } catch (error) {
      throw fileError(error, this.path);
    }
  }

  /**
   * Writes down who answers for the breaks of a facility, and lets its book and journal go on from where they end now. One
   * transaction. Nothing that is there is changed.
   */
  acceptBreaks(facilityUuid: string, accepted: AcceptedBreaks): void {
    const accept = this.#database.transaction(() => {
      const end = headOf(this.#sql.tail.get({ facility_uuid: facilityUuid }) as HeadRow | undefined);
      const body = { transport: 'library', outcome: 'breaks_accepted', flags: [], accepted } as const;
      const { chained, head } = chainRecord(end, facilityUuid, this.#clock.nowMs(), body);
      this.#sql.insertRecord.run(recordRow(chained));
      this.#sql.saveHead.run(facilityUuid, head.lastLine, head.lastSeq, head.hash);
    });
    try {
      accept.immediate();
    } catch (error) {
      throw appendError(error, this.path);
    }
  }

  close(): void {
    this.#database.close();
  }

  #recordsOfEntries(entryIds: readonly unknown[]): JournalRecord[] {
    return entryIds.flatMap((entryId) => this.#sql.recordsOfEntry.all(entryId).map(parseRecord));
  }

  #scanIdRow(facilityUuid: string, scannerId: string, scanId: string): ScanIdRow | undefined {
    const key = [scanId, scannerId, facilityUuid];
    return (this.#sql.committedScanId.get(key) ?? this.#sql.suppressedScanId.get(key)) as ScanIdRow | undefined;
  }

  #auditSource(): AuditSource {
    const sql = this.#sql;
    return {
      facilities: () => sql.facilityNames.all() as string[],
      head: (facility) => sql.head.get(facility) as StoredHead | undefined,
      records: (facility) => sql.facilityRecords.iterate(facility) as Iterable<StoredRecord>,
      record: (facility, seq) => sql.recordColumns.get(facility, seq) as Pick<StoredRecord, 'outcome' | 'entry_id'> | undefined,
      lines: (facility) => sql.facilityLines.iterate(facility) as Iterable<LedgerLine>,
      line: (entryId) => this.line(entryId),
      scanId: (...names) => this.#scanIdRow(...names),
      quarantinedSha256: (id) => sha256OrNothing(this.quarantined(id)),
      resolution: (id) => sql.resolution.get(id) as StoredResolution | undefined,
      suppressedScanIdCounts: () => new Map(sql.suppressedScanIdCounts.raw().all() as [string, number][]),
      quarantinedCounts: () => new Map(sql.quarantinedCounts.raw().all() as [string, number][]),
      resolutionCounts: () => new Map(sql.resolutionCounts.raw().all() as [string, number][]),
      overlaps: () => sql.overlaps.all() as { facility_uuid: string; line: number; next_line: number }[],
    };
  }

  #planAndWrite(batch: readonly Transmission[], checkpoint: Checkpoint | undefined): Decision[] {
    const plan = planBatch(this, batch, this.#clock.nowMs(), this.#ids);
    this.#write(plan);
    if (checkpoint !== undefined) this.#sql.saveCheckpoint.run(checkpoint.key, checkpoint.value);
    return plan.decisions;
  }

  #planAndResolve(request: ResolveRequest): Resolution {
    const entry = this.quarantineEntry(request.resolves.quarantine_id);
    const { resolution, plan } = planResolution(this, entry, request, this.#clock.nowMs(), this.#ids);
    if (plan !== undefined) this.#write(plan);
    return resolution;
  }

  #write(plan: Plan): void {
    for (const line of plan.lines) this.#sql.insertLine.run(line);
    for (const chained of plan.records) this.#sql.insertRecord.run(recordRow(chained));
    for (const { facilityUuid, scannerId, scanId, known, journalSeq } of plan.suppressedScanIds) {
      this.#sql.insertSuppressedScanId.run(scanId, scannerId, facilityUuid, known.fingerprint, known.line.entry.id, journalSeq);
    }
    for (const { id, facilityUuid, journalSeq, bytes } of plan.quarantined) {
      this.#sql.insertQuarantined.run(id, facilityUuid, journalSeq, bytes);
    }
    for (const { quarantineId, facilityUuid, journalSeq } of plan.resolved) {
      this.#sql.insertResolution.run(quarantineId, facilityUuid, journalSeq);
    }
    for (const [facilityUuid, head] of plan.heads) this.#sql.saveHead.run(facilityUuid, head.lastLine, head.lastSeq, head.hash);
    for (const { facilityUuid, scannerId, occurredAt } of plan.scanners)
      this.#sql.saveScanner.run(facilityUuid, scannerId, occurredAt);
  }

  #page(
    { facilityUuid, after = '0', limit }: PageQuery,
    all: Statements['linesPage'],
    ofFacility: Statements['linesPage'],
  ): unknown[] {
    return facilityUuid === undefined ? all.all(Number(after), limit) : ofFacility.all(facilityUuid, Number(after), limit);
  }
}

function sha256OrNothing(bytes: Uint8Array | undefined): string | undefined {
  return bytes && sha256Hex(bytes);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

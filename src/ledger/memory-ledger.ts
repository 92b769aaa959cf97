/**
 * The books in memory: for tests, for simulation, and as the shortest description of what a ledger does. {@inheritDoc Ledger}
 * Nothing survives the process.
 */
import { type Clock, systemClock } from '../base/clock.ts';
import { type IdSource, randomIds } from '../base/ids.ts';
import { type Movement, movementOf } from '../identity/movement.ts';
import type { Product } from '../scan/product.ts';
import { type BookState, emptyHead, type Head, joined, type KnownLine, type KnownScanId, SerialMovements } from './book-state.ts';
import { type JournalRecord, resolvedBy } from './journal-record.ts';
import type { Checkpoint, Decision, Ledger, LedgerStatus, Page, PageQuery, QuarantineQuery, Transmission } from './ledger.ts';
import type { LedgerLine } from './ledger-line.ts';
import { type Plan, planBatch } from './plan-batch.ts';
import { planResolution } from './plan-resolution.ts';
import type { QuarantineEntry, Resolution, ResolveRequest } from './quarantine-entry.ts';
import { knownLine, recordColumns } from './stored-rows.ts';

/** The books themselves, apart from the ledger, so that two ledgers can share them as two processes share a database. */
export class MemoryBooks implements BookState {
  readonly lines: LedgerLine[] = [];
  readonly records: JournalRecord[] = [];
  readonly quarantine = new Map<string, Uint8Array>();
  readonly resolutions = new Map<string, JournalRecord>();
  readonly checkpoints = new Map<string, string>();
  readonly #heads = new Map<string, Head>();
  readonly #scanIds = new Map<string, KnownScanId & { readonly journalSeq: number }>();
  readonly #linesByContent = new Map<string, KnownLine[]>();
  readonly #scanners = new Map<string, number>();
  readonly #serials = new SerialMovements();

  head(facilityUuid: string): Head {
    return this.#heads.get(facilityUuid) ?? emptyHead;
  }

  knownScanId(facilityUuid: string, scannerId: string, scanId: string): KnownScanId | undefined {
    return this.#scanIds.get(joined(facilityUuid, scannerId, scanId));
  }

  movement(facilityUuid: string, scannerId: string, scanId: string): Movement {
    const seq = this.#scanIds.get(joined(facilityUuid, scannerId, scanId))?.journalSeq;
    const first = this.records.find((record) => record.facility_uuid === facilityUuid && record.seq === seq);
    if (first?.scan === undefined) throw new TypeError(`The scan id ${scanId} is not known.`);
    return movementOf(first.scan);
  }

  nearestLines(facilityUuid: string, content: string, occurredAt: number): readonly KnownLine[] {
    const lines = this.#linesByContent.get(joined(facilityUuid, content)) ?? [];
    const before = lines.filter((line) => line.occurredAt <= occurredAt).sort((a, b) => b.occurredAt - a.occurredAt);
    const after = lines.filter((line) => line.occurredAt > occurredAt).sort((a, b) => a.occurredAt - b.occurredAt);
    return [...before.slice(0, 1), ...after.slice(0, 1)];
  }

  lastDeltaOfSerial(facilityUuid: string, product: Product, serialNumber: string): string | undefined {
    return this.#serials.lastDelta(facilityUuid, product, serialNumber);
  }

  lastOccurredAt(facilityUuid: string, scannerId: string): number | undefined {
    return this.#scanners.get(joined(facilityUuid, scannerId));
  }

  write(plan: Plan): void {
    for (const line of plan.lines) this.#addLine(line);
    for (const { record } of plan.records) this.records.push(record);
    for (const { facilityUuid, scannerId, scanId, known, journalSeq } of plan.suppressedScanIds) {
      this.#scanIds.set(joined(facilityUuid, scannerId, scanId), { ...known, journalSeq });
    }
    for (const { id, bytes } of plan.quarantined) this.quarantine.set(id, bytes);
    for (const { record } of plan.records) {
      const resolved = resolvedBy(record);
      if (resolved !== undefined) this.resolutions.set(resolved, record);
    }
    for (const [facilityUuid, head] of plan.heads) this.#heads.set(facilityUuid, head);
    for (const { facilityUuid, scannerId, occurredAt } of plan.scanners) {
      this.#scanners.set(joined(facilityUuid, scannerId), occurredAt);
    }
  }

  #addLine(line: LedgerLine): void {
    this.lines.push(line);
    this.#serials.add(line);
    const known = knownLine(line);
    if (line.scan_uuid !== null) {
      const scanId = { fingerprint: line.fingerprint, line: known, journalSeq: line.journal_seq };
      this.#scanIds.set(joined(line.facility_uuid, line.scanner_id, line.scan_uuid), scanId);
    }
    const key = joined(line.facility_uuid, line.identity);
    this.#linesByContent.set(key, [...(this.#linesByContent.get(key) ?? []), known]);
  }
}

export class MemoryLedger implements Ledger {
  readonly #books: MemoryBooks;
  readonly #clock: Clock;
  readonly #ids: IdSource;

  constructor(books: MemoryBooks = new MemoryBooks(), clock: Clock = systemClock, ids: IdSource = randomIds) {
    this.#books = books;
    this.#clock = clock;
    this.#ids = ids;
  }

  async append(batch: readonly Transmission[], checkpoint?: Checkpoint): Promise<readonly Decision[]> {
    const plan = planBatch(this.#books, batch, this.#clock.nowMs(), this.#ids);
    this.#books.write(plan);
    if (checkpoint !== undefined) this.#books.checkpoints.set(checkpoint.key, checkpoint.value);
    return plan.decisions;
  }

  async resolve(request: ResolveRequest): Promise<Resolution> {
    // Nothing is awaited between what is read here and what is written.
    const entry = this.#quarantineEntries().find(({ id }) => id === request.resolves.quarantine_id);
    const { resolution, plan } = planResolution(this.#books, entry, request, this.#clock.nowMs(), this.#ids);
    if (plan !== undefined) this.#books.write(plan);
    return resolution;
  }

  async lines(query: PageQuery): Promise<Page<LedgerLine>> {
    return pageOf(this.#books.lines, query);
  }

  async records(query: PageQuery): Promise<Page<JournalRecord>> {
    return pageOf(this.#books.records, query);
  }

  async recordsOfPick(claimKey: string): Promise<readonly JournalRecord[]> {
    return this.#books.records.filter((record) => record.claim_key === claimKey);
  }

  async recordsOfScanId(scanId: string): Promise<readonly JournalRecord[]> {
    const { records } = this.#books;
    const named = records.filter((record) => recordColumns(record).scan_uuid === scanId);
    const entryIds = new Set(named.map((record) => recordColumns(record).entry_id).filter((id) => id !== null));
    const ofPicks = [...entryIds].flatMap((id) => records.filter((record) => recordColumns(record).entry_id === id));
    return [...ofPicks, ...named.filter((record) => record.outcome === 'rejected')];
  }

  async line(entryId: string): Promise<LedgerLine | undefined> {
    return this.#books.lines.find((line) => line.entry_id === entryId);
  }

  async quarantined(id: string): Promise<Uint8Array | undefined> {
    return this.#books.quarantine.get(id);
  }

  async quarantine({ isOpen = false, facilityUuid, after = '0', limit }: QuarantineQuery): Promise<Page<QuarantineEntry>> {
    const found = this.#quarantineEntries()
      .map((entry, index) => ({ entry, position: index + 1 }))
      .filter(({ entry, position }) => {
        const isWanted = facilityUuid === undefined || entry.record.facility_uuid === facilityUuid;
        return isWanted && position > Number(after) && (!isOpen || entry.resolution === undefined);
      })
      .slice(0, limit);
    return { items: found.map(({ entry }) => entry), next: String(found.at(-1)?.position ?? after) };
  }

  async quarantineEntry(id: string): Promise<QuarantineEntry | undefined> {
    return this.#quarantineEntries().find((entry) => entry.id === id);
  }

  async checkpoint(key: string): Promise<string | undefined> {
    return this.#books.checkpoints.get(key);
  }

  async status(): Promise<LedgerStatus> {
    const committedAt = this.#books.records.at(-1)?.decided_at;
    return { kind: 'memory', bytes: 0, ...(committedAt !== undefined && { committedAt }) };
  }

  async close(): Promise<void> {}

  #quarantineEntries(): QuarantineEntry[] {
    return this.#books.records.flatMap((record) => {
      const id = record.rejection?.quarantine_id;
      const resolution = id === undefined ? undefined : this.#books.resolutions.get(id);
      return id === undefined ? [] : [{ id, record, ...(resolution !== undefined && { resolution }) }];
    });
  }
}

function pageOf<T extends { facility_uuid: string }>(
  all: readonly T[],
  { facilityUuid, after = '0', limit }: PageQuery,
): Page<T> {
  const chosen = facilityUuid === undefined ? all : all.filter((item) => item.facility_uuid === facilityUuid);
  const items = chosen.slice(Number(after), Number(after) + limit);
  return { items, next: String(Number(after) + items.length) };
}

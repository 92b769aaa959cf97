/**
 * The books in memory: for tests, for simulation, and as the shortest description of what a ledger does. {@inheritDoc Ledger}
 * Nothing survives the process.
 */
import { type Clock, systemClock } from '../base/clock.ts';
import { type IdSource, randomIds } from '../base/ids.ts';
import { type Movement, movementOf } from '../identity/movement.ts';
import { type BookState, emptyHead, type Head, joined, type KnownLine, type KnownScanId } from './book-state.ts';
import type { JournalRecord } from './journal-record.ts';
import type { Checkpoint, Decision, Ledger, LedgerStatus, Page, PageQuery, Transmission } from './ledger.ts';
import type { LedgerLine } from './ledger-line.ts';
import { type Plan, planBatch } from './plan-batch.ts';

/** The books themselves, apart from the ledger, so that two ledgers can share them as two processes share a database. */
export class MemoryBooks implements BookState {
  readonly lines: LedgerLine[] = [];
  readonly records: JournalRecord[] = [];
  readonly quarantine = new Map<string, Uint8Array>();
  readonly checkpoints = new Map<string, string>();
  readonly #heads = new Map<string, Head>();
  readonly #scanIds = new Map<string, KnownScanId & { readonly journalSeq: number }>();
  readonly #linesByContent = new Map<string, KnownLine[]>();
  readonly #scanners = new Map<string, number>();
  readonly #serials = new Map<string, string>();

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

  lastDeltaOfSerial(facilityUuid: string, product: string, serialNumber: string): string | undefined {
    return this.#serials.get(joined(facilityUuid, product, serialNumber));
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
    for (const [facilityUuid, head] of plan.heads) this.#heads.set(facilityUuid, head);
    for (const { facilityUuid, scannerId, occurredAt } of plan.scanners) {
      this.#scanners.set(joined(facilityUuid, scannerId), occurredAt);
    }
  }

  #addLine(line: LedgerLine): void {
    this.lines.push(line);
    const product = line.ndc11 ?? line.ndc12 ?? line.gtin14 ?? '';
    if (line.serial_number !== null && line.delta !== '0') {
      this.#serials.set(joined(line.facility_uuid, product, line.serial_number), line.delta);
    }
    const known: KnownLine = {
      entry: { id: line.entry_id, facility_uuid: line.facility_uuid, line: line.line },
      claimKey: line.claim_key,
      occurredAt: line.occurred_at,
      windowMs: line.window_ms,
      ...(line.scan_uuid !== null && { scanId: line.scan_uuid }),
    };
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
    const named = records.filter((record) => (record.scan?.scan_uuid ?? record.rejection?.scan_uuid) === scanId);
    const entryIds = new Set(named.map(entryIdOf).filter((id) => id !== undefined));
    const ofPicks = [...entryIds].flatMap((id) => records.filter((record) => entryIdOf(record) === id));
    return [...ofPicks, ...named.filter((record) => record.outcome === 'rejected')];
  }

  async line(entryId: string): Promise<LedgerLine | undefined> {
    return this.#books.lines.find((line) => line.entry_id === entryId);
  }

  async quarantined(id: string): Promise<Uint8Array | undefined> {
    return this.#books.quarantine.get(id);
  }

  async checkpoint(key: string): Promise<string | undefined> {
    return this.#books.checkpoints.get(key);
  }

  async status(): Promise<LedgerStatus> {
    const committedAt = this.#books.records.at(-1)?.decided_at;
    return { kind: 'memory', bytes: 0, ...(committedAt !== undefined && { committedAt }) };
  }

  async close(): Promise<void> {}
}

function entryIdOf(record: JournalRecord): string | undefined {
  return record.entry?.id ?? record.of?.id;
}

function pageOf<T extends { facility_uuid: string }>(
  all: readonly T[],
  { facilityUuid, after = '0', limit }: PageQuery,
): Page<T> {
  const chosen = facilityUuid === undefined ? all : all.filter((item) => item.facility_uuid === facilityUuid);
  const items = chosen.slice(Number(after), Number(after) + limit);
  return { items, next: String(Number(after) + items.length) };
}

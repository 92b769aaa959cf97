/**
 * What the decisions of one batch may ask of the books, fetched at once.
 *
 * In: a transaction that holds the heads of the batch's facilities, and the batch. Out: a `BookState` in memory, which stays true until
 * the transaction ends, because nobody else can write to these facilities meanwhile. It holds the answers to the batch's own questions and
 * no others.
 */
import { type Movement, movementOf } from '../identity/movement.ts';
import type { Product } from '../scan/product.ts';
import { type BookState, emptyHead, type Head, joined, type KnownLine, type KnownScanId } from './book-state.ts';
import type { ScanTransmission, Transmission } from './ledger.ts';
import {
  askNearestLines,
  askRecords,
  askScanIds,
  askScanners,
  askSerials,
  type RowsStatement,
  withRows,
} from './postgres-statements.ts';
import type { Statements } from './postgres-watch.ts';
import { type HeadRow, headOf, type KnownLineRow, knownLine, parseRecord, type ScanIdRow } from './stored-rows.ts';

export async function prefetch(
  client: Statements,
  batch: readonly Transmission[],
  heads: readonly HeadRow[],
): Promise<BookState> {
  const scans = batch.filter((transmission) => transmission.kind === 'scan');
  const books = new PrefetchedBooks(client, heads);
  await books.fetchScanIds(scans);
  await books.fetchMovements(scans);
  await books.fetchLines(scans);
  await books.fetchSerials(scans);
  await books.fetchScanners(scans);
  return books;
}

class PrefetchedBooks implements BookState {
  readonly #client: Statements;
  readonly #heads: ReadonlyMap<string, Head>;
  readonly #scanIds = new Map<string, ScanIdRow>();
  readonly #movements = new Map<string, Movement>();
  readonly #lines = new Map<string, KnownLine[]>();
  readonly #serials = new Map<string, string>();
  readonly #scanners = new Map<string, number>();

  constructor(client: Statements, heads: readonly HeadRow[]) {
    this.#client = client;
    this.#heads = new Map(heads.map((row) => [row.facility_uuid, headOf(row)]));
  }

  head(facilityUuid: string): Head {
    return this.#heads.get(facilityUuid) ?? emptyHead;
  }

  knownScanId(facilityUuid: string, scannerId: string, scanId: string): KnownScanId | undefined {
    const row = this.#scanIds.get(joined(facilityUuid, scannerId, scanId));
    return row === undefined ? undefined : { fingerprint: row.fingerprint, line: knownLine(row) };
  }

  movement(facilityUuid: string, scannerId: string, scanId: string): Movement {
    const movement = this.#movements.get(joined(facilityUuid, scannerId, scanId));
    if (movement === undefined) throw new TypeError(`What was sent first under the scan id ${scanId} is not in the journal.`);
    return movement;
  }

  nearestLines(facilityUuid: string, content: string, occurredAt: number): readonly KnownLine[] {
    return this.#lines.get(joined(facilityUuid, content, String(occurredAt))) ?? [];
  }

  lastDeltaOfSerial(facilityUuid: string, product: Product, serialNumber: string): string | undefined {
    return this.#serials.get(serialKey(facilityUuid, product, serialNumber));
  }

  lastOccurredAt(facilityUuid: string, scannerId: string): number | undefined {
    return this.#scanners.get(joined(facilityUuid, scannerId));
  }

  async fetchScanIds(scans: readonly ScanTransmission[]): Promise<void> {
    const questions = distinct(scans, ({ scan: { facilityUuid, scannerId, scanId } }) =>
      scanId === undefined
        ? undefined
        : [joined(facilityUuid, scannerId, scanId), { facility_uuid: facilityUuid, scanner_id: scannerId, scan_uuid: scanId }],
    );
    for (const [key, row] of await this.#ask<ScanIdRow>(askScanIds, questions)) this.#scanIds.set(key, row);
  }

  /** Only of the ids that come with another content now. */
  async fetchMovements(scans: readonly ScanTransmission[]): Promise<void> {
    const questions = distinct(scans, ({ scan: { facilityUuid, scannerId, scanId = '' }, identity }) => {
      const key = joined(facilityUuid, scannerId, scanId);
      const known = this.#scanIds.get(key);
      const same = known === undefined || known.fingerprint === identity.fingerprint;
      return same ? undefined : [key, { facility_uuid: facilityUuid, seq: known.journal_seq }];
    });
    for (const [key, row] of await this.#ask<{ record: string }>(askRecords, questions)) {
      const { scan } = parseRecord(row.record);
      if (scan !== undefined) this.#movements.set(key, movementOf(scan));
    }
  }

  async fetchLines(scans: readonly ScanTransmission[]): Promise<void> {
    const questions = distinct(scans, ({ scan: { facilityUuid, occurredAt }, identity: { content } }) => [
      joined(facilityUuid, content, String(occurredAt)),
      { facility_uuid: facilityUuid, identity: content, occurred_at: occurredAt },
    ]);
    for (const [key, row] of await this.#ask<KnownLineRow>(askNearestLines, questions)) {
      this.#lines.set(key, [...(this.#lines.get(key) ?? []), knownLine(row)]);
    }
  }

  async fetchSerials(scans: readonly ScanTransmission[]): Promise<void> {
    const questions = distinct(scans, ({ scan: { facilityUuid, product, serialNumber } }) => {
      if (serialNumber === undefined) return undefined;
      const { ndc12 = null, gtin14 = null } = product;
      const question = { facility_uuid: facilityUuid, ndc12, gtin14, serial_number: serialNumber };
      return [serialKey(facilityUuid, product, serialNumber), question];
    });
    for (const [key, row] of await this.#ask<{ delta: string }>(askSerials, questions)) this.#serials.set(key, row.delta);
  }

  async fetchScanners(scans: readonly ScanTransmission[]): Promise<void> {
    const questions = distinct(scans, ({ scan: { facilityUuid, scannerId } }) => [
      joined(facilityUuid, scannerId),
      { facility_uuid: facilityUuid, scanner_id: scannerId },
    ]);
    for (const [key, row] of await this.#ask<{ last_occurred_at: number }>(askScanners, questions)) {
      this.#scanners.set(key, row.last_occurred_at);
    }
  }
  /** Rows under the keys of their questions. Nothing is sent when there is no question. */
  async #ask<Answer, Question extends object = object>(
    statement: RowsStatement<Question>,
    questions: ReadonlyMap<string, Question>,
  ): Promise<[string, Answer][]> {
    if (questions.size === 0) return [];
    const keys = [...questions.keys()];
    const { rows } = await this.#client.query<Answer & { readonly n: number }>(withRows(statement, [...questions.values()]));
    return rows.map((row) => [keys[row.n - 1] ?? '', row]);
  }
}

/** Each question once, under a key of its own; a scan may ask none. */
function distinct<Question>(
  scans: readonly ScanTransmission[],
  questionOf: (scan: ScanTransmission) => readonly [string, Question] | undefined,
): Map<string, Question> {
  return new Map(scans.map(questionOf).filter((question) => question !== undefined));
}

/** One package can be known by its NDC at one time and by its GTIN at another. */
function serialKey(facilityUuid: string, { ndc12 = '', gtin14 = '' }: Product, serialNumber: string): string {
  return joined(facilityUuid, ndc12, gtin14, serialNumber);
}

import { canonicalJson } from '../../../../src/base/canonical-json.ts';
import { sha256Hex } from '../../../../src/base/digest.ts';
import { defaultScannerClass, type ScannerClass } from '../../../../src/identity/scanner-class.ts';
import type { JournalRecord } from '../../../../src/ledger/journal-record.ts';
import type { Decision } from '../../../../src/ledger/ledger.ts';
import { MemoryBooks, MemoryLedger } from '../../../../src/ledger/memory-ledger.ts';
import type { RecordedScan } from '../../../../src/scan/recorded-scan.ts';
import { checkHistory } from '../../../../src/testing/checker/check-history.ts';
import type { ViolationKind } from '../../../../src/testing/checker/judgement.ts';
import type { AnsweredEvent, HistoryEvent, RunEvent, ScanEvent, SentEvent } from '../../../../src/testing/history.ts';
import { lineEvent } from '../../../../src/testing/line-event.ts';
import { facilityA, noon, transmission, type WireChanges, wireScan } from '../../../../src/testing/wire-scans.ts';

export const product = '00093721410';

/** A run with the ledger in memory. Its trigger, its clients and its clock are the test's. Instants are ms after noon. */
export class SmallRun {
  readonly events: HistoryEvent[];
  readonly #books = new MemoryBooks();
  readonly #ledger: MemoryLedger;
  readonly #scannerClass: ScannerClass;

  constructor(run: Partial<RunEvent> = {}, scannerClass: Partial<ScannerClass> = {}) {
    let ids = 0;
    this.#ledger = new MemoryLedger(
      this.#books,
      { nowMs: () => noon },
      { uuid: () => `00000000-0000-7000-8000-${String(ids++).padStart(12, '0')}` },
    );
    this.#scannerClass = { ...defaultScannerClass, ...scannerClass };
    const whole = { system: 'scangate', seed: 1, window_ms: 3_000, review_gap_ms: 400, has_journal: true, command: 'none' };
    this.events = [{ kind: 'run', v: 1, ...whole, ...run }];
  }

  /** A trigger is pulled, and the device knows when, unless the truth is said to be another. */
  pull(scan: string, pulledMs: number, truth: Partial<ScanEvent> = {}): ScanEvent {
    const event: ScanEvent = {
      kind: 'scan',
      scan,
      facility_uuid: facilityA,
      scanner_id: 'SCN-04',
      pulled_at: noon + pulledMs,
      device_at: noon + pulledMs,
      content: 'A1207',
      scan_uuids: [],
      distinct_ids: 'ignore',
      readable: true,
      product,
      delta: '-1',
      moved: { scan_type: 'dispense', quantity: '1', unit: 'EA', lot_number: truth.content ?? 'A1207' },
      ...truth,
    };
    this.events.push(event);
    return event;
  }

  /** As `pull`, of a device that says no time. */
  pullWithoutTime(scan: string, pulledMs: number, truth: Partial<ScanEvent> = {}): ScanEvent {
    const { device_at: _, ...event } = this.pull(scan, pulledMs, truth);
    this.events[this.events.length - 1] = event;
    return event;
  }

  /** What a scan is on the wire, as its device sends it in this transmission. */
  wire(scan: ScanEvent, name: string, changes: WireChanges = {}): WireChanges {
    const [scanUuid] = scan.scan_uuids;
    return wireScan(0, {
      facility_uuid: scan.facility_uuid,
      scanner_id: scan.scanner_id,
      lot_number: scan.content,
      captured_at: scan.device_at,
      scan_uuid: scanUuid,
      actor: name,
      ...changes,
    });
  }

  /** It leaves the client, and nothing comes back. */
  sent(scan: ScanEvent, name: string, sentMs: number, wire: unknown, sent: Partial<SentEvent> = {}): void {
    const sha256 = sha256Hex(JSON.stringify(wire));
    this.events.push({
      kind: 'sent',
      transmission: name,
      scan: scan.scan,
      worker: 'w1',
      sent_at: noon + sentMs,
      sha256,
      ...sent,
    });
  }

  /** The ledger decides it, and nobody is told. */
  async decide(wire: unknown, receivedMs: number): Promise<Decision> {
    const [decision] = await this.#ledger.append([transmission(wire, { receivedMs, scannerClass: this.#scannerClass })]);
    if (decision === undefined) throw new Error('The ledger gave no decision.');
    return decision;
  }

  /** A whole transmission: sent, decided, answered. */
  async send(
    scan: ScanEvent,
    name: string,
    sentMs: number,
    changes: WireChanges = {},
    sent: Partial<SentEvent> = {},
  ): Promise<AnsweredEvent> {
    const wire = this.wire(scan, name, changes);
    this.sent(scan, name, sentMs, wire, sent);
    const decision = await this.decide(wire, sentMs);
    const answer: AnsweredEvent = {
      kind: 'answered',
      transmission: name,
      answered_at: noon + sentMs,
      outcome: decision.outcome,
      ...(decision.outcome === 'committed' && { entry_id: decision.entry.id }),
      ...((decision.outcome === 'suppressed' || decision.outcome === 'conflict') && { entry_id: decision.of.id }),
      ...(decision.outcome === 'rejected' && { quarantine_id: decision.quarantineId }),
      is_heard: true,
    };
    this.events.push(answer);
    return answer;
  }

  /** The whole history, with what the books hold at the end. */
  end(): HistoryEvent[] {
    const lines = this.#books.lines.map(lineEvent);
    const [run] = this.events;
    if (run?.kind === 'run' && !run.has_journal) return [...this.events, ...lines];
    const records = this.#books.records.map((record): HistoryEvent => ({ kind: 'record', record }));
    const facilities = [...new Set(this.#books.records.map((record) => record.facility_uuid))];
    const heads = facilities.map((facility_uuid): HistoryEvent => {
      const { lastSeq, lastLine, hash } = this.#books.head(facility_uuid);
      return { kind: 'head', facility_uuid, seq: lastSeq, line: lastLine, hash };
    });
    const quarantined = [...this.#books.quarantine].map(
      ([id, bytes]): HistoryEvent => ({ kind: 'quarantined', quarantine_id: id, sha256: sha256Hex(bytes) }),
    );
    return [...this.events, ...lines, ...records, ...quarantined, ...heads];
  }
}

/** Of each kind that can be met in a fleet, one or two; nothing is wrong with it. */
export async function soundHistory(run: Partial<RunEvent> = {}): Promise<HistoryEvent[]> {
  const made = new SmallRun(run);
  const retried = made.pull('s1', 0);
  await made.send(retried, 't1', 100, {}, { order: 1 });
  await made.send(retried, 't2', 700, {}, { worker: 'w2' });
  const identified = made.pull('s2', 5_000, { scan_uuids: ['A'], content: 'B9' });
  await made.send(identified, 't3', 5_100, {}, { order: 2 });
  await made.send(identified, 't4', 90_000);
  const nextInWindow = made.pull('s3', 12_000);
  await made.send(nextInWindow, 't5', 12_100, {}, { order: 3 });
  await made.send(made.pull('s4', 13_000), 't6', 13_100, {}, { order: 4 });
  const damaged = made.pull('s5', 20_000, { readable: false });
  await made.send(damaged, 't7', 20_100, { quantity: 'one' });
  await made.send(made.pull('s6', 60_000, { content: 'C3' }), 't8', 60_100);
  made.events.push({ kind: 'fault', fault: 'partition', target: 'w1', at: noon, until: noon + 1 });
  return made.end();
}

/** The record that a person writes who discards what was rejected, for each of these records that rejects something. */
export function discarded(records: readonly JournalRecord[]): JournalRecord[] {
  return records.flatMap(({ facility_uuid, rejection }) => {
    if (rejection === undefined) return [];
    const resolves = { quarantine_id: rejection.quarantine_id, actor: 'J. Doe', reason: 'damaged label' };
    const body = { transport: 'quarantine', outcome: 'discarded', flags: [], resolves } as const;
    return [{ v: 1, facility_uuid, seq: 0, decided_at: noon, ...body }];
  });
}

/** One record changed, and the chain made whole again. */
export function forgedOne(
  events: readonly HistoryEvent[],
  transmission: string,
  change: (record: JournalRecord) => JournalRecord,
): HistoryEvent[] {
  return forged(events, (records) => records.map((record) => (record.scan?.actor === transmission ? change(record) : record)));
}

/** The scan of one record changed, as `forgedOne`. */
export function forgedScan(events: readonly HistoryEvent[], transmission: string, change: Partial<RecordedScan>): HistoryEvent[] {
  return forgedOne(events, transmission, (record) => ({
    ...record,
    ...(record.scan && { scan: { ...record.scan, ...change } }),
  }));
}

/** The records of a history changed, numbered and chained anew, as by somebody who can write the whole journal. */
export function forged(
  events: readonly HistoryEvent[],
  change: (records: readonly JournalRecord[]) => readonly JournalRecord[],
): HistoryEvent[] {
  const records = change(events.flatMap((event) => (event.kind === 'record' ? [event.record] : [])));
  const seqOf = (entryId: string): number => records.findIndex(({ entry }) => entry?.id === entryId) + 1;
  let hash = '0'.repeat(64);
  const chained = records.map((record, index): HistoryEvent => {
    const numbered = { ...record, seq: index + 1 };
    hash = sha256Hex(hash + canonicalJson(numbered));
    return { kind: 'record', record: numbered };
  });
  const heads = events.map((event) => {
    if (event.kind === 'head') return { ...event, seq: chained.length, hash };
    return event.kind === 'line' ? { ...event, journal_seq: seqOf(event.entry_id) } : event;
  });
  return [
    ...heads.filter(({ kind }) => kind !== 'record' && kind !== 'head'),
    ...chained,
    ...heads.filter(({ kind }) => kind === 'head'),
  ];
}

/** The first event of a kind that fits, changed. */
export function withChanged<Kind extends HistoryEvent['kind']>(
  events: readonly HistoryEvent[],
  kind: Kind,
  fits: (event: Extract<HistoryEvent, { kind: Kind }>) => boolean,
  change: (event: Extract<HistoryEvent, { kind: Kind }>) => readonly HistoryEvent[],
): HistoryEvent[] {
  const isOne = (event: HistoryEvent): event is Extract<HistoryEvent, { kind: Kind }> => event.kind === kind;
  const at = events.findIndex((event) => isOne(event) && fits(event));
  const found = events[at];
  if (found === undefined || !isOne(found)) throw new Error(`There is no such ${kind}.`);
  return [...events.slice(0, at), ...change(found), ...events.slice(at + 1)];
}

/** The kinds that the checker names, sorted. */
export function named(events: readonly HistoryEvent[]): ViolationKind[] {
  return [...new Set(checkHistory(events).violations.map(({ kind }) => kind))].sort();
}

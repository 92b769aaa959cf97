/**
 * Journal and book, as they say of themselves that they are: every hash is computed again, every number follows the one before, every
 * line is what its record says, and every reference leads to a line that a record before it committed.
 *
 * In: records in the order of the journal, heads, and at the end the lines. Nothing is believed because the ledger's own audit says so.
 */
import { canonicalJson } from '../../base/canonical-json.ts';
import { groupBy } from '../../base/group-by.ts';
import type { EntryRef } from '../../ledger/entry-ref.ts';
import { chainHash, genesisHash } from '../../ledger/hash-chain.ts';
import type { JournalRecord } from '../../ledger/journal-record.ts';
import { type LedgerLine, lineOf } from '../../ledger/ledger-line.ts';
import type { HeadEvent, LineEvent } from '../history.ts';
import type { Findings } from './judgement.ts';
import { type KnownLine, namedLine } from './known-history.ts';

/** What a committed record says its line is. */
export type Committed = Pick<
  LedgerLine,
  'facility_uuid' | 'line' | 'entry_id' | 'claim_key' | 'scan_uuid' | 'occurred_at' | 'delta' | 'actor' | 'journal_seq'
> & { readonly product: string };

interface Chain {
  seq: number;
  hash: string;
}

export class JournalCheck {
  readonly #findings: Findings;
  readonly #chains = new Map<string, Chain>();
  readonly #heads = new Map<string, HeadEvent>();
  /** By entry id. */
  readonly #committed = new Map<string, Committed>();
  readonly #picks = new Set<string>();
  /** What was rejected, by quarantine id, and whether a person has released or discarded it. */
  readonly #quarantine = new Map<string, { isResolved: boolean }>();
  readonly #resolutions: JournalRecord[] = [];
  recordCount = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  record(record: JournalRecord): void {
    this.recordCount += 1;
    this.#link(record);
    if (record.outcome === 'committed') this.#commit(record);
    else if (record.outcome === 'suppressed' || record.outcome === 'conflict') this.#checkReference(record);
    if (record.rejection !== undefined) this.#quarantine.set(record.rejection.quarantine_id, { isResolved: false });
    if (record.resolves !== undefined || record.transport === 'quarantine') this.#resolutions.push(record);
  }

  head(head: HeadEvent): void {
    if (this.#heads.has(head.facility_uuid)) this.#break(`${head.facility_uuid} has two heads.`);
    this.#heads.set(head.facility_uuid, head);
  }

  /** The line that an entry is by the records so far. */
  committed(entryId: string | undefined): Committed | undefined {
    return entryId === undefined ? undefined : this.#committed.get(entryId);
  }

  end(lines: ReadonlyMap<string, KnownLine>): void {
    for (const [entryId, committed] of this.#committed) {
      if (!lines.has(entryId)) this.#break(`${namedRecord(committed)} committed the entry ${entryId}, which is no line.`);
    }
    for (const record of this.#resolutions) this.#checkResolution(record);
    for (const { line, scan } of lines.values()) this.#checkLine(line, scan?.truth.scan);
    const byFacility = groupBy(lines.values(), ({ line }) => line.facility_uuid);
    for (const facility of new Set([...this.#chains.keys(), ...byFacility.keys(), ...this.#heads.keys()])) {
      const numbers = (byFacility.get(facility) ?? []).map(({ line }) => line.line ?? 0).sort((a, b) => a - b);
      const gap = numbers.findIndex((number, index) => number !== index + 1);
      if (gap >= 0) this.#break(`The lines of ${facility} are not numbered without a gap: there is no line ${gap + 1}.`);
      this.#checkHead(facility, numbers.length);
    }
  }

  #link(record: JournalRecord): void {
    const { facility_uuid, seq } = record;
    const chain = this.#chains.get(facility_uuid) ?? { seq: 0, hash: genesisHash };
    if (seq !== chain.seq + 1) this.#break(`Record ${seq} of ${facility_uuid} follows record ${chain.seq}.`);
    this.#chains.set(facility_uuid, { seq, hash: chainHash(chain.hash, canonicalJson(record)) });
  }

  #commit(record: JournalRecord): void {
    const committed = committedBy(record);
    if (committed === undefined) this.#break(`Record ${record.seq} of ${record.facility_uuid} is committed, and says no line.`);
    else if (this.#committed.has(committed.entry_id))
      this.#break(`${namedRecord(committed)} commits the entry ${committed.entry_id} again.`);
    else this.#committed.set(committed.entry_id, committed);
    if (committed === undefined) return;
    if (this.#picks.has(committed.claim_key)) this.#break(`${namedRecord(committed)} commits a pick that was committed before.`);
    this.#picks.add(committed.claim_key);
    if (record.entry?.facility_uuid !== record.facility_uuid)
      this.#break(`${namedRecord(committed)} commits an entry of ${record.entry?.facility_uuid ?? 'no facility'}.`);
  }

  /** What was rejected can be released or discarded once. */
  #checkResolution(record: JournalRecord): void {
    const id = record.resolves?.quarantine_id;
    const rejected = id === undefined ? undefined : this.#quarantine.get(id);
    const named = `Record ${record.seq} of ${record.facility_uuid}`;
    if (rejected === undefined) this.#break(`${named} releases ${id ?? 'nothing'}, which was not in quarantine.`);
    else if (rejected.isResolved) this.#break(`${named} releases ${id}, which was released or discarded before.`);
    else rejected.isResolved = record.outcome !== 'conflict';
  }

  #checkReference({ facility_uuid, seq, outcome, of, claim_key }: JournalRecord): void {
    const line = this.committed(of?.id);
    if (line === undefined || !isOf(line, of) || line.facility_uuid !== facility_uuid)
      this.#break(`Record ${seq} of ${facility_uuid} is ${outcome} for a line that no record before it committed.`);
    else if (line.claim_key !== claim_key)
      this.#break(`Record ${seq} of ${facility_uuid} names another pick than the line it refers to.`);
  }

  #checkLine(line: LineEvent, scan: string | undefined): void {
    const committed = this.#committed.get(line.entry_id);
    if (committed === undefined) {
      this.#findings.add('broken_chain', `${namedLine(line)} was committed by no record.`, scan);
      return;
    }
    const differing = differencesOf(line, committed);
    if (differing.length > 0) {
      const message = `${namedLine(line)} is not what record ${committed.journal_seq} says: ${differing.join(', ')}.`;
      this.#findings.add('broken_chain', message, scan);
    }
  }

  #checkHead(facility: string, lines: number): void {
    const head = this.#heads.get(facility);
    const { seq, hash } = this.#chains.get(facility) ?? { seq: 0, hash: genesisHash };
    if (head === undefined) this.#break(`${facility} has no head.`);
    else if (head.seq !== seq) this.#break(`The journal of ${facility} ends at ${seq}, its head says ${head.seq}.`);
    else if (head.hash !== hash) this.#break(`The records of ${facility} do not give the hash of its head.`);
    else if (head.line !== lines) this.#break(`${facility} has ${lines} lines, its head says ${head.line}.`);
  }

  #break(message: string): void {
    this.#findings.add('broken_chain', message);
  }
}

/** Nothing where the record is damaged: it can be of any shape. */
function committedBy(record: JournalRecord): Committed | undefined {
  try {
    const { facility_uuid, line, entry_id, claim_key, scan_uuid, occurred_at, delta, actor, journal_seq, ...of } = lineOf(record);
    const product = of.ndc11 ?? of.ndc12 ?? of.gtin14 ?? '';
    return { facility_uuid, line, entry_id, claim_key, scan_uuid, occurred_at, delta, actor, journal_seq, product };
  } catch {
    return undefined;
  }
}

function isOf(line: Committed, of: EntryRef | undefined): boolean {
  return of !== undefined && line.line === of.line && line.facility_uuid === of.facility_uuid;
}

function differencesOf(line: LineEvent, committed: Committed): string[] {
  const pairs = [
    ['facility_uuid', line.facility_uuid, committed.facility_uuid],
    ['line', line.line, committed.line],
    ['transmission', line.transmission, committed.actor],
    ['occurred_at', line.occurred_at, committed.occurred_at],
    ['product', line.product, committed.product],
    ['delta', line.delta, committed.delta],
    ['journal_seq', line.journal_seq ?? committed.journal_seq, committed.journal_seq],
  ] as const;
  return pairs
    .filter(([, said, expected]) => said !== expected)
    .map(([name, said, expected]) => `${name} is ${said}, not ${expected}`);
}

function namedRecord({ facility_uuid, journal_seq }: Committed): string {
  return `Record ${journal_seq} of ${facility_uuid}`;
}

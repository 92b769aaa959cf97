/**
 * Book and journal of a ledger, read beside those who write to it, and added up.
 *
 * The lines are read to their end, then the records, then of each facility the lines that came meanwhile, as far as their records were
 * read: so both are as of one moment for each facility, whoever writes, and a line that has no record, or a record that has no line, stands out.
 */
import type { JournalRecord } from '../ledger/journal-record.ts';
import type { LedgerReader, Page, PageQuery } from '../ledger/ledger.ts';
import { type LedgerLine, lineOf } from '../ledger/ledger-line.ts';
import type { Days } from './days.ts';
import { type Movement, Tallies } from './tallies.ts';

const pageRows = 1_000;

export interface ReadBooks {
  readonly journal: Tallies;
  readonly ledger: Tallies;
  readonly records: number;
  readonly lines: number;
  /** Committed records that no line can be derived from: damage, which `verify` names. */
  readonly unreadable: number;
}

/** @param onLine is given every line of the ledger. */
export async function readBooks(
  reader: Pick<LedgerReader, 'lines' | 'records'>,
  days: Days,
  onLine: (line: LedgerLine) => void = () => undefined,
): Promise<ReadBooks> {
  const journal = new Tallies();
  const ledger = new Tallies();
  const counts = { records: 0, lines: 0, unreadable: 0 };
  const addLine = (line: LedgerLine): void => {
    counts.lines += 1;
    ledger.add(movementOf(line, days));
    onLine(line);
  };
  const lastLines = new Map<string, number>();
  await eachOf(
    (query) => reader.lines(query),
    (line) => {
      lastLines.set(line.facility_uuid, line.line);
      addLine(line);
    },
  );
  const lastSeqs = new Map<string, number>();
  await eachOf(
    (query) => reader.records(query),
    (record) => {
      counts.records += 1;
      lastSeqs.set(record.facility_uuid, record.seq);
      if (record.outcome !== 'committed') return;
      const movement = movementOfRecord(record, days);
      if (movement === undefined) counts.unreadable += 1;
      else journal.add(movement);
    },
  );
  for (const [facilityUuid, lastSeq] of lastSeqs) {
    // The cursor of one facility is the number of a line, and is never held back by who writes to another.
    const after = String(lastLines.get(facilityUuid) ?? 0);
    await eachOf(
      (query) => reader.lines({ ...query, facilityUuid }),
      (line) => {
        if (line.journal_seq <= lastSeq) addLine(line);
      },
      after,
    );
  }
  return { journal, ledger, ...counts };
}

export function movementOf(line: LedgerLine, days: Days): Movement {
  const { facility_uuid, lot_number, unit, delta } = line;
  const name = line.reference ?? line.serial_number;
  const cell = {
    facility_uuid,
    product: productOfLine(line),
    lot_number: lot_number ?? '',
    unit,
    day: days.of(line.occurred_at),
  };
  return { cell, delta, ...(name !== null && { name }) };
}

export function productOfLine({ ndc11, ndc12, gtin14 }: Pick<LedgerLine, 'ndc11' | 'ndc12' | 'gtin14'>): string {
  return ndc11 ?? ndc12 ?? gtin14 ?? '';
}

/** A damaged record can be of any shape. */
function movementOfRecord(record: JournalRecord, days: Days): Movement | undefined {
  try {
    return movementOf(lineOf(record), days);
  } catch {
    return undefined;
  }
}

async function eachOf<T>(read: (query: PageQuery) => Promise<Page<T>>, use: (item: T) => void, from = '0'): Promise<void> {
  for (let after = from; ; ) {
    const { items, next } = await read({ after, limit: pageRows });
    for (const item of items) use(item);
    // A page that is not full is the end as of now: beside busy writers there would be no other.
    if (items.length < pageRows || next === after) return;
    after = next;
  }
}

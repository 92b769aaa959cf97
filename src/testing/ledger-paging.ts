import { deepEqual, equal } from 'node:assert/strict';
import type { Page, PageQuery } from '../ledger/ledger.ts';
import type { Promised } from './contract-case.ts';
import type { LedgerPair } from './ledger-pair.ts';
import { facilityA, facilityB, rejectionAt, scanAt, wireScan } from './wire-scans.ts';

type Read<T> = (query: PageQuery) => Promise<Page<T>>;

/** Reads page by page until there is nothing new and nobody writes any more. */
async function readAlong<T>(read: Read<T>, query: PageQuery, stillWriting: () => boolean): Promise<T[]> {
  const got: T[] = [];
  let after: string | undefined;
  for (;;) {
    const last = !stillWriting();
    const page = await read({ ...query, ...(after !== undefined && { after }) });
    got.push(...page.items);
    after = page.next;
    if (page.items.length === 0 && last) return got;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Two facilities in turn; each scan a content of its own, each followed by one duplicate. */
const scansOf = (index: number) => {
  const facility_uuid = index % 2 === 0 ? facilityA : facilityB;
  const { lot_number = '' } = wireScan(0, { lot_number: `L${index}` });
  return [scanAt(index, { facility_uuid, lot_number }), scanAt(index, { facility_uuid, lot_number })];
};

/** A cursor never skips what was committed later. */
export const paging: Promised<LedgerPair> = {
  async 'pages give every line and every record once, in the order in which they were committed'({ first, second }) {
    for (const index of [0, 1, 2, 3, 4]) await first.append([...scansOf(index), rejectionAt(index)]);
    const read = async <T>(from: Read<T>, query: PageQuery): Promise<T[]> => readAlong(from, query, () => false);
    const lines = await read((query) => second.lines(query), { limit: 2 });
    deepEqual(
      lines.map(({ lot_number }) => lot_number),
      ['L0', 'L1', 'L2', 'L3', 'L4'],
    );
    const ofB = await read((query) => second.lines(query), { limit: 1, facilityUuid: facilityB });
    deepEqual(
      ofB.map(({ lot_number }) => lot_number),
      ['L1', 'L3'],
    );
    const records = await read((query) => second.records(query), { limit: 4 });
    equal(records.length, 15);
    const ofA = await read((query) => second.records(query), { limit: 4, facilityUuid: facilityA });
    deepEqual(
      ofA.map(({ seq }) => seq),
      upTo(11),
    );
  },

  async 'the cursor of an empty page is the one that was given, and goes on from there'({ first, second }) {
    const before = await first.records({ limit: 10 });
    deepEqual(before.items, []);
    await first.append(scansOf(0));
    const { next, items } = await second.records({ limit: 10, after: before.next });
    equal(items.length, 2);
    deepEqual(await second.records({ limit: 10, after: next }), { items: [], next });
    await first.append(scansOf(2));
    deepEqual(
      (await second.records({ limit: 10, after: next, facilityUuid: facilityA })).items.map(({ seq }) => seq),
      [3, 4],
    );
  },

  async 'who reads while two instances commit sees everything exactly once'({ first, second }) {
    let writing = 2;
    const write = async (ledger: typeof first, indexes: readonly number[]): Promise<void> => {
      for (const index of indexes) await ledger.append(scansOf(index));
      writing -= 1;
    };
    const stillWriting = (): boolean => writing > 0;
    const [records, lines, recordsOfA, linesOfB] = await Promise.all([
      readAlong((query) => first.records(query), { limit: 3 }, stillWriting),
      readAlong((query) => second.lines(query), { limit: 3 }, stillWriting),
      readAlong((query) => second.records(query), { limit: 3, facilityUuid: facilityA }, stillWriting),
      readAlong((query) => first.lines(query), { limit: 3, facilityUuid: facilityB }, stillWriting),
      write(first, upTo(40)),
      write(
        second,
        upTo(40).map((index) => 40 + index),
      ),
    ]);
    equal(records.length, 160);
    equal(new Set(records.map(({ facility_uuid, seq }) => `${facility_uuid} ${seq}`)).size, 160);
    equal(new Set(lines.map(({ entry_id }) => entry_id)).size, 80);
    equal(lines.length, 80);
    deepEqual(
      recordsOfA.map(({ seq }) => seq),
      upTo(80),
    );
    deepEqual(
      linesOfB.map(({ line }) => line),
      upTo(40),
    );
  },
};

import { expect, test } from 'vitest';
import { MemoryLedger } from '../../../src/ledger/memory-ledger.ts';
import { compareTallies } from '../../../src/records/compare-tallies.ts';
import { Days } from '../../../src/records/days.ts';
import { readBooks } from '../../../src/records/read-books.ts';
import { facilityB, scanAt } from '../../../src/testing/wire-scans.ts';

const days = new Days('UTC');

test('lines that are committed while the books are read are counted with their records, or not at all', async () => {
  const ledger = new MemoryLedger();
  await ledger.append([scanAt(0), scanAt(10_000), scanAt(0, { facility_uuid: facilityB })]);
  let asked = 0;
  const reader = {
    records: ledger.records.bind(ledger),
    async lines(query: Parameters<typeof ledger.lines>[0]) {
      const page = await ledger.lines(query);
      asked += 1;
      // After the first reading of the lines, and again after the records were read.
      await ledger.append([scanAt(asked * 100_000), scanAt(asked * 100_000, { facility_uuid: `new-${asked}` })]);
      return page;
    },
  };
  const read = await readBooks(reader, days);
  expect(asked).toBeGreaterThan(3);
  expect(read.lines).toBe(read.records);
  expect(compareTallies(read.ledger, read.journal, days, 'the journal')).toEqual([]);
});

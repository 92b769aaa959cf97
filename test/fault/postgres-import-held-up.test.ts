/**
 * An import that is gone on with while another writer, which began before its last rows, has not committed yet: those rows are
 * committed, and no page over all facilities shows them.
 */
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ScanGateError } from '../../src/base/errors.ts';
import { type ImportOptions, type ImportSummary, importFile } from '../../src/ingest/file/import-file.ts';
import type { Decision, Ledger } from '../../src/ledger/ledger.ts';
import type { PostgresLedger } from '../../src/ledger/postgres-ledger.ts';
import { facilityA, facilityB, scanAt } from '../../src/testing/wire-scans.ts';
import { countsOf, fileOf, gateOn, meaningOf } from '../integration/import-setup.ts';
import { breaksIn } from '../support/postgres-audit.ts';
import { type Books, startBooks } from '../support/postgres-books.ts';
import { type HeldCommits, heldCommitsOf } from '../support/postgres-held-commits.ts';

let newBooks: () => Promise<Books>;
let books: Books;
let ledger: PostgresLedger;
let commits: HeldCommits;

beforeAll(async () => {
  const started = await startBooks();
  newBooks = started.newBooks;
  commits = await heldCommitsOf(started.server, facilityB);
});

beforeEach(async () => {
  books = await newBooks();
  ledger = await books.open({ lockMs: 60_000 });
});

afterEach(() => commits.release());

/** Six rows, of which the second and the third are one scan, and the fourth is none. */
const log = [
  'scan_uuid,gtin,lot_number',
  'ev-1,312345678906,L1',
  'ev-2,312345678906,L2',
  'ev-2,312345678906,L2',
  'ev-4,nothing,L4',
  'ev-5,312345678906,L5',
  'ev-6,312345678906,L6',
  '',
].join('\n');

function run(path: string, over: Ledger, limits: ImportOptions['limits'] = {}): Promise<ImportSummary> {
  const constants = { facility_uuid: facilityA, scanner_id: 'S1', scan_type: 'dispense' };
  const meaning = meaningOf(path, { constants });
  return importFile({ path, meaning, ...gateOn(over), limits: { rowsPerTransaction: 2, busyRetryMs: 1, ...limits } });
}

/** The ledger, of which something is done in another way. */
function ledgerThat(changes: Partial<Ledger>): Ledger {
  return Object.assign(Object.create(ledger) as Ledger, {
    append: (...batch: Parameters<Ledger['append']>) => ledger.append(...batch),
    records: (query: Parameters<Ledger['records']>[0]) => ledger.records(query),
    checkpoint: (key: string) => ledger.checkpoint(key),
    ...changes,
  });
}

/** An import whose process dies after its second transaction, while a batch for facility B that began before it is not committed. */
async function stoppedImport(): Promise<{ readonly path: string; readonly open: Promise<readonly Decision[]> }> {
  await ledger.append([scanAt(0, { facility_uuid: facilityB, lot_number: 'before' })]);
  await commits.hold();
  const open = ledger.append([scanAt(0, { facility_uuid: facilityB, lot_number: 'open' })]);
  await commits.untilHeld();
  const path = fileOf('log.csv', log);
  let transactions = 0;
  const dying = ledgerThat({
    append: async (...batch) => {
      const decisions = await ledger.append(...batch);
      transactions += 1;
      if (transactions === 2) throw new ScanGateError('SG_LEDGER_FAILED', 'The power failed.');
      return decisions;
    },
  });
  await expect(run(path, dying)).rejects.toMatchObject({ code: 'SG_LEDGER_FAILED' });
  return { path, open };
}

test('is gone on with as soon as the other writer has committed, and counts every row once', async () => {
  const { path, open } = await stoppedImport();
  let asked = 0;
  const counting = ledgerThat({
    records: async (query) => {
      asked += 1;
      // It was found held up twice, and is asked a third time.
      if (asked === 3) await commits.release().then(() => open);
      return ledger.records(query);
    },
  });
  const summary = await run(path, counting);
  expect(countsOf(summary)).toEqual([6, 4, 1, 0, 1]);
  expect(summary.resumed_at_line).toBe(6);
  expect(asked).toBe(3);
  const { items } = await ledger.lines({ limit: 10, facilityUuid: facilityA });
  expect(items.map(({ scan_uuid }) => scan_uuid)).toEqual(['ev-1', 'ev-2', 'ev-5', 'ev-6']);
  expect(await breaksIn(books)).toEqual([]);
});

test('is refused for now, not as damage, where the other writer takes too long, and gone on with later', async () => {
  const { path, open } = await stoppedImport();
  await expect(run(path, ledger, { busyRetriesMax: 3 })).rejects.toMatchObject({
    code: 'SG_LEDGER_BUSY',
    retryable: true,
    message: 'Another writer holds up the journal, of which 0 of the 2 rows of the last checkpoint of this import can be read.',
  });
  await commits.release();
  await open;
  expect(countsOf(await run(path, ledger))).toEqual([6, 4, 1, 0, 1]);
});

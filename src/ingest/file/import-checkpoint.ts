/**
 * How far an import has come: written by the ledger in the transaction of the rows it speaks of, so it is never ahead of them or
 * behind.
 *
 * It is composed before that transaction is decided, so it counts what came before; what became of its own rows is in the journal,
 * and `outcomesOfLastRows` finds it there.
 */
import { canonicalJson } from '../../base/canonical-json.ts';
import { sha256Hex } from '../../base/digest.ts';
import { ScanGateError } from '../../base/errors.ts';
import type { JournalRecord } from '../../ledger/journal-record.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import type { CountedOutcome, ImportCounts } from './import-counts.ts';
import type { FileMeaning } from './import-options.ts';
import type { RejectedRow } from './rejected-list.ts';

export interface ImportCheckpoint {
  readonly v: 1;
  readonly done: boolean;
  /** The line on which the last row of the transaction begins. */
  readonly line: number;
  /** Rows before those of the transaction. */
  readonly counts: ImportCounts;
  /** Rows of the transaction. */
  readonly rows: number;
  /** When they were received, epoch ms. */
  readonly received_at: number;
  /** How long the list of rejected rows was before them. */
  readonly rejected_bytes: number;
  /** A cursor of the journal that lies before them; its beginning when left out. */
  readonly journal_after?: string;
}

/** Names one meaning of one content: under another option, or with a byte changed, it is another import. */
export function checkpointKey(fileDigest: string, meaning: FileMeaning): string {
  const { encoding = null, delimiter = null, zone = null } = meaning;
  return `import:${sha256Hex(canonicalJson({ ...meaning, encoding, delimiter, zone, file: fileDigest }))}`;
}

/** The checkpoint of a run that did not finish. */
export function unfinished(value: string | undefined): ImportCheckpoint | undefined {
  const checkpoint = value === undefined ? undefined : (JSON.parse(value) as ImportCheckpoint);
  return checkpoint?.v === 1 && !checkpoint.done ? checkpoint : undefined;
}

export interface LastRows {
  readonly outcomes: readonly RowOutcome[];
  /** The end of the journal. */
  readonly journalAfter: string;
}

/** With the reason of a rejection. */
export type RowOutcome = CountedOutcome & { readonly rejection?: RejectedRow['rejection'] };

const pageRecords = 1_000;

/** How long a journal is waited for that another writer holds up. */
export interface Patience {
  readonly retriesMax: number;
  pause(): Promise<void>;
}

/**
 * What became of the rows of the last transaction: the last records of the journal that came from a file at that time.
 *
 * They are committed, and yet cannot be read for as long as another writer is between an earlier position and its commit: then the
 * journal is read on from there after a pause.
 *
 * @throws ScanGateError `SG_LEDGER_BUSY` when the other writer takes too long; `SG_LEDGER_REFERENCE` when nobody holds the journal up, and
 * it does not hold the rows of its own checkpoint.
 */
export async function outcomesOfLastRows(
  ledger: Pick<LedgerReader, 'records'>,
  { rows, received_at, journal_after }: ImportCheckpoint,
  { retriesMax, pause }: Patience,
): Promise<LastRows> {
  let outcomes: RowOutcome[] = [];
  let after = journal_after;
  for (let retries = 0; ; ) {
    const page = await ledger.records({ limit: pageRecords, ...(after !== undefined && { after }) });
    const ofPage = page.items.flatMap((record) => outcomeOfRow(record, received_at));
    outcomes = [...outcomes, ...ofPage].slice(-rows);
    after = page.next;
    if (page.items.length === pageRecords) continue;
    if (outcomes.length === rows) return { outcomes, journalAfter: after };
    const found = `${outcomes.length} of the ${rows} rows of the last checkpoint of this import`;
    if (page.isHeldUp !== true) {
      throw new ScanGateError('SG_LEDGER_REFERENCE', `The journal holds ${found}. Run "scangate verify".`);
    }
    if (retries >= retriesMax) {
      throw new ScanGateError('SG_LEDGER_BUSY', `Another writer holds up the journal, of which ${found} can be read.`);
    }
    retries += 1;
    await pause();
  }
}

/** One, if the record is of a row that was received then. */
function outcomeOfRow(record: JournalRecord, receivedAt: number): RowOutcome[] {
  const { transport, outcome, scan, rejection, gap_ms, flags } = record;
  if (transport !== 'file' || outcome === 'breaks_accepted' || outcome === 'discarded') return [];
  if ((scan ?? rejection)?.received_at !== receivedAt) return [];
  return [{ outcome, gapMs: gap_ms, scanId: scan?.scan_uuid, flags, ...(rejection !== undefined && { rejection }) }];
}

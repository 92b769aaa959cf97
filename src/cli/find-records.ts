import { ScanGateError } from '../base/errors.ts';
import type { JournalRecord } from '../ledger/journal-record.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import { quoted } from '../scan/rejection.ts';

type Found = Promise<readonly JournalRecord[]>;

/**
 * Everything that the journal has of what a name stands for: a claim key, an entry id, `facility/line`, or a scan id.
 *
 * @throws ScanGateError `SG_NOT_FOUND`.
 */
export async function findRecords(reader: LedgerReader, name: string): Found {
  for (const find of [ofPick, ofEntry, ofLine, ofScanId]) {
    const records = await find(reader, name);
    if (records.length > 0) return records;
  }
  throw new ScanGateError('SG_NOT_FOUND', `The ledger knows no claim key, scan id, entry id or facility/line ${quoted(name)}.`);
}

function ofPick(reader: LedgerReader, name: string): Found {
  return reader.recordsOfPick(name);
}

async function ofEntry(reader: LedgerReader, name: string): Found {
  const line = await reader.line(name);
  return line === undefined ? [] : reader.recordsOfPick(line.claim_key);
}

async function ofLine(reader: LedgerReader, name: string): Found {
  const [, facilityUuid, line] = /^(.+)\/(\d{1,15})$/.exec(name) ?? [];
  if (facilityUuid === undefined) return [];
  const [found] = (await reader.lines({ facilityUuid, after: String(Number(line) - 1), limit: 1 })).items;
  return found?.line === Number(line) ? reader.recordsOfPick(found.claim_key) : [];
}

function ofScanId(reader: LedgerReader, name: string): Found {
  return reader.recordsOfScanId(name);
}

/** A line of the book as a history holds it: all that can be compared with what was really scanned. */
import type { LedgerLine } from '../ledger/ledger-line.ts';
import type { LineEvent } from './history.ts';
import { movedBy } from './moved.ts';

export function lineEvent(line: LedgerLine): LineEvent {
  return {
    kind: 'line',
    facility_uuid: line.facility_uuid,
    line: line.line,
    entry_id: line.entry_id,
    transmission: line.actor ?? '',
    occurred_at: line.occurred_at,
    product: line.ndc11 ?? line.ndc12 ?? line.gtin14 ?? '',
    delta: line.delta,
    scanner_id: line.scanner_id,
    journal_seq: line.journal_seq,
    moved: movedBy(line),
  };
}

/**
 * R1 in the journal: an id means the line that it was first decided for. Whatever comes under it later is a suppression of that line or
 * contradicts it; and nothing is called the same id that never was.
 *
 * In: records in the order of each facility's journal.
 */
import type { JournalRecord } from '../../ledger/journal-record.ts';
import type { Findings } from './judgement.ts';
import type { KnownTransmission } from './known-history.ts';

export class IdCheck {
  readonly #findings: Findings;
  /** Which entry an id means, by facility, scanner and id. */
  readonly #entries = new Map<string, string>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  record(record: JournalRecord, { sent, scan: { truth } }: KnownTransmission): void {
    const { outcome, reason, scan, entry, of } = record;
    if (scan?.scan_uuid === undefined && outcome !== 'conflict' && reason !== 'same_scan_id') return;
    const named = (outcome === 'committed' ? entry : of)?.id ?? 'nothing';
    const key = `${record.facility_uuid}|${scan?.scanner_id}|${scan?.scan_uuid}`;
    const meant = this.#entries.get(key);
    const isSameId = outcome === 'conflict' || reason === 'same_scan_id';
    if (meant === undefined && !isSameId) this.#entries.set(key, named);
    if (isSameId ? meant === named : meant === undefined) return;
    const said = `${outcome}${isSameId ? ' by its id' : ''}, with the entry ${named}`;
    const message = `${sent.transmission} was ${said}; its id means ${meant ?? 'nothing yet'}.`;
    this.#findings.add('id_violated', message, truth.scan);
  }
}

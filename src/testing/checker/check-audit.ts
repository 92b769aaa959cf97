/**
 * Every transmission that was answered has exactly one record, which says what was answered; and no record is of what nobody sent.
 *
 * A record of a scan names its transmission. A record of what was rejected is found by the quarantine id of the answer, or, where there was
 * no answer, by the digest of its bytes.
 */
import { groupBy } from '../../base/group-by.ts';
import type { RejectedRecord } from './check-records.ts';
import type { Findings } from './judgement.ts';
import type { KnownHistory, KnownRecord, KnownTransmission } from './known-history.ts';

export function checkAudit(history: KnownHistory, rejected: readonly RejectedRecord[], findings: Findings): void {
  attachRejected(history, rejected, findings);
  for (const transmission of history.transmissions.values()) checkTransmission(transmission, findings);
}

function attachRejected(history: KnownHistory, rejected: readonly RejectedRecord[], findings: Findings): void {
  if (rejected.length === 0) return;
  const told = new Map<string, KnownTransmission>();
  for (const transmission of history.transmissions.values()) {
    const id = transmission.answer?.quarantine_id;
    if (id !== undefined) told.set(id, transmission);
  }
  const unclaimed = rejected.filter((record) => {
    const transmission = told.get(record.quarantineId ?? '');
    if (transmission === undefined || record.sha256 !== transmission.sent.sha256) return true;
    attach(record, transmission, findings);
    return false;
  });
  attachByDigest(history, unclaimed, findings);
}

/** Records that no answer names are those of transmissions without an answer, as far as there are any of the same bytes. */
function attachByDigest(history: KnownHistory, unclaimed: readonly RejectedRecord[], findings: Findings): void {
  const digests = new Set(unclaimed.map(({ sha256 }) => sha256));
  const ofSuchBytes = [...history.transmissions.values()].filter(({ sent }) => digests.has(sent.sha256));
  const byDigest = groupBy(ofSuchBytes, ({ sent }) => sent.sha256);
  const withoutRecord = groupBy(
    ofSuchBytes.filter(({ records }) => records.length === 0),
    ({ sent }) => sent.sha256,
  );
  for (const record of unclaimed) {
    const transmission = withoutRecord.get(record.sha256)?.pop() ?? byDigest.get(record.sha256)?.[0];
    if (transmission !== undefined) attach(record, transmission, findings);
    else findings.add('foreign_record', `Record ${record.seq} of ${record.facility} rejects what nobody sent.`);
  }
}

/** It is of what is no scan. It may leave out the scanner or the id, where what was sent cannot be read that far, but says nothing else; what is sent always names its facility. */
function attach(record: RejectedRecord, transmission: KnownTransmission, findings: Findings): void {
  transmission.records.push(record);
  const { sent, scan } = transmission;
  const { facility_uuid, scanner_id, scan_uuids } = scan.truth;
  const { facility, scannerId = scanner_id, scanUuid } = record;
  if (scan.truth.readable) {
    const message = `Record ${record.seq} of ${facility} rejects ${sent.transmission}, though it can be read.`;
    findings.add('record_differs', message, scan.truth.scan);
  }
  const ids = sent.scan_uuid === undefined ? scan_uuids : [sent.scan_uuid];
  if (facility === facility_uuid && scannerId === scanner_id && (scanUuid === undefined || ids.includes(scanUuid))) return;
  const message = `Record ${record.seq} rejects ${sent.transmission} as of ${facility}, ${scannerId}, ${scanUuid ?? 'no id'}; it was sent by ${facility_uuid}, ${scanner_id}.`;
  findings.add('record_differs', message, scan.truth.scan);
}

function checkTransmission({ sent, scan, answer, records }: KnownTransmission, findings: Findings): void {
  const { transmission } = sent;
  if (records.length > 1) {
    const numbers = records.map(({ seq }) => seq).join(', ');
    findings.add('repeated_record', `${transmission} has ${records.length} records: ${numbers}.`, scan.truth.scan);
  }
  if (answer === undefined || answer.outcome === 'unavailable') return;
  const [record] = records;
  if (record === undefined) {
    findings.add('unaudited_transmission', `${transmission} was ${answer.outcome}, and has no record.`, scan.truth.scan);
    return;
  }
  const matches = (one: KnownRecord): boolean =>
    one.outcome === answer.outcome && one.entryId === answer.entry_id && one.quarantineId === answer.quarantine_id;
  if (records.some(matches)) return;
  const told = `${answer.outcome} ${answer.entry_id ?? answer.quarantine_id ?? ''}`.trim();
  const kept = `${record.outcome} ${record.entryId ?? record.quarantineId ?? ''}`.trim();
  findings.add('record_differs', `${transmission} was told "${told}"; record ${record.seq} says "${kept}".`, scan.truth.scan);
}

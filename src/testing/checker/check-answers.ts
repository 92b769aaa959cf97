/**
 * What was answered, against the book: an acknowledgement names a line that exists and is of this scan, what is rejected is no scan and is
 * kept, and what was said of an id once is said of it again (R1).
 */
import type { AnsweredEvent } from '../history.ts';
import type { RejectedRecord } from './check-records.ts';
import type { Findings } from './judgement.ts';
import type { KnownHistory, KnownScan, KnownTransmission } from './known-history.ts';

/** @param rejected the records of what was rejected; nothing where there is no journal. */
export function checkAnswers(history: KnownHistory, rejected: readonly RejectedRecord[] | undefined, findings: Findings): void {
  const kept = rejected && new Set(rejected.map(({ quarantineId }) => quarantineId));
  for (const scan of history.scans.values()) {
    for (const { sent, answer } of scan.transmissions) {
      const fault = answer === undefined ? undefined : faultIn(answer, scan, history, kept);
      if (fault !== undefined) findings.add('false_acknowledgement', `${sent.transmission} ${fault}`, scan.truth.scan);
    }
  }
}

export function checkBoundIds({ scans }: KnownHistory, findings: Findings): void {
  for (const scan of scans.values()) checkBoundId(scan, findings);
}

/** The rest of a sentence that begins with the transmission. */
function faultIn(
  answer: AnsweredEvent,
  scan: KnownScan,
  history: KnownHistory,
  kept: ReadonlySet<string | undefined> | undefined,
): string | undefined {
  const { outcome, entry_id, quarantine_id } = answer;
  const { truth } = scan;
  if (outcome === 'unavailable') return undefined;
  if (outcome === 'rejected') {
    if (truth.readable) return `was rejected, though it can be read.`;
    return kept === undefined || kept.has(quarantine_id)
      ? undefined
      : `was rejected under ${quarantine_id ?? 'no quarantine id'}, which no record names.`;
  }
  if (!truth.readable) return `was ${outcome}, though it is no scan.`;
  const line = entry_id === undefined ? undefined : history.lines.get(entry_id);
  if (line === undefined) return `was ${outcome}, and its entry ${entry_id ?? ''} is no line.`;
  const isOfAnother = outcome === 'committed' && line.scan !== scan;
  return isOfAnother ? `was committed as ${entry_id}, which is the line of ${line.scan?.truth.scan ?? 'nobody'}.` : undefined;
}

function checkBoundId({ truth, transmissions }: KnownScan, findings: Findings): void {
  const entries = new Map<string, string>();
  for (const transmission of transmissions) {
    const id = idOf(transmission);
    const entryId = transmission.answer?.entry_id ?? transmission.records[0]?.entryId;
    if (id === undefined || entryId === undefined) continue;
    const first = entries.get(id) ?? entryId;
    entries.set(id, first);
    if (first === entryId) continue;
    const message = `Of the id ${id} one transmission was answered ${first}, and ${transmission.sent.transmission} ${entryId}.`;
    findings.add('false_acknowledgement', message, truth.scan);
  }
}

function idOf({ sent, records }: KnownTransmission): string | undefined {
  return sent.scan_uuid ?? records[0]?.scanUuid;
}

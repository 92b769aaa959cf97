/** R6: what is no scan is rejected, and kept byte for byte under the id that its record names. */
import type { RejectedRecord } from './check-records.ts';
import type { Findings } from './judgement.ts';
import type { KnownHistory } from './known-history.ts';

export function checkQuarantine(
  { quarantined, scans }: KnownHistory,
  rejected: readonly RejectedRecord[],
  findings: Findings,
): void {
  for (const { facility, seq, quarantineId = 'nothing', sha256 } of rejected) {
    const kept = quarantined.get(quarantineId);
    if (kept === sha256) continue;
    const is = kept === undefined ? 'nothing is kept' : 'other bytes are kept';
    findings.add('evidence_lost', `Record ${seq} of ${facility} rejects ${quarantineId}, of which ${is}.`);
  }
  for (const { truth, transmissions } of scans.values()) {
    const isDecided = transmissions.some(
      ({ answer, records }) => records.length > 0 || (answer !== undefined && answer.outcome !== 'unavailable'),
    );
    if (truth.readable || isDecided) continue;
    findings.add('evidence_lost', `${truth.scan} is no scan, and nothing says that it was ever there.`, truth.scan);
  }
}

/** R6: what was rejected is kept byte for byte, under the id that its record names. */
import type { RejectedRecord } from './check-records.ts';
import type { Findings } from './judgement.ts';
import type { KnownHistory } from './known-history.ts';

export function checkQuarantine({ quarantined }: KnownHistory, rejected: readonly RejectedRecord[], findings: Findings): void {
  for (const { facility, seq, quarantineId = 'nothing', sha256 } of rejected) {
    const kept = quarantined.get(quarantineId);
    if (kept === sha256) continue;
    const is = kept === undefined ? 'nothing is kept' : 'other bytes are kept';
    findings.add('evidence_lost', `Record ${seq} of ${facility} rejects ${quarantineId}, of which ${is}.`);
  }
}

/**
 * One line of JSON for each decision, keys sorted. It names digests and entries only: no raw scan, no operator, no patient.
 */
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { Verdict } from '../gate/verdict.ts';

export function logDecision(logger: Logger, clock: Clock, { transmission, decision }: Verdict): void {
  const isScan = transmission.kind === 'scan';
  // In the order of the names: to sort them anew for every decision takes longer than to write them. What is undefined is not written.
  logger.info({
    arbiter: 'arbiter' in decision ? decision.arbiter : decision.outcome === 'unavailable' ? undefined : 'ledger',
    at: new Date(clock.nowMs()).toISOString(),
    code: 'rejection' in decision ? decision.rejection.code : 'code' in decision ? decision.code : undefined,
    entry: 'entry' in decision ? decision.entry.id : undefined,
    event: 'scan_claim',
    gap_ms: 'gapMs' in decision ? decision.gapMs : undefined,
    key: 'claimKey' in decision ? decision.claimKey : isScan ? transmission.identity.claimKey : null,
    of: 'of' in decision ? decision.of.id : undefined,
    outcome: decision.outcome,
    quarantine_id: 'quarantineId' in decision ? decision.quarantineId : undefined,
    reason: 'reason' in decision ? decision.reason : undefined,
    ttl_ms: isScan ? transmission.scannerClass.windowMs + transmission.scannerClass.guardMs : null,
  });
}

export function sorted(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}

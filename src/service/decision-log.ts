/**
 * One line of JSON for each decision, keys sorted. It names digests and entries only: no raw scan, no operator, no patient.
 */
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { Verdict } from '../gate/verdict.ts';

export function logDecision(logger: Logger, clock: Clock, { transmission, decision }: Verdict): void {
  const isScan = transmission.kind === 'scan';
  const fields: Record<string, unknown> = {
    at: new Date(clock.nowMs()).toISOString(),
    event: 'scan_claim',
    key: 'claimKey' in decision ? decision.claimKey : isScan ? transmission.identity.claimKey : null,
    outcome: decision.outcome,
    ttl_ms: isScan ? transmission.scannerClass.windowMs + transmission.scannerClass.guardMs : null,
    arbiter: 'arbiter' in decision ? decision.arbiter : decision.outcome === 'unavailable' ? undefined : 'ledger',
    reason: 'reason' in decision ? decision.reason : undefined,
    code: 'rejection' in decision ? decision.rejection.code : 'code' in decision ? decision.code : undefined,
    of: 'of' in decision ? decision.of.id : undefined,
    entry: 'entry' in decision ? decision.entry.id : undefined,
    gap_ms: 'gapMs' in decision ? decision.gapMs : undefined,
    quarantine_id: 'quarantineId' in decision ? decision.quarantineId : undefined,
  };
  logger.info(sorted(fields));
}

export function sorted(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}

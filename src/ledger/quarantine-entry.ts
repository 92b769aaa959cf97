import type { JournalRecord, Resolves } from './journal-record.ts';
import type { Decision, ScanTransmission } from './ledger.ts';

/** What was rejected, as far as the journal tells of it. */
export interface QuarantineEntry {
  readonly id: string;
  /** The record of the rejection. */
  readonly record: JournalRecord;
  /** The record of its release or discard; absent while it is open. */
  readonly resolution?: JournalRecord;
}

/** What a person wants to become of it. */
export type ResolveRequest =
  | { readonly kind: 'release'; readonly resolves: Resolves; readonly transmission: ScanTransmission }
  | { readonly kind: 'discard'; readonly resolves: Resolves };

export type Resolution =
  | { readonly kind: 'not_found' }
  /** It was resolved already, and nothing was written. */
  | { readonly kind: 'resolved_before'; readonly entry: QuarantineEntry }
  | { readonly kind: 'discarded'; readonly entry: QuarantineEntry }
  /** Decided like every other scan. Committed or suppressed, the input is resolved; else it stays open. */
  | { readonly kind: 'decided'; readonly decision: Decision };

/** An entry as answers and commands show it: names of the wire, times in integer epoch ms. */
export function quarantineItem({ id, record, resolution }: QuarantineEntry) {
  const { quarantine_id: _, ...rejection } = record.rejection ?? {};
  return {
    quarantine_id: id,
    status: statusOf(resolution),
    facility_uuid: record.facility_uuid,
    journal_seq: record.seq,
    transport: record.transport,
    ...rejection,
    ...(resolution !== undefined && { resolution: resolutionItem(resolution) }),
  };
}

/** For who comes second. */
export function resolvedBefore(entry: QuarantineEntry): string {
  const { status, resolution } = quarantineItem(entry);
  return `was ${status} already by ${resolution?.actor ?? ''}. Nothing was done.`;
}

function statusOf(resolution: JournalRecord | undefined): 'open' | 'released' | 'discarded' {
  if (resolution === undefined) return 'open';
  return resolution.outcome === 'discarded' ? 'discarded' : 'released';
}

function resolutionItem({ outcome, decided_at, facility_uuid, seq, resolves, entry, of }: JournalRecord) {
  return {
    outcome,
    decided_at,
    actor: resolves?.actor,
    reason: resolves?.reason,
    ...(resolves?.corrected !== undefined && { corrected: resolves.corrected }),
    facility_uuid,
    journal_seq: seq,
    ...(entry !== undefined && { entry }),
    ...(of !== undefined && { of }),
  };
}

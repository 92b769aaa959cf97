/**
 * What has to be written when a person releases or discards what was rejected. Pure; asked inside the transaction that writes it,
 * so that of two people one is told what the other did.
 */
import type { IdSource } from '../base/ids.ts';
import type { BookState } from './book-state.ts';
import { type Plan, planBatch, planDiscard } from './plan-batch.ts';
import type { QuarantineEntry, Resolution, ResolveRequest } from './quarantine-entry.ts';

export interface PlannedResolution {
  readonly resolution: Resolution;
  /** Absent when nothing is to be written. */
  readonly plan?: Plan;
}

export function planResolution(
  books: BookState,
  entry: QuarantineEntry | undefined,
  request: ResolveRequest,
  decidedAt: number,
  ids: IdSource,
): PlannedResolution {
  if (entry === undefined) return { resolution: { kind: 'not_found' } };
  if (entry.resolution !== undefined) return { resolution: { kind: 'resolved_before', entry } };
  if (request.kind === 'discard') {
    const plan = planDiscard(books, entry.record.facility_uuid, request.resolves, decidedAt, ids);
    const [written] = plan.records;
    return { plan, resolution: { kind: 'discarded', entry: { ...entry, ...(written && { resolution: written.record }) } } };
  }
  const { unlisted, ...transmission } = request.transmission;
  const plan = planBatch(books, [{ ...transmission, resolves: request.resolves }], decidedAt, ids);
  const [decision] = plan.decisions;
  if (decision === undefined) throw new TypeError('One transmission has one decision.');
  if (decision.outcome !== 'committed' || unlisted === undefined) return { plan, resolution: { kind: 'decided', decision } };
  // It is not in quarantine a second time: it stays what it is, for as long as the directory does not know its product.
  const { quarantine_id: quarantineId } = request.resolves;
  return { resolution: { kind: 'decided', decision: { outcome: 'rejected', quarantineId, rejection: unlisted.rejection } } };
}

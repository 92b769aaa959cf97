/** What an answer of ScanGate over HTTP means. The thread of the devices imports it by its address. */
import type { Answer } from '../workload/client.ts';
import type { AnswerOf } from './system.ts';

interface WireAnswer {
  readonly outcome?: Answer['outcome'];
  readonly code?: string;
  readonly quarantine_id?: string;
  readonly entry?: { readonly id: string };
  readonly of?: { readonly id: string };
}

/** What has no outcome was refused as a whole: nothing was decided, and the device sends again. */
export const answerOf: AnswerOf = (status, text) => {
  const { outcome, code, quarantine_id, entry, of } = JSON.parse(text) as WireAnswer;
  if (outcome === undefined) return { outcome: 'unavailable', code: code ?? `HTTP ${status}` };
  const entryId = (entry ?? of)?.id;
  return {
    outcome,
    ...(entryId !== undefined && { entry_id: entryId }),
    ...(quarantine_id !== undefined && { quarantine_id }),
    ...(code !== undefined && { code }),
  };
};

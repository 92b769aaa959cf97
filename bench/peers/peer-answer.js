// What an answer of a peer means. The thread of the devices imports it by its address.
import { randomUUID } from 'node:crypto';

export function answerOf(_status, text) {
  const { outcome, code, entry, of } = JSON.parse(text);
  const entryId = (entry ?? of)?.id;
  // Nobody keeps what a peer refuses.
  const quarantined = outcome === 'rejected' && { quarantine_id: randomUUID() };
  return {
    outcome,
    ...(entryId !== undefined && { entry_id: entryId }),
    ...(code !== undefined && { code }),
    ...quarantined,
  };
}

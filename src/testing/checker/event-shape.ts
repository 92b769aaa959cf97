/** Whether a JSON value is an event of a history: its kind is known, and what every event of that kind has is there. */
import type { HistoryEvent } from '../history.ts';

type JsonType = 'string' | 'number' | 'boolean' | 'object';

const needed: Readonly<Record<HistoryEvent['kind'], Readonly<Record<string, JsonType>>>> = {
  run: { system: 'string', seed: 'number', window_ms: 'number', has_journal: 'boolean', command: 'string', v: 'number' },
  scan: {
    scan: 'string',
    facility_uuid: 'string',
    scanner_id: 'string',
    pulled_at: 'number',
    content: 'string',
    scan_uuids: 'object',
    distinct_ids: 'string',
    readable: 'boolean',
    product: 'string',
    delta: 'string',
  },
  sent: { transmission: 'string', scan: 'string', worker: 'string', sent_at: 'number', sha256: 'string' },
  answered: { transmission: 'string', answered_at: 'number', outcome: 'string', is_heard: 'boolean' },
  fault: { fault: 'string', target: 'string', at: 'number' },
  line: {
    facility_uuid: 'string',
    entry_id: 'string',
    transmission: 'string',
    occurred_at: 'number',
    product: 'string',
    delta: 'string',
  },
  record: { record: 'object' },
  quarantined: { quarantine_id: 'string', sha256: 'string' },
  head: { facility_uuid: 'string', seq: 'number', line: 'number', hash: 'string' },
};

/** What is wrong with it, without the full stop. */
export function faultInEvent(value: Readonly<Record<string, unknown>>): string | undefined {
  const { kind } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(needed, kind)) return 'no event of a history has this kind';
  for (const [field, type] of Object.entries(needed[kind as HistoryEvent['kind']])) {
    if (typeof value[field] !== type || value[field] === null) return `the field ${field} of this ${kind} is not a ${type}`;
  }
  if (kind === 'run' && value['v'] !== 1) return `this history is of version ${String(value['v'])}, and only 1 can be read`;
  return undefined;
}

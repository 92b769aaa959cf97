/** Whether a JSON value is an event of a history: its kind is known, what every event of that kind has is there, and what it can have is of its type. */
import type { HistoryEvent } from '../history.ts';

type JsonType = 'string' | 'number' | 'boolean' | 'object' | 'list';

const withArticle: Readonly<Record<JsonType, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
  list: 'a list',
};

const needed: Readonly<Record<HistoryEvent['kind'], Readonly<Record<string, JsonType>>>> = {
  run: { system: 'string', seed: 'number', window_ms: 'number', has_journal: 'boolean', command: 'string', v: 'number' },
  scan: {
    scan: 'string',
    facility_uuid: 'string',
    scanner_id: 'string',
    pulled_at: 'number',
    content: 'string',
    scan_uuids: 'list',
    distinct_ids: 'string',
    readable: 'boolean',
    product: 'string',
    delta: 'string',
  },
  sent: { transmission: 'string', scan: 'string', worker: 'string', sent_at: 'number', sha256: 'string' },
  answered: { transmission: 'string', answered_at: 'number', outcome: 'string', is_heard: 'boolean' },
  fault: { fault: 'string', target: 'string', at: 'number' },
  problem: { message: 'string' },
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

/** What need not be there: of another type it would be passed over, and what it says not judged. */
const possible: Readonly<Partial<Record<HistoryEvent['kind'], Readonly<Record<string, JsonType>>>>> = {
  run: { review_gap_ms: 'number', binds_ids: 'boolean' },
  scan: { device_at: 'number', window_ms: 'number', moved: 'object' },
  sent: { scan_uuid: 'string', device_at: 'number', order: 'number' },
  answered: { entry_id: 'string', quarantine_id: 'string', code: 'string' },
  fault: { until: 'number' },
  line: { line: 'number', scanner_id: 'string', journal_seq: 'number', moved: 'object' },
};

/** What is wrong with it, without the full stop. */
export function faultInEvent(value: Readonly<Record<string, unknown>>): string | undefined {
  const { kind } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(needed, kind)) return 'no event of a history has this kind';
  const known = kind as HistoryEvent['kind'];
  const there = Object.entries(possible[known] ?? {}).filter(([field]) => value[field] !== undefined);
  for (const [field, type] of [...Object.entries(needed[known]), ...there]) {
    if (jsonTypeOf(value[field]) !== type) return `the field ${field} of this ${kind} is not ${withArticle[type]}`;
  }
  if (kind === 'run' && value['v'] !== 1) return `this history is of version ${String(value['v'])}, and only 1 can be read`;
  return kind === 'record' ? faultInRecord(value['record'] as Readonly<Record<string, unknown>>) : undefined;
}

/** A damaged record is the journal's own business, which is judged; what has no flags or no parts to look into cannot be. */
function faultInRecord(record: Readonly<Record<string, unknown>>): string | undefined {
  if (jsonTypeOf(record['flags']) !== 'list') return 'the field flags of this record is not a list';
  const parts = ['scan', 'entry', 'of', 'rejection', 'resolves'].filter((part) => record[part] !== undefined);
  const damaged = parts.find((part) => jsonTypeOf(record[part]) !== 'object');
  return damaged === undefined ? undefined : `the field ${damaged} of this record is not an object`;
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHistory } from '../../src/testing/checker/check-history.ts';
import type { HistoryEvent } from '../../src/testing/history.ts';
import { soundHistory } from '../unit/testing/checker/small-run.ts';

const events = await soundHistory();

/** Facts that no rule speaks of: when and where a client sent, what it heard, what would tell scans apart that are not alike, which faults there were, who wrote the history. */
const withoutMeaning: Readonly<Record<HistoryEvent['kind'], readonly string[]>> = {
  run: ['v', 'system', 'seed', 'command', 'window_ms', 'review_gap_ms'],
  scan: ['pulled_at', 'content', 'distinct_ids'],
  sent: ['sent_at', 'worker', 'order', 'scan_uuid', 'sha256'],
  answered: ['answered_at', 'is_heard'],
  fault: ['fault', 'target', 'at', 'until'],
  problem: [],
  line: [],
  record: [],
  quarantined: [],
  head: [],
};

interface Leaf {
  readonly at: number;
  readonly path: readonly string[];
  readonly value: string | number | boolean;
}

function leavesOf(value: unknown, at: number, path: readonly string[] = []): Leaf[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, at, [...path, name]));
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [{ at, path, value }] : [];
}

function changedAt(value: unknown, [name, ...path]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to;
  if (Array.isArray(value)) return value.map((inner, index) => (String(index) === name ? changedAt(inner, path, to) : inner));
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [name]: changedAt(object[name], path, to) };
}

const leaves = events.flatMap((event, at) => leavesOf(event, at).filter(({ path: [name = ''] }) => isOfRule(event, name)));

function isOfRule(event: HistoryEvent, name: string): boolean {
  if (name === 'kind' || withoutMeaning[event.kind].includes(name)) return false;
  if (event.kind !== 'scan') return true;
  // What is no scan moves nothing and has no time, and what was taken for a retry moves nothing either.
  if (!event.readable) return name === 'scan' || name === 'readable';
  return event.scan !== 's4' || (name !== 'delta' && name !== 'product');
}

describe('a sound history', () => {
  it('is sound no more when any one fact of it is changed', () => {
    const change = fc.record({
      leaf: fc.constantFrom(...leaves),
      text: fc.string({ minLength: 1, maxLength: 8 }),
      number: fc.integer({ min: 1, max: 10_000_000 }),
    });
    fc.assert(
      fc.property(change, ({ leaf: { at, path, value }, text, number }) => {
        const to = typeof value === 'string' ? value + text : typeof value === 'number' ? value + number : !value;
        const changed = events.map((event, index) => (index === at ? (changedAt(event, path, to) as HistoryEvent) : event));
        expect(checkHistory(changed).isSound, `${path.join('.')} of event ${at}`).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is sound no more when any one line, record, head or answered transmission of it is missing', () => {
    for (const [at, { kind }] of events.entries()) {
      if (kind === 'fault' || kind === 'run' || kind === 'answered') continue;
      expect(checkHistory(events.toSpliced(at, 1)).isSound, `event ${at}, ${kind}`).toBe(false);
    }
  });

  it('is sound no more when any one event of it but a fault stands twice', () => {
    for (const [at, event] of events.entries()) {
      if (event.kind === 'fault') continue;
      expect(checkHistory(events.toSpliced(at, 0, event)).isSound, `event ${at}, ${event.kind}`).toBe(false);
    }
  });
});

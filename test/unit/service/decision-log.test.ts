import pino from 'pino';
import { expect, test } from 'vitest';
import type { Verdict } from '../../../src/gate/verdict.ts';
import { logDecision, sorted } from '../../../src/service/decision-log.ts';
import { scanAt } from '../../../src/testing/wire-scans.ts';
import { fixedClock } from '../../support/scans.ts';

function logged(verdict: Verdict): string {
  const lines: string[] = [];
  const logger = pino(
    { base: null, timestamp: false, formatters: { level: () => ({}) } },
    { write: (line) => void lines.push(line) },
  );
  logDecision(logger, fixedClock(1_772_712_000_000), verdict);
  return lines.join('').replace('{,', '{');
}

const transmission = scanAt(0, { scan_uuid: 'SECRET', actor: 'SECRET' });
const { claimKey } = transmission.identity;
const entry = { id: 'e-1', facility_uuid: 'SECRET', line: 7 };

test('a commit names its claim key, its entry and how long its claim lives', () => {
  expect(logged({ transmission, decision: { outcome: 'committed', entry, claimKey, flags: [] } })).toBe(
    `{"arbiter":"ledger","at":"2026-03-05T12:00:00.000Z","entry":"e-1","event":"scan_claim","key":"${claimKey}","outcome":"committed","ttl_ms":3500}\n`,
  );
});

test('a suppression names what it duplicates, why, and the gap', () => {
  const decision = {
    outcome: 'suppressed',
    of: entry,
    claimKey: 'scan:idem:1',
    gapMs: 0,
    windowMs: 3_000,
    arbiter: 'claim',
    reason: 'same_content',
    flags: [],
  } as const;
  expect(logged({ transmission, decision })).toBe(
    '{"arbiter":"claim","at":"2026-03-05T12:00:00.000Z","event":"scan_claim","gap_ms":0,"key":"scan:idem:1","of":"e-1","outcome":"suppressed","reason":"same_content","ttl_ms":3500}\n',
  );
});

test('what was not decided has no arbiter, and says why', () => {
  const line = logged({ transmission, decision: { outcome: 'unavailable', code: 'SG_QUEUE_FULL', message: 'Full.' } });
  expect(line).toBe(
    `{"at":"2026-03-05T12:00:00.000Z","code":"SG_QUEUE_FULL","event":"scan_claim","key":"${claimKey}","outcome":"unavailable","ttl_ms":3500}\n`,
  );
});

test('keys are sorted, and what is not there is left out', () => {
  expect(JSON.stringify(sorted({ b: 1, a: null, c: undefined, A: 0 }))).toBe('{"A":0,"a":null,"b":1}');
});

import { PassThrough } from 'node:stream';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/gate/verdict.ts';
import { logDecision } from '../../../src/service/decision-log.ts';
import { rejectionAt, scanAt } from '../../../src/testing/wire-scans.ts';
import { fixedClock } from '../../support/scans.ts';
import { pageAt, tableUnder } from './markdown.ts';

const entry = { id: 'e', facility_uuid: 'f', line: 1 };
const verdicts: readonly Verdict[] = [
  { transmission: scanAt(0), decision: { outcome: 'committed', entry, claimKey: 'k', flags: [] } },
  {
    transmission: scanAt(0),
    decision: {
      outcome: 'suppressed',
      of: entry,
      claimKey: 'k',
      gapMs: 1,
      windowMs: 2,
      arbiter: 'ledger',
      reason: 'same_content',
      flags: [],
    },
  },
  { transmission: rejectionAt(0), decision: { outcome: 'rejected', quarantineId: 'q', rejection: rejectionAt(0).rejection } },
];

describe('docs/reference/records.md', () => {
  it('lists the fields of a line of the decision log', () => {
    const stream = new PassThrough();
    const logger = pino({ base: null, timestamp: false }, stream);
    for (const verdict of verdicts) logDecision(logger, fixedClock(), verdict);
    const lines = String(stream.read())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(verdicts.length);
    const fields = new Set(lines.flatMap((line) => Object.keys(line)).filter((field) => field !== 'level'));
    expect(tableUnder(pageAt('docs/reference/records.md'), 'The decision log').map((row) => row['Field'])).toEqual(
      [...fields].sort(),
    );
  });
});

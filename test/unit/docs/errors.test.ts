import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorCodes } from '../../../src/base/errors.ts';
import { answerOf } from '../../../src/ingest/http/answer.ts';
import { pageAt, tableUnder } from './markdown.ts';

const page = pageAt('docs/reference/errors.md');

/** The status of an answer that carries the code, as the HTTP adapter gives it. */
function statusOf(code: ErrorCode): string {
  const origin = {};
  const rejection = { code, message: 'A sentence.' };
  const raw = { bytes: new Uint8Array() };
  const transmission = { kind: 'rejection', rejection, origin, receivedAt: 0, transport: 'http', raw } as const;
  return String(answerOf({ transmission, decision: { outcome: 'rejected', quarantineId: 'q', rejection } }).status);
}

/** These are answered to requests that hold no scan. */
const answeredElsewhere: Partial<Record<ErrorCode, string>> = {
  SG_NOT_FOUND: '404',
  SG_QUARANTINE_RESOLVED: '409',
  SG_INTERNAL: '500',
};

describe('docs/reference/errors.md', () => {
  it.each([
    ['One scan is refused', 'scan'],
    ['A whole request is refused', 'request'],
  ] as const)('lists the codes of the registry with their status: %s', (heading, kind) => {
    const codes = Object.entries(errorCodes).filter(([, code]) => code.kind === kind) as [ErrorCode, { about: string }][];
    const expected = codes.map(([Code, { about: About }]) => ({
      Code,
      Status: answeredElsewhere[Code] ?? statusOf(Code),
      About,
    }));
    expect(tableUnder(page, heading)).toEqual(expected);
  });

  it.each([
    ['Nothing was decided', 'unavailable'],
    ['The process ends', 'startup'],
  ] as const)('lists the codes of the registry: %s', (heading, kind) => {
    const codes = Object.entries(errorCodes).filter(([, code]) => code.kind === kind);
    expect(tableUnder(page, heading)).toEqual(codes.map(([Code, { about: About }]) => ({ Code, About })));
  });

  it('names no code that the registry does not have, on any line', () => {
    const named = page.text.match(/SG_[A-Z_]+/g) ?? [];
    expect(named.filter((code) => !Object.hasOwn(errorCodes, code))).toEqual([]);
  });
});

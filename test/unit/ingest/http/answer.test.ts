import { expect, test } from 'vitest';
import { type ErrorCode, errorCodes } from '../../../../src/base/errors.ts';
import type { Verdict } from '../../../../src/gate/verdict.ts';
import { answerOf, commonStatus, problem } from '../../../../src/ingest/http/answer.ts';

/** A refusal with this code, as the gate gives it. */
function refused(code: ErrorCode): Verdict {
  return {
    transmission: {
      kind: 'rejection',
      rejection: { code, message: 'Because.' },
      origin: { scanId: 'trigger-1' },
      receivedAt: 0,
      transport: 'http',
      raw: { bytes: Buffer.alloc(0) },
    },
    decision: { outcome: 'rejected', quarantineId: 'q-1', rejection: { code, message: 'Because.' } },
  };
}

const own: Partial<Record<ErrorCode, number>> = {
  SG_JSON_INVALID: 400,
  SG_KEY_REPEATED: 400,
  SG_NUMBER_INEXACT: 400,
  SG_ITEM_TOO_DEEP: 400,
  SG_BODY_EMPTY: 400,
  SG_REQUEST_INVALID: 400,
  SG_REQUEST_TIMEOUT: 408,
  SG_BODY_TOO_LARGE: 413,
  SG_BATCH_TOO_LARGE: 413,
  SG_ITEM_TOO_LARGE: 413,
  SG_MEDIA_TYPE: 415,
  SG_CONTENT_ENCODING: 415,
};

test('what was not understood has a 4xx of its own, and every other refusal of a scan is 422', () => {
  const codes = (Object.keys(errorCodes) as ErrorCode[]).filter(
    (code) => errorCodes[code].kind === 'scan' || own[code] !== undefined,
  );
  expect(codes.length).toBeGreaterThan(40);
  for (const code of codes) {
    expect([code, answerOf(refused(code)).status]).toEqual([code, own[code] ?? 422]);
  }
});

test('a refusal names its reason, its scan id and where it is kept', () => {
  expect(answerOf(refused('SG_NDC_INVALID')).body).toEqual({
    outcome: 'rejected',
    scan_uuid: 'trigger-1',
    code: 'SG_NDC_INVALID',
    message: 'Because.',
    quarantine_id: 'q-1',
  });
});

test('what could not be decided is 503 and says when to come back', () => {
  const { transmission } = refused('SG_NDC_INVALID');
  expect(
    answerOf({ transmission, decision: { outcome: 'unavailable', code: 'SG_LEDGER_FULL', message: 'The disk is full.' } }),
  ).toEqual({
    status: 503,
    body: {
      outcome: 'unavailable',
      scan_uuid: 'trigger-1',
      code: 'SG_LEDGER_FULL',
      message: 'The disk is full. Send it again.',
      retry_after_s: 1,
    },
  });
});

test('many answers have the status that all of them have, else 207', () => {
  expect(commonStatus([201])).toBe(201);
  expect(commonStatus([200, 200, 200])).toBe(200);
  expect(commonStatus([503, 503])).toBe(503);
  expect(commonStatus([201, 200])).toBe(207);
  expect(commonStatus([422, 503])).toBe(207);
});

test('a problem is RFC 9457, with the sentence of the registry as its title', () => {
  expect(problem(413, 'SG_BODY_TOO_LARGE', 'Too much.')).toEqual({
    type: 'urn:scangate:problem:SG_BODY_TOO_LARGE',
    title: 'The body, as sent or inflated, is larger than allowed.',
    status: 413,
    detail: 'Too much.',
    code: 'SG_BODY_TOO_LARGE',
    message: 'Too much.',
  });
});

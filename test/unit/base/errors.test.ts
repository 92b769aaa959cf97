import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorCodes, ScanGateError } from '../../../src/base/errors.ts';

const entries = Object.entries(errorCodes);

describe('errorCodes', () => {
  it('holds codes of every kind', () => {
    expect(new Set(entries.map(([, { kind }]) => kind))).toEqual(new Set(['scan', 'request', 'unavailable', 'startup']));
  });

  it.each(entries)('names %s in capitals and says what it is in sentences', (code, { about }) => {
    expect(code).toMatch(/^SG_[A-Z]+(?:_[A-Z]+)*$/);
    expect(about).toMatch(/^[A-Z].*\.$/);
  });
});

describe('ScanGateError', () => {
  it('carries its code, its sentence and its cause', () => {
    const cause = new Error('ENOSPC');
    const error = new ScanGateError('SG_LEDGER_FULL', 'The disk of /data is full.', { cause });

    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'ScanGateError',
      code: 'SG_LEDGER_FULL',
      message: 'The disk of /data is full.',
      cause,
    });
  });

  it.each<[ErrorCode, boolean]>([
    ['SG_QUEUE_FULL', true],
    ['SG_LEDGER_BUSY', true],
    ['SG_SHUTTING_DOWN', true],
    ['SG_FIELD_MISSING', false],
    ['SG_JSON_INVALID', false],
    ['SG_DATA_LOCKED', false],
  ])('says of %s whether sending the same again can succeed: %s', (code, retryable) => {
    expect(new ScanGateError(code, 'A sentence.').retryable).toBe(retryable);
  });
});

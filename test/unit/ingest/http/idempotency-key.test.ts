import { expect, test } from 'vitest';
import { transportScanIdOf } from '../../../../src/ingest/http/idempotency-key.ts';

test.each([
  [undefined, undefined],
  ['', ''],
  ['trigger-1', 'trigger-1'],
  ['"trigger-1"', 'trigger-1'],
  [' "trigger-1" ', 'trigger-1'],
  ['"a \\"b\\" \\\\"', 'a "b" \\'],
  ['""', ''],
  ['"half', '"half'],
  ['"a"b"', '"a"b"'],
  ['"a\\b"', '"a\\b"'],
])('the header %j names the scan id %j', (header, scanId) => {
  expect(transportScanIdOf(header === undefined ? {} : { 'idempotency-key': header })).toBe(scanId);
});

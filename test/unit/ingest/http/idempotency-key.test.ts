import { expect, test } from 'vitest';
import { transportScanIdOf } from '../../../../src/ingest/http/idempotency-key.ts';

function read(...values: string[]) {
  return transportScanIdOf({ rawHeaders: ['Host', 'localhost', ...values.flatMap((value) => ['idempotency-Key', value])] });
}

test('without the header there is no scan id', () => {
  expect(read()).toEqual({ ok: true, value: undefined });
});

test.each([
  ['trigger-1', 'trigger-1'],
  ['"trigger-1"', 'trigger-1'],
  [' "trigger-1" ', 'trigger-1'],
  ['"a \\"b\\" \\\\"', 'a "b" \\'],
  ['urn:uuid:0b7c1f9e-3d51-4b7a-8f0e-6f1d2a9c4e10', 'urn:uuid:0b7c1f9e-3d51-4b7a-8f0e-6f1d2a9c4e10'],
  ['""', ''],
])('the header %j names the scan id %j', (header, scanId) => {
  expect(read(header)).toEqual({ ok: true, value: scanId });
});

test('the same value twice is one', () => {
  expect(read('v1', ' v1')).toEqual({ ok: true, value: 'v1' });
});

test.each(
  [['', '"half', '"a"b"', '"a\\b"', 'a1, a2', '"z1", z1', '"v1";a=1', 'v1;a=1', 'two words', 'b\u00c3\u00a9', '\u00e9']].flat(),
)('the header %j is refused: it could be taken for the id of another scan', (header) => {
  expect(read(header)).toMatchObject({ ok: false, error: { code: 'SG_REQUEST_INVALID', field: 'Idempotency-Key' } });
});

test('two different values are refused', () => {
  expect(read('a1', 'a2')).toMatchObject({ ok: false, error: { code: 'SG_REQUEST_INVALID' } });
});

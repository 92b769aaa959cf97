import { expect, test } from 'vitest';
import { Metrics } from '../../../src/service/metrics.ts';

test('all numbers are given although the ledger does not say how large it is', async () => {
  const failing = new Metrics(
    () => 3,
    () => Promise.reject(new Error('The thread of the ledger failed.')),
  );
  const { contentType, text } = await failing.text();
  expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toContain('\nscangate_queue_depth 3\n');
  expect(text).toContain('\nscangate_ledger_bytes 0\n');
  const unknown = new Metrics(
    () => 0,
    async () => undefined,
  );
  expect((await unknown.text()).text).toContain('\nscangate_ledger_bytes 0\n');
});

test('the size of the ledger is asked for at each time', async () => {
  let bytes = 4_096;
  const metrics = new Metrics(
    () => 0,
    async () => ({ kind: 'sqlite', bytes }),
  );
  expect((await metrics.text()).text).toContain('\nscangate_ledger_bytes 4096\n');
  bytes = 8_192;
  expect((await metrics.text()).text).toContain('\nscangate_ledger_bytes 8192\n');
});

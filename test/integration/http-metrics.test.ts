import { expect, test } from 'vitest';
import { get, journalRecords, post } from '../support/http-client.ts';
import { dispense, recently } from '../support/http-client-scans.ts';
import { startServer } from '../support/server.ts';

/** A line of Prometheus text: a name, labels, and a number. */
const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|\+?Inf)|NaN)$/;

function parse(text: string): Map<string, number> {
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => {
      const match = sample.exec(line);
      if (match === null) throw new Error(`This is no sample: ${line}`);
      return [`${match[1]}{${match[2] ?? ''}}`, Number(match[3])];
    }),
  );
}

test('metrics are Prometheus text, and their counts add up with the journal', async () => {
  const server = await startServer();
  await post(server, [
    dispense('metrics', { scan_uuid: 'A' }),
    dispense('metrics', { scan_uuid: 'A' }),
    dispense('metrics', { scan_uuid: 'B', captured_at: recently + 700 }),
    dispense('metrics', { scan_uuid: 'A', quantity: 2 }),
    dispense('metrics', { quantity: 0 }),
    dispense('metrics', { quantity: 0 }),
    dispense('metrics', { captured_at: recently + 3_000 }),
  ]);
  await post(server, '{');
  const { headers, text } = await get(server, '/metrics');
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const all = parse(text);
  const scans = [...all].filter(([name]) => name.startsWith('scangate_scans_total'));
  expect(Object.fromEntries(scans)).toEqual({
    'scangate_scans_total{outcome="committed",reason=""}': 2,
    'scangate_scans_total{outcome="suppressed",reason="same_scan_id"}': 1,
    'scangate_scans_total{outcome="suppressed",reason="same_content"}': 1,
    'scangate_scans_total{outcome="conflict",reason=""}': 1,
    'scangate_scans_total{outcome="rejected",reason="SG_QUANTITY_RANGE"}': 2,
    'scangate_scans_total{outcome="rejected",reason="SG_JSON_INVALID"}': 1,
  });
  expect(await journalRecords(server)).toHaveLength(8);
  expect(all.get('scangate_suppressed_gap_seconds_sum{}')).toBe(0.7);
  expect(all.get('scangate_suppressed_gap_seconds_count{}')).toBe(2);
  expect(all.get('scangate_flags_total{flag="possible_double_count"}')).toBe(1);
  expect(all.get('scangate_flags_total{flag="possible_under_count"}')).toBe(1);
  expect(all.get('scangate_ledger_batch_items_sum{}')).toBe(8);
  expect(all.get('scangate_queue_depth{}')).toBe(0);
  expect(all.get('scangate_ledger_bytes{}')).toBeGreaterThan(4_096);
  expect(all.get('process_resident_memory_bytes{}')).toBeGreaterThan(10_000_000);
});

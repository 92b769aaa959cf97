/**
 * Prometheus metrics, from the parts of prom-client, read one by one: its entry reads eighty files more, most of them of tracing, for
 * the numbers that describe the process. Those are read for the first who asks for metrics; what has to be watched is watched from the
 * start.
 */
import { createRequire } from 'node:module';
import type PromClient from 'prom-client';

/** The parts are CommonJS, and have no types of their own. */
const load = createRequire(import.meta.url);

export const Counter = load('prom-client/lib/counter.js') as typeof PromClient.Counter;
export const Gauge = load('prom-client/lib/gauge.js') as typeof PromClient.Gauge;
export const Histogram = load('prom-client/lib/histogram.js') as typeof PromClient.Histogram;
export const Registry = load('prom-client/lib/registry.js') as typeof PromClient.Registry;

const watched = ['eventLoopLag', 'gc'];

/** The pauses of the process: how late its timers are, and how long it collects garbage. */
export function watchPauses(register: PromClient.Registry): void {
  for (const name of watched) show(name, register);
}

/** Everything else that prom-client tells of a process. */
export function showProcess(register: PromClient.Registry): void {
  const { metricsList } = load('prom-client/lib/defaultMetrics.js') as { metricsList: readonly string[] };
  for (const name of metricsList) if (!watched.includes(name)) show(name, register);
}

function show(name: string, register: PromClient.Registry): void {
  (load(`prom-client/lib/metrics/${name}.js`) as (register: PromClient.Registry, options: unknown) => void)(register, {
    eventLoopMonitoringPrecision: 10,
  });
}

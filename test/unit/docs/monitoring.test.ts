import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Metrics } from '../../../src/service/metrics.ts';
import { pageAt, repositoryRoot, tableUnder } from './markdown.ts';

const page = pageAt('docs/operating.md');

function fileAt(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8');
}

function metricsIn(text: string): Set<string> {
  const names = [...text.matchAll(/scangate_[a-z_]+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ''));
  return new Set(names);
}

const { text } = await new Metrics(
  () => 0,
  async () => undefined,
  () => undefined,
).text();
const known = new Set([...text.matchAll(/^# TYPE (scangate_\w+)/gm)].map(([, name = '']) => name));

describe('docs/monitoring', () => {
  it.each(['docs/monitoring/alerts.yml', 'docs/monitoring/dashboard.json'])('%s asks only for metrics that there are', (path) => {
    const asked = metricsIn(fileAt(path));
    expect([...asked].filter((name) => !known.has(name))).toEqual([]);
    expect(asked.size).toBeGreaterThan(4);
  });

  it('shows every metric of ScanGate on the dashboard', () => {
    const shown = metricsIn(fileAt('docs/monitoring/dashboard.json'));
    // How many scans share a transaction is for those who tune, not for those who watch.
    expect([...known].filter((name) => !shown.has(name))).toEqual(['scangate_ledger_batch_items']);
  });

  it('is explained, alert by alert', () => {
    const alerts = [...fileAt('docs/monitoring/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(tableUnder(page, 'Monitoring').map(({ Alert }) => Alert)).toEqual(alerts);
    expect(alerts.length).toBeGreaterThan(5);
  });
});

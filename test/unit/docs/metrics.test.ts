import { describe, expect, it } from 'vitest';
import { ScanGateError } from '../../../src/base/errors.ts';
import type { Verdict } from '../../../src/gate/verdict.ts';
import { Metrics } from '../../../src/service/metrics.ts';
import { rejectionAt, scanAt } from '../../../src/testing/wire-scans.ts';
import { pageAt, tableUnder } from './markdown.ts';

interface Family {
  readonly Metric: string;
  readonly Type: string;
  readonly Labels: string;
  readonly 'What it is': string;
}

/** The families of the Prometheus text format, as far as they are our own. */
function familiesOf(text: string): Family[] {
  const helps = [...text.matchAll(/^# HELP (scangate_\w+) (.*)$/gm)];
  return helps.map(([, name = '', help = '']) => {
    const type = new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(text)?.[1] ?? '';
    const labels = [...text.matchAll(new RegExp(`^${name}\\w*\\{(.*)\\}`, 'gm'))].flatMap(([, inside = '']) =>
      [...inside.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
    );
    const own = [...new Set(labels)].filter((label) => label !== 'le');
    return { Metric: name, Type: type, Labels: own.join(', '), 'What it is': help };
  });
}

async function familiesInUse(): Promise<Family[]> {
  const metrics = new Metrics(
    () => 0,
    async () => ({ kind: 'memory', bytes: 0 }),
    () => ({ report: { state: 'ok', since: 0 }, notKept: 0 }),
  );
  const entry = { id: 'e', facility_uuid: 'f', line: 1 };
  const committed: Verdict = {
    transmission: scanAt(0),
    decision: { outcome: 'committed', entry, claimKey: 'k', flags: ['late'] },
  };
  metrics.decided(committed);
  const transmission = rejectionAt(0);
  metrics.decided({ transmission, decision: { outcome: 'rejected', quarantineId: 'q', rejection: transmission.rejection } });
  metrics.appended(1, 2, new ScanGateError('SG_LEDGER_BUSY', 'A sentence.'));
  metrics.degraded();
  metrics.preFiltered('new');
  return familiesOf((await metrics.text()).text);
}

describe('docs/reference/metrics.md', () => {
  it('lists the metrics of the code with type, labels and help', async () => {
    const families = await familiesInUse();
    expect(tableUnder(pageAt('docs/reference/metrics.md'), 'Every metric')).toEqual(families);
  });
});

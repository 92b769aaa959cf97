/** How long a test may take, by its kind, ms: kinds share processes, and what is configured for them. */
import { relative, sep } from 'node:path';
import { expect, vi } from 'vitest';

const limitsMs: Readonly<Record<string, number>> = {
  unit: 5_000,
  property: 120_000,
  tidy: 20_000,
  contract: 60_000,
  fault: 240_000,
  integration: 120_000,
  sim: 300_000,
};

const { testPath = '' } = expect.getState();
const [kind = ''] = relative('test', testPath).split(sep);
const limitMs = limitsMs[kind];
if (limitMs === undefined) throw new Error(`How long may a test of ${testPath} take?`);
vi.setConfig({ testTimeout: limitMs });

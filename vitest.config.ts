import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

const kind = (name: string, testTimeout: number) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout, hookTimeout: 30_000 },
});

/** Tests that start nothing and leave nothing behind share what they import, which takes longer than they do. */
const pure = (name: string, testTimeout: number) => ({ test: { ...kind(name, testTimeout).test, isolate: false } });

const onServers = (name: string, testTimeout: number) => ({
  test: { ...kind(name, testTimeout).test, globalSetup: 'test/support/postgres-template.ts' },
});

export default defineConfig({
  test: {
    passWithNoTests: false,
    // Most tests wait for servers and disks. The default is one fewer than there are cores: on two, one.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      pure('unit', 5_000),
      pure('property', 120_000),
      pure('tidy', 20_000),
      onServers('contract', 60_000),
      onServers('fault', 240_000),
      onServers('integration', 120_000),
      kind('sim', 300_000),
    ],
  },
});

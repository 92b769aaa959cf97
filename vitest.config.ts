import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** Test files share what they import, which takes longer than many of them do. */
const kind = (name: string, testTimeout: number) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout, hookTimeout: 30_000, isolate: false },
});

const startingThings = (name: string, testTimeout: number) => ({
  test: { ...kind(name, testTimeout).test, setupFiles: 'test/support/setup.ts' },
});

const onServers = (name: string, testTimeout: number) => ({
  test: { ...startingThings(name, testTimeout).test, globalSetup: 'test/support/postgres-template.ts' },
});

export default defineConfig({
  test: {
    passWithNoTests: false,
    // Many tests wait for servers and disks. The default is one fewer than there are cores: on two, one.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      kind('unit', 5_000),
      kind('property', 120_000),
      kind('tidy', 20_000),
      onServers('contract', 60_000),
      onServers('fault', 240_000),
      onServers('integration', 120_000),
      startingThings('sim', 300_000),
    ],
  },
});

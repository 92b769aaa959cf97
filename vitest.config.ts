import { defineConfig } from 'vitest/config';

const kind = (name: string, testTimeout: number) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout, hookTimeout: 30_000 },
});

export default defineConfig({
  test: {
    passWithNoTests: false,
    // Most tests wait for servers and disks. The default is one fewer than there are cores: on two, one.
    maxWorkers: 2,
    projects: [
      kind('unit', 5_000),
      kind('property', 120_000),
      kind('tidy', 20_000),
      kind('contract', 60_000),
      kind('fault', 240_000),
      kind('integration', 120_000),
    ],
  },
});

import { defineConfig } from 'vitest/config';

const kind = (name: string, testTimeout: number) => ({
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout, hookTimeout: 30_000 },
});

export default defineConfig({
  test: {
    passWithNoTests: false,
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

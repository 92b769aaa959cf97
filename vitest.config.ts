import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** Test files share what they import, and so a process: to read it again would take longer than many of them do. */
const kinds = (name: string, folders: string, more: TestProjectInlineConfiguration['test']) => ({
  test: { name, include: [`test/${folders}/**/*.test.ts`], hookTimeout: 60_000, isolate: false, ...more },
});

export default defineConfig({
  test: {
    passWithNoTests: false,
    // Many tests wait for servers and disks. The default is one fewer than there are cores: on two, one.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      kinds('in-process', '{unit,property,tidy}', { setupFiles: 'test/support/limits.ts' }),
      kinds('with-servers', '{contract,fault,integration,sim}', {
        setupFiles: ['test/support/limits.ts', 'test/support/setup.ts'],
        globalSetup: 'test/support/postgres-template.ts',
      }),
    ],
  },
});

/** The data of a PostgreSQL server that was never started: made once for a kind of tests, copied for each server. */
import type { TestProject } from 'vitest/node';
import { Lifetime } from '../../src/testing/servers/lifetime.ts';
import { newDataFolder } from '../../src/testing/servers/postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresTemplate: string;
  }
}

const lifetime = new Lifetime();

export function setup(project: TestProject): void {
  project.provide('postgresTemplate', newDataFolder(lifetime));
}

export function teardown(): Promise<void> {
  return lifetime.end();
}

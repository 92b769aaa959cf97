/**
 * The order of the test files: the longest first, so that at the end no core waits for the other. Without this, a run on a clean clone,
 * which remembers no run before it, goes by project and by the size of the files, and ends with one of the longest.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that take 25 seconds or more, the longest of a kind first: a process goes on with the next file of its kind. */
const longest = [
  'fault/serve-kill',
  'fault/torture',
  'fault/fleet-lost-replication',
  'fault/fleet-faults-cluster',
  'fault/fleet-faults-etcd',
  'fault/fleet-faults',
  'fault/postgres-out-of-sight',
  'integration/import-killed',
  'integration/fleet-picks',
  'integration/http-unread-answers',
  'integration/http-streaming',
  'sim/simulation',
  'sim/mutants',
].map((name) => `test/${name}.test.ts`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const gone = longest.find((path) => !existsSync(join(root, path)));
    if (gone !== undefined) throw new Error(`${gone} is one of the longest tests, and is not there.`);
    const places = new Map(longest.map((path, place) => [join(root, path), place]));
    const placeOf = ({ moduleId }: TestSpecification): number => places.get(moduleId) ?? longest.length;
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

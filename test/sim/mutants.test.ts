/**
 * Takes the safety measures away one by one, in a copy of the compiled code: each has to be noticed.
 *
 * What only real servers can show is not here: a `synchronous_commit` that is off, an `fsync` that lies, and the SQL of the ledger itself.
 */
import { describe, expect, test } from 'vitest';
import { changed, copiedPackage } from '../support/changed-package.ts';
import { type Mutant, mutants } from './mutants.ts';
import { type SimulateEnd, simulateIn } from './simulate-in.ts';

const folder = copiedPackage();

/** What the command ends with where a measure is taken away. The copy is whole again after it. */
async function simulatedWithout(mutant: Mutant, args: readonly string[]): Promise<SimulateEnd> {
  const putBack = changed(folder, mutant);
  try {
    return await simulateIn(folder, ['--system', mutant.system, '--fail-fast', ...args]);
  } finally {
    putBack();
  }
}

describe('the simulation', () => {
  test.each(mutants.map((mutant) => [mutant.name, mutant] as const))('notices when this is not so: %s', async (_, mutant) => {
    const { code, text } = await simulatedWithout(mutant, ['--seeds', `${mutant.seeds}`]);
    expect(text).toMatch(/^seed \d+: [1-9]\d* violations?/m);
    expect(code).toBe(1);
  });

  test.each(['gate', 'guard'])('notices nothing in a copy of the %s as it is', async (system) => {
    const { code, text } = await simulateIn(folder, ['--system', system, '--seeds', '300']);
    expect(text).toContain('No rule was broken.');
    expect(code).toBe(0);
  });

  test('shrinks what it notices to two scans at most', async () => {
    const [mutant] = mutants.filter(({ name }) => name === 'a lease is left alone until it is over');
    if (mutant === undefined) throw new Error('There is no such mutant.');
    const { text } = await simulatedWithout(mutant, ['--seeds', '500', '--shrink']);
    expect(text).toMatch(/shrunk in \d+ runs to \d+ parts/);
    expect(text.split('\n').filter((line) => line.startsWith('{"kind":"scan"')).length).toBeLessThanOrEqual(2);
  });
});

/**
 * Takes the safety measures away one by one, in a copy of the compiled code: each has to be noticed, and by that alone. The same run of the
 * code as it is has to be sound.
 *
 * What only real servers can show is not here: a `synchronous_commit` that is off, an `fsync` that lies, and the SQL of the ledger itself.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { changed, copiedPackage } from '../support/changed-package.ts';
import { changedSimulator } from './changed-simulator.ts';
import { type Mutant, mutants } from './mutants.ts';
import { SeedsProcess } from './seeds-process.ts';
import { type SimulateEnd, simulateIn } from './simulate-in.ts';

const whole = changedSimulator();
const simulations = new SeedsProcess();
afterAll(() => simulations.end());

describe('the simulation', () => {
  test.each(mutants.map((mutant) => [mutant.name, mutant] as const))('notices when this is not so: %s', async (_, mutant) => {
    const { system, seeds, scans = 20, mix } = mutant;
    const runs = { system, scans, ...(mix !== undefined && { mix }) };
    const { seed, kinds } = await simulations.firstUnsound({ ...runs, simulator: changedSimulator(mutant), firstSeed: 1, seeds });
    if (seed === undefined) throw new Error(`Nothing was noticed in ${seeds} seeds.`);
    expect(kinds).not.toEqual([]);
    expect(await simulations.firstUnsound({ ...runs, simulator: whole, firstSeed: seed, seeds: 1 })).toEqual({});
  });

  test.each(['gate', 'guard'] as const)('notices nothing in a copy of the %s as it is', async (system) => {
    const runs = { system, scans: 20, simulator: whole, firstSeed: 1, seeds: 100 };
    expect(await simulations.firstUnsound(runs)).toEqual({});
  });
});

describe('the command', () => {
  const folder = copiedPackage();

  /** What it ends with where a measure is taken away. The copy is whole again after it. */
  async function simulatedWithout(name: Mutant['name'], ...args: readonly string[]): Promise<SimulateEnd> {
    const [mutant] = mutants.filter((one) => one.name === name);
    if (mutant === undefined) throw new Error(`There is no such mutant: ${name}`);
    const putBack = changed(folder, mutant);
    try {
      const options = ['--system', mutant.system, '--seeds', `${mutant.seeds}`, '--fail-fast', ...args];
      return await simulateIn(folder, options, 'dist/cli/main.js');
    } finally {
      putBack();
    }
  }

  test.each(['pending is not committed', 'a scan id is looked up (R1)'])(
    'says which seed noticed when this is not so, and fails: %s',
    async (name) => {
      const { code, text } = await simulatedWithout(name);
      expect(text).toMatch(/^seed \d+: [1-9]\d* violations?/m);
      expect(code).toBe(1);
    },
  );

  test('shrinks what it notices to two scans at most', async () => {
    const { code, text } = await simulatedWithout('a lease is left alone until it is over', '--shrink');
    expect(text).toMatch(/shrunk in \d+ runs to \d+ parts/);
    expect(text.split('\n').filter((line) => line.startsWith('{"kind":"scan"')).length).toBeLessThanOrEqual(2);
    expect(code).toBe(1);
  });
});

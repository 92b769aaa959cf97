/**
 * Takes the safety measures away one by one, in a copy of the compiled code: each has to be noticed.
 *
 * What only real servers can show is not here: a `synchronous_commit` that is off, an `fsync` that lies, and the SQL of the ledger itself.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder, temporaryFolder } from '../support/server.ts';
import { type Mutant, mutants } from './mutants.ts';
import { type SimulateEnd, simulateIn } from './simulate-in.ts';

/** A copy of the package that can be run, and changed. */
const folder = join(temporaryFolder(), 'scangate');
mkdirSync(folder);
cpSync(join(projectFolder, 'dist'), join(folder, 'dist'), { recursive: true });
cpSync(join(projectFolder, 'package.json'), join(folder, 'package.json'));
symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));

/** What the command ends with where a measure is taken away. The copy is whole again after it. */
async function simulatedWithout({ file, snippet, instead, system }: Mutant, args: readonly string[]): Promise<SimulateEnd> {
  const path = join(folder, 'dist', file);
  const whole = readFileSync(path, 'utf8');
  const [before, after, ...more] = whole.split(snippet);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} does not hold this once: ${snippet}`);
  writeFileSync(path, before + instead + after);
  try {
    return await simulateIn(folder, ['--system', system, '--fail-fast', ...args]);
  } finally {
    writeFileSync(path, whole);
  }
}

describe('the simulation', () => {
  test.each(mutants.map((mutant) => [mutant.name, mutant] as const))('notices when this is not so: %s', async (_, mutant) => {
    const { code, text } = await simulatedWithout(mutant, ['--seeds', `${mutant.seeds}`]);
    expect(text).toMatch(/^seed \d+: [1-9]\d* violation\(s\)/m);
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

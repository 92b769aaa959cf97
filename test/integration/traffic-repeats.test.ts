import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { packageFolder } from '../../src/base/package-folder.ts';

const program = `
  import { createHash } from 'node:crypto';
  import { trafficOf } from 'scangate/testing';
  const seeds = [0, 1, -7, 2 ** 31];
  for (const seed of seeds) {
    const text = JSON.stringify(trafficOf({ seed, scans: 3000, startsAt: 1772712000000, scanners: 17, facilities: 3 }));
    console.log(seed, text.length, createHash('sha256').update(text).digest('hex'));
  }`;

/** What another process makes, with a zone and a language of its own. */
function madeIn(env: Readonly<Record<string, string>>): string[] {
  const args = ['--input-type=module', '--eval', program];
  const output = execFileSync(process.execPath, args, { cwd: packageFolder, env: { ...process.env, ...env }, encoding: 'utf8' });
  return output.trim().split('\n');
}

describe('the traffic of a seed', () => {
  it('is the same, byte for byte, in every process, whatever its zone and language', () => {
    const first = madeIn({ TZ: 'UTC', LANG: 'C' });
    expect(first).toHaveLength(4);
    expect(new Set(first.map((line) => line.split(' ')[2])).size).toBe(4);
    expect(madeIn({ TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8' })).toEqual(first);
  });
});

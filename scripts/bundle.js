/**
 * The command line and its packages in few files, from its source: a start reads a dozen of them, and not seven hundred, which takes half
 * of its time. What a command does not need is still not read for it. Left alone while nothing has changed: a server may be starting from it.
 */
import { statSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';

const folder = 'dist/bin';
/** Written when everything else is. */
const done = `${folder}/.bundled`;
/** Among them what the compiler writes whenever a source has changed. */
const madeOf = ['dist/.tsbuildinfo', 'package-lock.json', 'scripts/bundle.js'];

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (madeOf.some((path) => changedAt(path) >= changedAt(done))) {
  const bundle = await rolldown({
    input: { scangate: 'src/cli/main.ts', 'sqlite-thread': 'src/ledger/sqlite-thread.ts' },
    platform: 'node',
    // It finds its compiled part from where its own files are.
    external: ['better-sqlite3'],
  });
  await bundle.write({ dir: folder, cleanDir: true });
  writeFileSync(done, '');
}

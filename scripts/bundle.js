/**
 * The command line and its packages in few files, from its source: a start reads a dozen of them, and not seven hundred, which takes half
 * of its time. What a command does not need is still not read for it. Left alone while nothing has changed: a server may be starting from it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';

const folder = 'dist/bin';
/** Written when everything else is: what it was made of. */
const done = `${folder}/.bundled`;

// The compiler writes down the contents of all sources.
const hash = createHash('sha256');
for (const path of ['dist/.tsbuildinfo', 'package-lock.json', 'scripts/bundle.js']) hash.update(readFileSync(path));
const madeOf = hash.digest('hex');

if (!existsSync(done) || readFileSync(done, 'utf8') !== madeOf) {
  const bundle = await rolldown({
    input: { scangate: 'src/cli/main.ts', 'sqlite-thread': 'src/ledger/sqlite-thread.ts' },
    platform: 'node',
    // It finds its compiled part from where its own files are.
    external: ['better-sqlite3'],
  });
  // Node.js starts CommonJS sooner than the same code in modules.
  await bundle.write({ dir: folder, cleanDir: true, format: 'cjs' });
  writeFileSync(`${folder}/package.json`, '{ "type": "commonjs" }\n');
  writeFileSync(done, madeOf);
}

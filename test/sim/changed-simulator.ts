/**
 * The compiled simulator in a folder of its own, with a measure taken away.
 *
 * Only the changed file and what imports it, near or far, are copied. The rest are links to the build, which Node loads once for however
 * many such folders one process imports: what they share is compiled and optimised once, and that is most of the work.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageFolder } from '../../src/base/package-folder.ts';
import { type Change, changedText } from '../support/changed-package.ts';
import { temporaryFolder } from '../support/server.ts';

/** Below `dist`: what has `simulate`. */
const simulator = 'testing/simulator/simulate.js';
const built = join(packageFolder, 'dist');

/** @returns where its `simulate` can be imported from. With no change, everything is copied as it is. */
export function changedSimulator(change?: Change): string {
  const texts = textsFrom(simulator);
  const own = change === undefined ? new Set(texts.keys()) : importersOf(change.file, texts);
  if (!own.has(simulator)) throw new Error(`The simulator does not import ${change?.file}.`);
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(packageFolder, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, text] of texts) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    if (own.has(file)) writeFileSync(path, file === change?.file ? changedText(text, change) : text);
    else symlinkSync(join(built, file), path);
  }
  return join(folder, simulator);
}

/** A compiled file and every file that it imports, near or far, by their paths below `dist`. */
function textsFrom(first: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const read = (file: string): void => {
    if (texts.has(file)) return;
    const text = readFileSync(join(built, file), 'utf8');
    texts.set(file, text);
    for (const imported of importsOf(file, text)) read(imported);
  };
  read(first);
  return texts;
}

/** A file and every file that imports it, near or far. */
function importersOf(file: string, texts: ReadonlyMap<string, string>): ReadonlySet<string> {
  const found = new Set([file]);
  for (const importer of found)
    for (const [other, text] of texts) if (importsOf(other, text).includes(importer)) found.add(other);
  return found;
}

/** As the compiler writes them: one a line. */
function importsOf(file: string, text: string): readonly string[] {
  return [...text.matchAll(/^(?:import|export)\b.*? from ["'](\.[^"']+)["'];$/gm)].map(([, to = '']) => join(dirname(file), to));
}

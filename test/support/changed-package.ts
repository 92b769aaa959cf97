/** A copy of the built package in which a measure can be taken away, to see that a test notices. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../src/base/package-folder.ts';
import { temporaryFolder } from './server.ts';

export interface Change {
  /** Below `dist`. */
  readonly file: string;
  /** Found exactly once in the file. */
  readonly snippet: string;
  readonly instead: string;
}

/** A folder of this test file alone, from which everything can be run. */
export function copiedPackage(): string {
  const folder = join(temporaryFolder(), 'scangate');
  mkdirSync(folder);
  for (const part of ['dist', 'migrations', 'package.json'])
    cpSync(join(packageFolder, part), join(folder, part), { recursive: true });
  symlinkSync(join(packageFolder, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** @returns what puts it back. */
export function changed(folder: string, change: Change): () => void {
  const path = join(folder, 'dist', change.file);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, changedText(whole, change));
  return () => writeFileSync(path, whole);
}

/** @param whole what is in the file. */
export function changedText(whole: string, { file, snippet, instead }: Change): string {
  const [before, after, ...more] = whole.split(snippet);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} does not hold this once: ${snippet}`);
  return before + instead + after;
}

/** The command of a package's folder, to its end. It yields to what runs beside it: whoever waits for time there must not wait for this. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface SimulateEnd {
  readonly code: number | null;
  /** What it wrote, to stdout and stderr. */
  readonly text: string;
}

/** @param main where the command begins: in the bundle, or in the compiled files, of which each can be changed. */
export function simulateIn(folder: string, args: readonly string[], main = 'dist/bin/scangate.js'): Promise<SimulateEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn('nice', ['-n', '10', process.execPath, join(folder, main), 'simulate', ...args]);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, text }));
  });
}

/** The commands, in the order of the help. Each is a file, read only when it is wanted: what one needs, no other waits for. */
import type { Command } from 'commander';

export const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['serve', async () => (await import('./serve.ts')).serveCommand()],
  ['import', async () => (await import('./import.ts')).importCommand()],
  ['decode', async () => (await import('./decode.ts')).decodeCommand()],
  ['directory', async () => (await import('./directory.ts')).directoryCommand()],
  ['trace', async () => (await import('./trace.ts')).traceCommand()],
  ['explain', async () => (await import('./explain.ts')).explainCommand()],
  ['doctor', async () => (await import('./doctor.ts')).doctorCommand()],
  ['migrate', async () => (await import('./migrate.ts')).migrateCommand()],
  ['quarantine', async () => (await import('./quarantine.ts')).quarantineCommand()],
  ['verify', async () => (await import('./verify.ts')).verifyCommand()],
  ['reconcile', async () => (await import('./reconcile.ts')).reconcileCommand()],
  ['simulate', async () => (await import('./simulate.ts')).simulateCommand()],
]);

/** The one command that is named; all of them where none is, for the help and for what comes near a misspelt one. */
export async function commandsFor(word: string): Promise<readonly Command[]> {
  const named = commands.get(word);
  return Promise.all((named === undefined ? [...commands.values()] : [named]).map((make) => make()));
}

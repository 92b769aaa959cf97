#!/usr/bin/env node
/** The command line. Each command is a file; what goes wrong is one sentence with a code, on stderr. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { ScanGateError } from '../base/errors.ts';
import { packageFolder } from '../base/package-folder.ts';
import { commandsFor } from './commands.ts';

const [, , firstWord = ''] = process.argv;
const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };

const program = new Command('scangate')
  .description('One physical scan, one ledger entry.')
  .version(version, '--version', 'print the version')
  .enablePositionalOptions()
  .showHelpAfterError();

async function main(): Promise<void> {
  try {
    // To say its version, no command is needed.
    for (const command of firstWord === '--version' ? [] : await commandsFor(firstWord)) program.addCommand(command);
    await program.parseAsync();
  } catch (error) {
    if (error instanceof ScanGateError) console.error(`scangate: ${error.message.replaceAll(/\s*\n\s*/g, ' ')} (${error.code})`);
    else console.error(error);
    process.exitCode = 1;
  }
}

void main();

#!/usr/bin/env node
/** The command line. Each command is a file; what goes wrong is one sentence with a code, on stderr. */
import { Command } from 'commander';
import { ScanGateError } from '../base/errors.ts';
import { decodeCommand } from './decode.ts';
import { directoryCommand } from './directory.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { importCommand } from './import.ts';
import { migrateCommand } from './migrate.ts';
import { quarantineCommand } from './quarantine.ts';
import { reconcileCommand } from './reconcile.ts';
import { serveCommand } from './serve.ts';
import { simulateCommand } from './simulate.ts';
import { traceCommand } from './trace.ts';
import { verifyCommand } from './verify.ts';

const program = new Command('scangate')
  .description('One physical scan, one ledger entry.')
  .showHelpAfterError()
  .addCommand(serveCommand())
  .addCommand(importCommand())
  .addCommand(decodeCommand())
  .addCommand(directoryCommand())
  .addCommand(traceCommand())
  .addCommand(explainCommand())
  .addCommand(doctorCommand())
  .addCommand(migrateCommand())
  .addCommand(quarantineCommand())
  .addCommand(verifyCommand())
  .addCommand(reconcileCommand())
  .addCommand(simulateCommand());

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof ScanGateError) console.error(`scangate: ${error.message.replaceAll(/\s*\n\s*/g, ' ')} (${error.code})`);
  else console.error(error);
  process.exitCode = 1;
}

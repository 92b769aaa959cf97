import { Command } from 'commander';
import { ScanGateError } from '../base/errors.ts';
import { settingsOf, withSettings } from './settings.ts';

const help = `
Needs a role that owns the database, once for each version that says so. The servers need far less: give --gate-role the role that
they log in as, and it is allowed to add lines and records, and neither to change nor to delete any.`;

export function migrateCommand(): Command {
  const command = new Command('migrate')
    .description('Bring the tables of a PostgreSQL ledger to the version that this package reads.')
    .option('--gate-role <name>', 'a role that is then allowed what a server needs, and no more; made where there is none')
    .addHelpText('after', help);
  return withSettings(command, ['postgres']).action(async ({ gateRole }: { gateRole?: string }) => {
    const { postgres } = settingsOf(command);
    if (postgres === '') throw new ScanGateError('SG_CONFIG_INVALID', 'Say which database with --postgres.');
    const { migrate } = await import('../ledger/postgres-ledger.ts');
    const { applied, version } = await migrate(postgres, gateRole === undefined ? {} : { gateRole });
    console.log(
      applied.length === 0 ? `Nothing to do: version ${version}.` : `Applied ${applied.join(', ')}: version ${version}.`,
    );
  });
}
